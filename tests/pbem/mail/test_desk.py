"""A moderator rules by mail: asked for in answer to any letter about the game, done after one word of confirmation."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlmodel import select

from pbem import clock
from pbem.accounts import create_account
from pbem.commands import BY_NAME, COMMANDS, mail_form
from pbem.mail.deskletters import CONFIRMED
from pbem.mail.ingest import read
from pbem.mail.intake import Arrived, store
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.record import rulings_of
from pbem.storage.models import Account, Letter, Press
from pbem.storage.sessions import Database
from tests.limits import in_time_for_a_task
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import HOME, post, reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on

MODERATOR = "mod@players.example"


@pytest.fixture
def match(database: Database) -> Match:
    """A game that is being played, and led."""
    return led(database)


def led(database: Database) -> Match:
    """A game with a moderator, in its first stage."""
    return begun(service_on(database, mail_port=0), pace="brisk", policy={"ask_share": "100"}, moderator=MODERATOR)


def newest(match: Match, kind: str = "") -> Letter:
    """The last letter to the moderator."""
    return [each for each in match.letters(kind=kind) if each.seat is None][-1]


def say(match: Match, text: str, to: Letter | None = None, sender: str = "") -> list[Letter]:
    """What comes back to the moderator for an answer to a letter, by default to the one with which the game began."""
    known = {letter.id for letter in match.letters()}
    own = f"<{uuid4().hex}@{HOME}>"
    post(match.service, reply(to or newest(match, "leading"), text, sender, Message_ID=own))
    return [each for each in match.letters() if each.id not in known and each.seat is None]


def asked(match: Match, text: str, sender: str = "") -> Letter:
    """The letter that asks for confirmation."""
    (letter,) = say(match, text, sender=sender)
    assert letter.kind in CONFIRMED, letter.text
    return letter


def acts(match: Match) -> list[tuple[str, str, str]]:
    """The rulings: what, by whom, why."""
    return [(each.act, each.actor, each.reason) for each in rulings_of(match.service, match.code)]


def test_deadline_is_moved_by_mail_once_it_is_confirmed(database: Database) -> None:
    """Asking does nothing; the word does, on record and told like from desk and command line."""
    match = led(database)
    old = match.game.deadline
    assert old is not None
    letter = asked(match, "Hello,\n\nextend 12\nbecause of\nthe holiday\n\nMo")
    assert acts(match) == []
    assert "extend 12" in letter.text
    assert "because of the holiday" in letter.text
    (done,) = say(match, "confirm", letter)
    assert match.game.deadline == old + timedelta(hours=12)
    assert acts(match) == [("deadline_extended", "mod", "of the holiday")]
    assert {each.seat for each in match.letters(kind="ruling")} == {0, 1, 2}
    assert "It is done and on record" in done.text


def test_confirming_twice_does_it_once(match: Match) -> None:
    """The second word is told that it was answered before."""
    letter = asked(match, "extend 12\nbecause a holiday")
    say(match, "confirm", letter)
    (again,) = say(match, "Confirm.", letter)
    assert "answered this before" in again.text
    assert len(acts(match)) == 1


class Death(BaseException):
    """The end of a process."""


def confirm_and_die(match: Match, letter: Letter, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker follows a word of confirmation, and ends before it has answered."""

    def dies(*_: object) -> None:
        raise Death

    mail = reply(letter, "confirm", Message_ID=f"<{uuid4().hex}@{HOME}>")
    [number] = store(match.service, [Arrived(mail.as_bytes(), clock.now(), str(mail["From"]), (str(mail["To"]),))])
    with monkeypatch.context() as patched:
        patched.setattr("pbem.mail.desk.done_letters", dies)
        patched.setattr("pbem.mail.ingest._failed", lambda *_: None)  # nothing is written by a process that is gone
        with pytest.raises(Death):
            read(match.service, number)


