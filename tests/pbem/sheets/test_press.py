"""Press: who gets a message under whose name, what a plain answer to one does, muting and limits."""

from datetime import timedelta

import pytest
from click.testing import CliRunner
from sqlmodel import col, select

from pbem import clock
from pbem.cli import main
from pbem.errors import Refused
from pbem.mail.joining import join
from pbem.rulings.authority import Actor
from pbem.rulings.messages import mute_press, send_message, unmute_press
from pbem.settings import settings
from pbem.storage.models import Letter, Press
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.sheets.mailed import mailed, title
from tests.pbem.web.visiting import Visit, app_on

ADDRESSES = ("ann@players.example", "ben@players.example", "cleo@players.example", "dan@players.example")
SECRET = "nobody must know that Ann has said this"


def playing(database: Database, seats: int = 4, policy: dict[str, str] | None = None, **plan: object) -> Match:
    """A brisk game with a moderator whose settling time does not run out by itself."""
    given = {"pace": "brisk", "settle_minutes": 60, "moderator": "mod@players.example", **plan}
    return begun(service_on(database), seats=seats, policy=policy or {}, **given)  # type: ignore[arg-type]


def press_of(letters: list[Letter]) -> dict[str, Letter]:
    """Those of the letters that carry messages, by whom they go to."""
    return {each.recipient.partition("@")[0]: each for each in letters if each.kind == "press"}


def told(letters: list[Letter], seat: int = 0) -> str:
    """What the writer is told of it, in one line."""
    (text,) = [each.text for each in letters if each.kind == "acknowledgement" and each.seat == seat]
    return " ".join(text.split())


def kept(match: Match) -> list[Press]:
    """The game's messages."""
    with match.service.reading() as session:
        return list(session.exec(select(Press).where(col(Press.game_id) == match.id).order_by(col(Press.id))))


def test_a_message_goes_to_those_named_and_the_moderator_with_nobodys_address(database: Database) -> None:
    """To some and the moderator in one; who is not named gets nothing."""
    match = playing(database)
    letters = mailed(match, 0, "to green and moderator: shall we?")
    carried = press_of(letters)
    assert set(carried) == {"ben", "mod"}
    for letter in carried.values():
        shown = letter.content.decode().partition("\n\n")[2] + letter.subject
        assert not [address for address in ADDRESSES if address in shown and address != letter.recipient]
    assert "Your message went to: Green, the moderator" in told(letters)


def test_to_all_and_the_moderator_reaches_both(database: Database) -> None:
    """Neither word makes the other void."""
    match = playing(database)
    assert set(press_of(mailed(match, 0, "to all and moderator: hello"))) == {"ben", "cleo", "dan", "mod"}
    (row,) = kept(match)
    assert (row.seats, row.everyone, row.to_moderator) == ("1,2,3", True, True)


def test_an_unsigned_message_names_its_writer_to_the_moderator_alone(database: Database) -> None:
    """Its letters are what any other side's would be: nothing of them follows from who wrote it."""
    match = playing(database, policy={"press": "choose"})
    carried = press_of(mailed(match, 0, f"to all, anonymous: {SECRET}"))
    other = press_of(mailed(match, 3, f"to all anonymously: {SECRET}"))
    assert carried["ben"].text == other["ben"].text
    assert carried["ben"].subject == other["ben"].subject
    assert "Red" not in carried["ben"].subject + carried["ben"].text.replace(SECRET, "")
    carried = press_of(mailed(match, 0, "to green and moderator anonymously: hm"))
    assert "Red" not in carried["ben"].text
    assert "Red writes" in carried["mod"].text


def test_a_message_that_asks_to_be_unsigned_is_not_sent_signed(database: Database) -> None:
    """Where the game signs all messages it comes back, and nobody gets it."""
    match = playing(database)
    letters = mailed(match, 0, f"to green anonymously: {SECRET}")
    assert not press_of(letters)
    assert "messages of this game say who wrote them" in told(letters)
    assert SECRET in told(letters)
    assert not kept(match)


def test_an_anonymous_game_signs_no_message(database: Database) -> None:
    """Whatever its writer asks for."""
    match = playing(database, policy={"press": "anonymous"})
    letter = press_of(mailed(match, 0, "to green: hello"))["ben"]
    assert "Red" not in letter.text + letter.subject


@pytest.mark.parametrize("text", ["Yes, gladly!", "Yes.\n\nI shall not attack anybody."])
def test_a_plain_answer_goes_to_the_writer_alone(database: Database, text: str) -> None:
    """To nobody else of those who got the message, and whole, while the letter that it quotes stays behind."""
    match = playing(database)
    letter = press_of(mailed(match, 0, "to green and blue: shall we share?"))["ben"]
    letters = mailed(match, 1, text, letter)
    assert set(press_of(letters)) == {"ann"}
    assert kept(match)[-1].text.split() == text.split()
    assert "Your message went to: Red" in told(letters, 1)