@pytest.mark.parametrize(
    "text",
    [
        "extend 12\nbecause so",
        "pause\nbecause so",
        "standin green random\nbecause so",
        f"orders green\n{BIDS}\nbecause so",
        "message all\nhello",
    ],
)
def test_command_is_done_once_and_said_to_be_though_its_worker_dies(
    match: Match, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the act and the answer: who reads the word again does nothing, and does not say that nothing was done."""
    letter = asked(match, text)
    confirm_and_die(match, letter, monkeypatch)
    done, written = acts(match), match.letters(kind="press")
    assert done or written
    known = {each.id for each in match.letters()}
    clock.shift(timedelta(seconds=match.service.settings.lease_seconds + 1))
    match.settle()
    [told] = [each for each in match.letters() if each.id not in known and each.seat is None]
    assert told.kind == "commanded"
    assert "It is done" in told.text
    assert acts(match) == done
    assert len(match.letters(kind="press")) == len(written)
    [again] = say(match, "confirm", letter)
    assert "answered this before" in again.text


def test_nothing_is_done_where_the_game_is_not_as_it_was_seen(match: Match) -> None:
    """Another ruling, or another stage, since the letter asked."""
    first, second = asked(match, "force\nbecause all agreed"), asked(match, "end-deadline\nbecause all agreed")
    extend_deadline(match.service, match.code, 1, Actor("asked for"))
    (told,) = say(match, "confirm", first)
    assert "Nothing was done: the game has gone on" in told.text
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"
    say(match, "confirm", second)
    assert match.game.stage_key == "2-turn"
    assert [act for act, _, _ in acts(match)] == ["deadline_extended"]


def test_a_confirmation_that_comes_after_two_days_does_nothing(match: Match) -> None:
    """As the letter says."""
    letter = asked(match, "pause\nbecause a holiday")
    extend = asked(match, "extend 90\nbecause a holiday")
    say(match, "confirm", extend)
    late = asked(match, "pause\nbecause a holiday")
    clock.shift(timedelta(hours=49))
    for each in (letter, late):
        (told,) = say(match, "confirm", each)
        assert told.kind == "nocommand"
    assert [act for act, _, _ in acts(match)] == ["deadline_extended"]


def test_status_is_answered_at_once_with_what_all_may_know(match: Match) -> None:
    """No confirmation, nothing on record, no orders; and how each command is written."""
    match.say(1, BIDS)
    (letter,) = say(match, "status")
    assert letter.kind == "desk"
    assert BIDS not in letter.text
    assert acts(match) == []
    assert all(line in letter.text for each in COMMANDS for line in mail_form(each).split("\n"))
    (confirmed,) = say(match, "pause\nbecause a holiday", letter)
    assert confirmed.kind == "confirm-command"


def test_orders_for_a_seat_are_shown_once_they_are_entered(match: Match) -> None:
    """The letter that asks shows what the moderator wrote alone; what the seat has comes with the ruling, as a look."""
    match.say(1, "press blue: meet me\nnot ready")
    letter = asked(match, f"orders green\n{BIDS}\nready\n\nbecause by telephone")
    assert "looked" in letter.text
    (done,) = say(match, "confirm", letter)
    assert match.seats[1].ready
    assert BIDS in done.text
    assert {each.seat for each in match.letters(kind="looked")} == {0, 1, 2}
    assert acts(match) == [("orders_entered", "mod", "by telephone")]


def test_late_orders_are_admitted_by_mail(match: Match) -> None:
    """They count for what is open now."""
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, BIDS, asked=first)
    say(match, "confirm", asked(match, "admit red because the post was down"))
    assert match.seats[0].ready


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("end-deadline", "deadline_ended"),
        ("force", "stage_forced"),
        ("pause", "paused"),
        ("standin green random", "standin_set"),
        ("Withdraw Green", "orders_withdrawn"),
        ("extend -2 hours", "deadline_extended"),
    ],
)
def test_each_command_is_given_by_mail(match: Match, text: str, act: str) -> None:
    """With its parameters, on record and told in the next report under the moderator's name, and once."""
    match.say(1, BIDS + "\nnot ready")
    letter = asked(match, f"{text}\nbecause all agreed")
    say(match, "confirm", letter)
    assert acts(match) == [(act, "mod", "all agreed")]
    (again,) = say(match, "confirm", letter)
    assert "answered this before" in again.text


def test_status_says_that_a_stage_is_held_for_review(match: Match) -> None:
    """With its deadline, which stays; the letter that asks for confirmation says so too."""
    say(match, "confirm", asked(match, "hold\nbecause of a rules question"))
    for letter in (say(match, "status")[0], asked(match, "resume\nbecause it is answered")):
        assert "The moderator looks over what comes of this stage" in " ".join(letter.text.split())
        assert "Deadline: " in letter.text


def test_a_game_is_paused_and_resumed_and_a_seat_given_back_by_mail(match: Match) -> None:
    """The ways back too."""
    for text in ("pause", "resume", "standin green random", "give-back green"):
        say(match, "confirm", asked(match, f"{text}\nbecause so"))
    assert [act for act, _, _ in acts(match)] == ["paused", "unpaused", "standin_set", "standin_ended"]


@pytest.mark.parametrize(
    ("text", "said", "form"),
    [
        ("extend", "A ruling needs a reason", "extend HOURS"),
        ("extend soon\nbecause a holiday", "“soon” is no number of hours", "extend HOURS"),
        ("extend 99999\nbecause a holiday", "by a year at most", "extend HOURS"),
        ("extend 99999999\nbecause a holiday", "by a year at most, that is by 8784 hours", "extend HOURS"),
        ("extend 0\nbecause a holiday", "Nothing would be changed", "extend HOURS"),
        ("extend 12", "A ruling needs a reason", "extend HOURS"),
        ("extend 12\nbecause", "A ruling needs a reason", "extend HOURS"),
        ("orders mauve\nready\nbecause so", "no side mauve among these: red", "orders SEAT"),
        ("orders green\nbecause so", "There are no orders in it", "orders SEAT"),
        ("orders green\nconfirm\nbecause so", "“confirm” is nothing that belongs", "orders SEAT"),
        ("standin green grand\nbecause so", "no stand-in of level grand", "standin SEAT LEVEL"),
        ("force it all\nbecause so", "“it all” is nothing that belongs to the command", "force"),
        ("pause\nbecause so\n\nresume", "more than one command", "pause"),
        (f"pause\nbecause {'so ' * 300}", "at most 500 characters", "pause"),
        ("message mauve\nhello", "no side mauve among these: red", "message SEAT|all"),
        ("message all", "The message is empty", "message SEAT|all"),
        ("message", "does not say which side", "message SEAT|all"),
        ("message all\nplease\nconfirm", "“confirm” is nothing that belongs", "message SEAT|all"),
        ("Please stop the game for a week.", "None of its lines begins with a command", "extend HOURS"),
    ],
)
def test_a_mail_that_fails_is_answered_with_the_right_form(match: Match, text: str, said: str, form: str) -> None:
    """What was wrong, how the command is written, and nothing done; the answer can be answered again."""
    (letter,) = say(match, text)
    assert letter.kind == "nocommand"
    assert said in " ".join(letter.text.split())
    assert f"# {form}\n" in letter.text
    assert ("because" in letter.text) is not text.startswith("message")
    assert acts(match) == []
    (again,) = say(match, "pause\nbecause a holiday", letter)
    assert again.kind == "confirm-command"


def test_a_message_to_all_goes_out_once_it_is_confirmed(match: Match) -> None:
    """Each player has it, nothing is ruled, and it stands among the messages of the game, paragraphs and all."""
    letter = asked(match, "message all\nHello all of you,\n\nthe next stage waits until Monday.")
    assert match.letters(kind="press") == []
    assert "because" not in letter.text
    assert "another ruling" not in letter.text
    (done,) = say(match, "confirm", letter)
    assert "goes to 3 players" in done.text
    sent = match.letters(kind="press")
    assert {each.seat for each in sent} == {0, 1, 2}
    assert all("the next stage waits until Monday." in each.text for each in sent)
    assert acts(match) == []
    with match.service.reading() as session:
        (row,) = session.exec(select(Press))
        assert (row.sender, row.text) == (None, "Hello all of you,\n\nthe next stage waits until Monday.")


def test_a_message_to_one_goes_to_that_player_alone(match: Match) -> None:
    """Named as seats are; what stands behind the name is the message's beginning."""
    say(match, "confirm", asked(match, "Message green: are you well?"))
    (letter,) = match.letters(kind="press")
    assert letter.seat == 1
    assert "are you well?" in letter.text


def test_a_filled_form_within_the_quote_is_a_command(match: Match) -> None:
    """Who edits the lines of the letter below their program's quote marks is understood."""
    (letter,) = say(match, "status")
    text = letter.text.replace("# extend 24", "extend 6").replace("# because …", "because all agreed", 1)
    mail = reply(letter, "")
    mail.set_content("\n".join(f"> {line}" for line in text.split("\n")))
    known = {each.id for each in match.letters()}
    post(match.service, mail)
    (asks,) = [each for each in match.letters() if each.id not in known]
    assert "extend 6" in asks.text


def test_who_has_the_address_but_not_the_mailbox_rules_nothing(match: Match) -> None:
    """The question goes to the moderator, says whom it came from, and a stranger's `confirm` counts for nothing."""
    letter = asked(match, "force\nbecause I say so", sender="eve@elsewhere.example")
    assert letter.recipient == MODERATOR
    assert "eve@elsewhere.example" in letter.text
    assert say(match, "confirm", letter, sender="eve@elsewhere.example") == []
    assert acts(match) == []
    say(match, "no!", letter)
    assert acts(match) == []


def test_orders_in_a_question_are_no_word_of_confirmation(match: Match) -> None:
    """Whoever answers the question with anything else has confirmed nothing, however the program quotes."""
    letter = asked(match, "orders green\nready\nbecause please confirm")
    mail = reply(letter, "")
    mail.set_content("What is this?\n\n" + letter.text)
    post(match.service, mail)
    assert acts(match) == []


def test_every_letter_about_the_game_can_be_answered_with_a_command(match: Match) -> None:
    """A player's call for time, too: granted by one mail and one word."""
    match.say(0, "extend 24h: at sea")
    call = newest(match, "extension")
    assert "extend 24\n" in call.text
    (letter,) = say(match, "extend 24\nbecause Ann is at sea", call)
    say(match, "confirm", letter)
    assert acts(match) == [("deadline_extended", "mod", "Ann is at sea")]


def test_who_is_asked_how_a_game_goes_on_says_so_by_mail(database: Database) -> None:
    """The letter that asks has the lines, and one of them with a reason takes the game up."""
    match = begun(service_on(database, mail_port=0), pace="brisk", moderator=MODERATOR)
    match.pass_deadline()
    assert match.game.held == "asked"
    letter = newest(match, "course")
    assert "# resume" in letter.text
    (asks,) = say(match, "resume\nbecause they were away", letter)
    say(match, "confirm", asks)
    assert match.game.held == ""
    assert acts(match)[-1] == ("unpaused", "mod", "they were away")


def test_a_moderator_of_the_site_asks_for_an_address_and_rules_by_it(match: Match) -> None:
    """The desk sends it; who had the right and has it no more rules nothing."""
    number = create_account(match.service, "site@players.example", "Site", moderator=True)
    visit = Visit(app_on(match.service), match.service, "site@players.example")
    visit.get(f"/games/{match.code}/desk")
    assert "on its way" in visit.send(f"/games/{match.code}/desk-letter")
    letter = newest(match, "leading")
    assert letter.recipient == "site@players.example"
    (asks,) = say(match, "pause\nbecause a holiday", letter)
    (done,) = say(match, "confirm", asks)
    assert done.recipient == "site@players.example"
    assert acts(match) == [("paused", "Site", "a holiday")]
    (resumes,) = say(match, "resume\nbecause it is over", done)
    with match.service.writing() as session:
        session.get_one(Account, number).moderator = False
    (told,) = say(match, "confirm", resumes)
    assert "game's moderator alone" in told.text
    assert match.game.held == "paused"


def test_a_player_has_no_moderators_address(match: Match) -> None:
    """In answer to a report such lines are no commands of a moderator's."""
    report = match.letters(0, "report")[-1]
    post(match.service, reply(report, "force\nbecause I say so"))
    assert acts(match) == []
    assert match.letters(kind="confirm-command") == []


def test_who_does_not_lead_the_game_any_more_rules_nothing(match: Match) -> None:
    """Neither by a new command nor by a word that was asked for before; they are told so."""
    letter = asked(match, "force\nbecause all agreed")
    leading = newest(match, "leading")
    other = create_account(match.service, "new@players.example")
    with match.service.writing() as session:
        game = match.game
        game.moderator_id = other
        session.merge(game)
    for text, to in (("confirm", letter), ("force\nbecause all agreed", leading)):
        (told,) = say(match, text, to)
        assert "game's moderator alone" in told.text
    assert say(match, "force\nbecause now", leading, "eve@elsewhere.example") == []
    assert acts(match) == []


def test_a_moderator_who_plays_is_limited_by_mail_too(match: Match) -> None:
    """They see nothing hidden, and the word changes nothing that is not open to them."""
    with match.service.writing() as session:
        row = match.seats[2]
        row.account_id = match.game.moderator_id
        session.merge(row)
    match.say(0, BIDS)
    (told,) = say(match, "confirm", asked(match, "withdraw red\nbecause so"))
    assert "You play in this game" in told.text
    assert BIDS not in told.text
    assert acts(match) == []


def test_answers_to_a_moderators_mails_have_a_limit(database: Database) -> None:
    """A loop of two machines ends."""
    match = begun(service_on(database, answers_a_day=3, mail_port=0), moderator=MODERATOR)
    assert [len(say(match, f"status\n\n{number}")) for number in range(5)] == [1, 1, 1, 0, 0]


def test_whoever_got_hold_of_the_address_can_not_use_the_answers_up(match: Match) -> None:
    """A few questions a day go to the moderator for mails from elsewhere; the moderator's own are answered as ever."""
    eve = "eve@elsewhere.example"
    assert [len(say(match, f"force\nbecause {number}", sender=eve)) for number in range(8)] == [1] * 5 + [0] * 3
    assert say(match, "spam", sender=eve) == []
    say(match, "confirm", asked(match, "pause\nbecause a holiday"))
    assert acts(match) == [("paused", "mod", "a holiday")]


def test_a_mail_from_elsewhere_is_done_once_the_moderator_confirms_it(match: Match) -> None:
    """Who writes from another address than usual is asked at the usual one."""
    letter = asked(match, "pause\nbecause a holiday", sender="mo@phone.example")
    (done,) = say(match, "confirm", letter)
    assert done.kind == "commanded"
    assert acts(match) == [("paused", "mod", "a holiday")]


def test_what_is_ruled_by_mail_stands_in_the_next_report(match: Match) -> None:
    """With its reason."""
    say(match, "confirm", asked(match, "extend 12\nbecause a holiday"))
    match.pass_deadline()
    rulings = decode_report(match.reports(0)[-1].data).rulings
    assert [(each.code, each.by, each.reason) for each in rulings] == [("deadline_extended", "mod", "a holiday")]


def test_commands_of_mail_are_those_of_the_list() -> None:
    """The daily ones at least."""
    daily = {"extend", "end-deadline", "pause", "resume", "force", "orders", "admit"}
    assert all(BY_NAME[name].mailed for name in daily)


@pytest.mark.parametrize("gap", [" ", "\t", "\u00a0"])
def test_command_with_a_gap_that_never_ends_is_answered(match: Match, gap: str) -> None:
    """It is refused as one with too much in it, and takes no worker's time."""
    with in_time_for_a_task():
        [letter] = say(match, f"extend 5{gap * 200_000}x\nbecause of a storm")
    assert "“x” is nothing that belongs to the command" in letter.text
    assert not acts(match)