@pytest.mark.parametrize(
    "text",
    [
        "bid 1",
        "Gladly!\nbid 1",
        "bid 1 or 2\nnot ready",
        "bdi 1",
        "1",
        "I would say 2 for the first and nothing else",
        "attack red wiht 3",
        "ready",
        "clear",
        "Write to ben@players.example instead",
    ],
)
def test_orders_in_an_answer_to_a_message_are_sent_on_to_nobody(database: Database, text: str) -> None:
    """Nor what only may be an order, or has an address in it; the player is told of it."""
    match = playing(database)
    letter = press_of(mailed(match, 0, "to green: what do you bid?"))["ben"]
    letters = mailed(match, 1, text, letter)
    assert not press_of(letters)
    assert len(kept(match)) == 1
    assert [each for each in letters if each.seat == 1]


def test_what_was_not_sent_on_says_how_it_would_be(database: Database) -> None:
    """And that form works, with the number in it."""
    match = playing(database)
    letter = press_of(mailed(match, 0, "to green: when?"))["ben"]
    text = told(mailed(match, 1, "Tomorrow at 5", letter), 1)
    assert "Tomorrow at 5" in text
    assert "write `to writer:` before it" in text or 'write "to writer:" before it' in text
    assert "Tomorrow at 5" in press_of(mailed(match, 1, "to writer: Tomorrow at 5", letter))["ann"].text


def test_an_answer_to_a_report_is_no_message(database: Database) -> None:
    """Only a message is answered by one; and nobody is its writer."""
    match = playing(database)
    assert not press_of(mailed(match, 1, "Yes, gladly!"))
    assert "only in a reply to a message" in told(mailed(match, 1, "to writer: yes"), 1)


def test_an_answer_to_an_anonymous_message_tells_nobody_who_wrote_it(database: Database) -> None:
    """Its writer gets it, stays unnamed in the answers that follow, and has it so even after leaving the game."""
    match = playing(database, policy={"press": "choose"})
    first = press_of(mailed(match, 0, f"to all anonymously: {SECRET}"))["ben"]
    letters = mailed(match, 1, "Who are you?", first)
    carried = press_of(letters)
    assert set(carried) == {"ann"}
    assert "Your message went to: who wrote the message" in told(letters, 1)
    assert "Red" not in told(letters, 1).replace("(Green)", "")
    back = press_of(mailed(match, 0, "A friend", carried["ann"]))
    assert set(back) == {"ben"}
    assert "Red" not in back["ben"].text
    confirm = mailed(match, 0, "resign")[0]
    mailed(match, 0, "confirm", confirm)
    assert match.seats[0].resigned is not None
    again = mailed(match, 1, "Are you there?", first)
    assert "Your message went to: who wrote the message" in told(again, 1)


def test_a_muted_side_is_not_mailed_and_stands_on_record(database: Database) -> None:
    """It is not told; anonymous messages are another thing, or muting would tell who writes them."""
    match = playing(database, policy={"press": "choose"})
    assert "Messages of Red stand on your page" in told(mailed(match, 1, "mute red"), 1)
    letters = mailed(match, 0, "to green and blue: hello")
    assert set(press_of(letters)) == {"cleo"}
    assert "Your message went to: Green, Blue" in told(letters)
    assert kept(match)[-1].seats == "1,2"
    assert set(press_of(mailed(match, 0, "to green anonymously: hello"))) == {"ben"}
    mailed(match, 1, "mute anonymous")
    assert not press_of(mailed(match, 0, "to green anonymously: hello"))
    assert "You get all messages by mail" in told(mailed(match, 1, "unmute all"), 1)
    assert set(press_of(mailed(match, 0, "to green: hello"))) == {"ben"}


def test_the_moderator_and_oneself_are_not_muted(database: Database) -> None:
    """Each is refused with the reason, and nothing changes."""
    match = playing(database)
    assert "The moderator can't be muted" in told(mailed(match, 1, "mute moderator"), 1)
    assert "nobody but yourself" in told(mailed(match, 1, "mute green"), 1)
    assert match.seats[1].mutes == ""


def test_check_mutes_nobody(database: Database) -> None:
    """It says what would be."""
    match = playing(database)
    mailed(match, 1, "check\nmute red")
    assert match.seats[1].mutes == ""


def test_messages_beyond_the_games_limits_come_back_whole(database: Database) -> None:
    """Too long, or too many within a day: with what the limit is; the next day they go."""
    match = playing(database, policy={"press_length": "100", "press_a_day": "2"})
    long = "word " * 30
    letters = mailed(match, 0, f"to green: {long}")
    assert not press_of(letters)
    assert "149 characters, and a message of this game may have 100" in told(letters)
    assert long.strip() in told(letters)
    assert "101 characters" in told(mailed(match, 0, f"to green: {'w' * 101}"))
    letters = mailed(match, 0, "to green: one\n\nto blue: two\n\nto all: three")
    assert [row.text for row in kept(match)] == ["one", "two"]
    assert "2 messages within 24 hours are the most" in told(letters)
    assert "three" in told(letters)
    clock.shift(timedelta(hours=24, seconds=1))
    assert press_of(mailed(match, 0, f"to green: {'w' * 100}"))  # as long as it may be


def test_a_message_to_nobody_at_all_is_refused(database: Database) -> None:
    """There is no moderator, nor an operator."""
    match = playing(database, moderator="")
    letters = mailed(match, 0, "to moderator: help")
    assert title(letters[0].text) == "Nothing could be used; your orders are as they were"
    assert not kept(match)


def test_a_letter_of_several_messages_is_answered_by_nobody_in_particular(database: Database) -> None:
    """Whose message a plain answer to it is for can't be known: it is sent on to nobody."""
    match = playing(database)
    mailed(match, 1, "mail daily at 8:00")
    mailed(match, 0, "to green: between us")
    mailed(match, 2, "to green: hello")
    clock.shift(timedelta(days=1))
    assert join(match.service, lambda: False)
    (carrier,) = [each for each in match.letters(1, "press") if each.fate == "queued"]
    assert not press_of(mailed(match, 1, "Gladly!", carrier))


def test_a_side_that_the_moderator_has_muted_reaches_the_moderator_alone(database: Database) -> None:
    """By a ruling that all are told; unsigned messages are its messages too."""
    match = playing(database, policy={"press": "choose"})
    mute_press(match.service, match.code, 0, Actor("insults"))
    assert len(match.letters(kind="ruling")) == 4
    for text in ("to green: you fool", "to all anonymously: fools", "to green and moderator: you fool"):
        letters = mailed(match, 0, text)
        assert not press_of(letters)
        assert "the moderator has ruled that messages of your side go to no player" in told(letters)
    assert set(press_of(mailed(match, 0, "to moderator: sorry"))) == {"mod"}
    unmute_press(match.service, match.code, 0, Actor("said sorry"))
    assert set(press_of(mailed(match, 0, "to green: sorry"))) == {"ben"}


def test_a_message_of_the_moderator_is_answered_to_the_moderator(database: Database) -> None:
    """To all or to one, once however often it is sent; who has muted everybody gets it all the same."""
    match = playing(database)
    mailed(match, 1, "mute all")
    for _ in range(2):
        assert send_message(match.service, match.code, None, "Merry Christmas", Actor("")) == 4
    assert len(kept(match)) == 1
    (letter,) = match.letters(1, "press")
    assert "Merry Christmas" in letter.text
    assert set(press_of(mailed(match, 1, "To you too", letter))) == {"mod"}
    assert send_message(match.service, match.code, 2, "Are you well?", Actor("")) == 1
    with pytest.raises(Refused) as refused:
        send_message(match.service, match.code, None, "I am the moderator", Actor("", "ben@players.example"))
    assert refused.value.code == "not_moderator"


def test_the_moderator_writes_from_the_desk_and_the_command_line(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To all, and to one side by name; the players' letters name no address."""
    match = playing(database)
    visit = Visit(app_on(match.service), match.service, "mod@players.example")
    visit.get(f"/games/{match.code}/desk")
    visit.send(f"/games/{match.code}/desk-message", to="all", text="Merry Christmas")
    assert "Your message is on its way" in visit.page
    assert set(press_of(match.letters(kind="press"))) == {"ann", "ben", "cleo", "dan"}
    monkeypatch.setenv("PBEM_DATABASE_URL", match.service.database.url.render_as_string(hide_password=False))
    monkeypatch.setattr("pbem.keys.load", lambda path: (b"k" * 32,))
    settings.cache_clear()
    made = CliRunner().invoke(main, ["game", "message", match.code, "green", "--text", "Are you well?"])
    assert made.exit_code == 0, made.output
    (letter,) = [each for each in match.letters(kind="press") if "Are you well?" in each.text]
    assert letter.seat == 1
    assert "mod@players.example" not in letter.content.decode()
