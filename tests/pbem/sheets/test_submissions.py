"""Whatever a player sends is read once, kept, acknowledged line by line, and never lost or counted twice."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.errors import Refused
from pbem.games.rules import rules_of
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.looking import look
from pbem.sheets.confirming import confirm
from pbem.sheets.folding import seal
from pbem.sheets.received import Post
from pbem.sheets.stored import decode_sheet
from pbem.sheets.submitting import check, submit
from pbem.storage.models import Press, Submission
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, service_on


def submissions(match: Match) -> list[Submission]:
    """What was kept, oldest first."""
    with match.service.reading() as session:
        query = select(Submission).where(col(Submission.game_id) == match.id).order_by(col(Submission.number))
        return list(session.exec(query))


def test_later_submission_replaces_the_kinds_that_it_mentions(database: Database) -> None:
    """The acknowledgement shows the difference and the whole sheet."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "bid 1\ndefend nothing")
    taken = match.say(0, "bid 2 or 3").acknowledgement
    assert taken is not None
    assert taken.added == ("bid 2 or 3",)
    assert taken.removed == ("bid 1",)
    assert taken.sheet == ("defend nothing", "bid 2 or 3")
    assert len(submissions(match)) == 2


def test_bad_line_is_told_back_and_the_rest_stands(database: Database) -> None:
    """What can't be read has a code and a place; good lines count."""
    match = begun(service_on(database), pace="brisk")
    taken = match.say(0, "Hello all,\nbid 6 or 1\nattack nobody with 3").acknowledgement
    assert taken is not None
    assert taken.sheet == ("bid 6 or 1",)
    assert [line.text for line in taken.problems] == ["attack nobody with 3"]
    assert taken.passed_over == 1
    assert "attack nobody with 3" in match.letters(0, "acknowledgement")[0].text


def test_order_that_asks_for_more_than_one_has_is_told_back(database: Database) -> None:
    """What can't be done as things stand is kept, and told with the reason and with what could be done."""
    match = begun(service_on(database), rules="rockwell", seats=4)
    taken = match.say(0, "bid 90000").acknowledgement
    assert taken is not None
    assert [(line.order, line.code, line.params) for line in taken.lines] == [
        ("bid 90000", "too_much_money", {"most": 3000})
    ]
    text = match.letters(0, "acknowledgement")[0].text
    assert "One order can't be done as things stand" in text
    assert "You have $3,000, no more." in text
    assert f"# {taken.lines[0].nearest}" in text
    assert match.say(0, f"{taken.lines[0].nearest}").acknowledgement.lines[0].code == ""  # type: ignore[union-attr]


def test_order_for_another_stage_is_told_to_lapse(database: Database) -> None:
    """What the stage that is open does not ask of the seat ends with it: said when it comes, not found out later."""
    match = begun(service_on(database), rules="rockwell", seats=4)
    taken = match.say(0, "bid 100\ndrill 1: c1 stay\nalways danger: all").acknowledgement
    assert taken is not None
    assert {line.order: line.code for line in taken.lines} == {
        "bid 100": "",
        "drill 1: c1 stay": "not_in_stage",
        "always danger all": "",
    }
    assert "dropped when the stage ends" in match.letters(0, "acknowledgement")[0].text
    for seat in (1, 2, 3):
        match.say(seat, "bid nothing")
    match.settle()
    assert [kept.order.kind for kept in decode_sheet(rules_of(match.game), match.seats[0].sheet).orders] == ["danger"]


def test_same_mail_twice_counts_once(database: Database) -> None:
    """Neither the submission nor its acknowledgement is doubled."""
    match = begun(service_on(database), pace="brisk")
    post = Post(match.id, 0, "bid 1", "mail", "mail/digest", clock.now())
    assert not submit(match.service, post).duplicate
    assert submit(match.service, post).duplicate
    assert len(submissions(match)) == 1
    assert len(match.letters(0, "acknowledgement")) == 1


def test_page_answers_itself(database: Database) -> None:
    """A submission from a page gives the same data and no letter."""
    match = begun(service_on(database), pace="brisk")
    taken = match.say(0, BIDS, "page")
    assert taken.acknowledgement is not None
    assert taken.acknowledgement.outcome == "kept"
    assert not match.letters(0, "acknowledgement")


def test_check_keeps_nothing(database: Database) -> None:
    """`check` in a mail and the page's preview both read and answer, and leave the game as it is."""
    match = begun(service_on(database), pace="brisk")
    taken = match.say(0, "check\nbid 1")
    assert taken.acknowledgement is not None
    assert taken.acknowledgement.outcome == "checked"
    assert taken.number is None
    seen = check(match.service, Post(match.id, 0, "bid 2", "page", "", clock.now()))
    assert seen.added == ("bid 2",)
    assert not submissions(match)
    assert match.seats[0].sheet == b""
    assert not match.seats[0].ready


def test_standing_orders_alone_never_make_ready(database: Database) -> None:
    """A standing bid answers the question, but the player has not said so for this stage."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "always " + BIDS)
    assert not match.seats[0].ready
    match.say(0, "ready")
    assert match.seats[0].ready
    match.say(0, "not ready")
    assert not match.seats[0].ready


def test_standing_orders_stay_until_taken_back(database: Database) -> None:
    """They outlive the stage; `never mind` ends them; `clear` and `cancel` empty the rest."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "always " + BIDS + "\ndefend nothing")
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"
    taken = match.say(0, "status\nattack green with 1\ndefend nothing").acknowledgement
    assert taken is not None
    assert len(taken.sheet) == 3
    taken = match.say(0, "never mind bid\ncancel attack").acknowledgement
    assert taken is not None
    assert taken.sheet == ("defend nothing",)
    taken = match.say(0, "clear").acknowledgement
    assert taken is not None
    assert taken.sheet == ()


def test_late_orders_are_kept_and_used_only_when_said(database: Database) -> None:
    """Orders for a closed stage don't count, but for standing ones; `use` takes them for what is open."""
    match = begun(service_on(database), pace="brisk")
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    taken = match.say(0, f"{BIDS}\nalways defend nothing", asked=first).acknowledgement
    assert taken is not None
    assert taken.outcome == "late"
    assert taken.sheet == ("always defend nothing",)
    assert not match.seats[0].sent
    taken = match.say(0, "use").acknowledgement
    assert taken is not None
    assert BIDS in taken.sheet
    assert taken.ready
    assert submissions(match)[0].used_late is not None
    taken = match.say(0, "clear\nuse").acknowledgement
    assert taken is not None
    assert taken.sheet == ()


def test_order_after_the_deadline_is_late_while_another_mail_holds_the_stage(database: Database) -> None:
    """Received a moment too late is late, whether or not the stage has closed yet."""
    match = begun(service_on(database), pace="brisk")
    deadline = match.game.deadline
    assert deadline is not None
    post = Post(match.id, 0, "bid 1", "mail", "late", deadline + timedelta(seconds=1))
    taken = submit(match.service, post).acknowledgement
    assert taken is not None
    assert taken.outcome == "late"


def test_press_goes_by_letter_and_shows_no_address(database: Database) -> None:
    """To the named seats or to all, never back; who reads it learns the side, not the address."""
    match = begun(service_on(database), pace="brisk")
    told = match.say(0, "to green: shall we?\n\nto all: hello\nthere").acknowledgement
    assert told is not None
    assert told.press == (1, 2)
    letters = match.letters(kind="press")
    assert sorted((letter.seat, letter.recipient) for letter in letters) == [
        (1, "ben@players.example"),
        (1, "ben@players.example"),
        (2, "cleo@players.example"),
    ]
    assert all(b"ann@players.example" not in letter.content for letter in letters)
    with match.service.reading() as session:
        assert [press.seats for press in session.exec(select(Press).order_by(col(Press.id)))] == ["1", "1,2"]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("show orders", "orders"),
        ("show report", "report-again"),
        ("status", "status"),
        ("history 2", "history"),
        ("help", "help-"),
        ("help bid", "help-bid"),
    ],
)
def test_questions_are_answered_by_letters_of_their_own(database: Database, command: str, kind: str) -> None:
    """Each comes to the account's own address, and no acknowledgement is added to it."""
    match = begun(service_on(database), pace="brisk")
    match.pass_deadline()
    match.say(0, command)
    assert [letter.recipient for letter in match.letters(0, kind)] == ["ann@players.example"]
    assert not match.letters(0, "acknowledgement")


def test_resigning_asks_first_and_then_plays_on_without(database: Database) -> None:
    """Only the confirmation counts; all are told, and the seat is waited for no longer."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "resign")
    assert match.seats[0].resigned is None
    letter = match.letters(0, "confirm-resign")[0]
    match.say(1, BIDS)
    match.say(2, BIDS)
    confirm(match.service, letter.id)
    confirm(match.service, letter.id)
    assert match.seats[0].resigned is not None
    assert len(match.letters(kind="resigned")) == 3
    match.settle()
    assert match.game.stage_key == "2-turn"


def test_who_has_left_is_told_nothing_more(database: Database) -> None:
    """Rulings, looks and absences go to those who play."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "resign")
    confirm(match.service, match.letters(0, "confirm-resign")[0].id)
    before = len(match.letters(0))
    extend_deadline(match.service, match.code, 12, Actor("a holiday"))
    look(match.service, match.code, Actor("a dispute"))
    match.say(1, "absent 1 Dec 2030 to 3 Dec 2030")
    match.settle()
    assert len(match.letters(0)) == before
    assert len(match.letters(2, "ruling")) == len(match.letters(2, "looked")) == 1


def test_game_that_all_have_left_is_played_no_further(database: Database) -> None:
    """When the last player has resigned the game ends where it stands."""
    match = begun(service_on(database), pace="brisk")
    for seat in range(3):
        match.say(seat, "resign")
        confirm(match.service, match.letters(seat, "confirm-resign")[0].id)
    match.settle()
    assert match.game.status == "cancelled"
    assert match.game.deadline is None
    assert len(match.entries()) == 1


def test_new_token_makes_older_addresses_void(database: Database) -> None:
    """After the confirmation the generation is higher, and a second confirmation by the old letter is void."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "new token")
    letter = match.letters(0, "confirm-new_token")[0]
    confirm(match.service, letter.id)
    assert match.seats[0].generation == 1
    assert match.letters(0, "newtoken")[0].generation == 1
    with pytest.raises(Refused, match="link_void"):
        confirm(match.service, letter.id)


def test_mail_to_a_game_that_is_not_played_is_answered(database: Database) -> None:
    """Before it begins there is nothing to order: the player is told how things stand."""
    match = begun(service_on(database), pace="brisk", options={"turns": 3}, policy={"pause_after": "0"})
    while match.game.status == "playing":
        match.pass_deadline()
    match.say(0, "bid 1")
    assert len(match.letters(0, "status")) == 1
    assert not submissions(match)


def test_seal_of_the_acknowledgement_is_opened_in_the_report(database: Database) -> None:
    """The report has the seal and its salt: nobody changed the sheet between the two."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, BIDS)
    taken = match.say(0, "defend nothing\nnot ready").acknowledgement
    assert taken is not None
    sheet = decode_sheet(rules_of(match.game), match.seats[0].sheet)
    match.pass_deadline()
    opening = decode_report(match.reports(0)[-1].data).openings[0]
    found, salt = opening.split(":")
    assert found == taken.seal == seal(sheet, bytes.fromhex(salt))
    match.pass_deadline()
    assert decode_report(match.reports(0)[-1].data).openings == ()


def test_seal_that_was_told_can_be_opened_whatever_is_sent_after_it(database: Database) -> None:
    """Messages and questions change no sheet, so the seal of the last acknowledgement stays the seat's."""
    match = begun(service_on(database), pace="brisk")
    taken = match.say(0, BIDS + "\nnot ready").acknowledgement
    assert taken is not None
    match.say(0, "status")
    match.say(0, "to green: hello", "page")
    match.pass_deadline()
    assert decode_report(match.reports(0)[-1].data).openings[0].startswith(f"{taken.seal}:")


def test_check_commits_to_nothing_and_writes_to_nobody(database: Database) -> None:
    """A seal that no report will open is not given; a message in a checked text waits until it is sent."""
    match = begun(service_on(database), pace="brisk")
    taken = match.say(0, "check\nbid 1\nresign\nto green: shall we?").acknowledgement
    assert taken is not None
    assert (taken.seal, taken.press) == ("", ())
    assert not match.letters(kind="press")
    assert not match.letters(kind="confirm")
    with match.service.reading() as session:
        assert not session.exec(select(Press)).all()


def test_use_after_the_deadline_uses_nothing(database: Database) -> None:
    """While another mail holds the stage, late orders can't slip into it; the moderator's word still can."""
    match = begun(service_on(database), pace="brisk")
    deadline = match.game.deadline
    assert deadline is not None
    for number, text in enumerate(["bid 1", "use"], 1):
        post = Post(match.id, 0, text, "mail", f"late {number}", deadline + timedelta(seconds=number))
        taken = submit(match.service, post).acknowledgement
        assert taken is not None
        assert taken.sheet == ()
    admitted = submit(match.service, Post(match.id, 0, "use", "moderator", "word", deadline + timedelta(seconds=3)))
    assert admitted.acknowledgement is not None
    assert admitted.acknowledgement.sheet == ("bid 1",)


def test_of_late_orders_the_later_replace_the_earlier(database: Database) -> None:
    """`use` takes two late submissions up as if they had come in time."""
    match = begun(service_on(database), pace="brisk")
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, "bid 1\ndefend nothing", asked=first)
    match.say(0, "bid 2", asked=first)
    taken = match.say(0, "use").acknowledgement
    assert taken is not None
    assert taken.sheet == ("defend nothing", "bid 2")


def test_ready_without_orders_holds_whatever_is_sent_after_it(database: Database) -> None:
    """Who said `ready` and then writes to somebody is not asked again: the question takes its default."""
    match = begun(service_on(database), pace="strict", settle_minutes=10)
    for seat in range(3):
        match.say(seat, "ready")
    match.say(1, "to red: hello")
    clock.shift(timedelta(minutes=11))
    match.settle()
    assert match.game.stage_key == "1-fight"


def test_strict_acknowledgement_says_what_may_be_asked_later_in_the_stage(database: Database) -> None:
    """Who has answered what is asked now, and no more, learns what will be asked one by one, and may write ahead."""
    match = begun(service_on(database), "rockwell", 4, pace="strict")
    for orders in (
        "bid nothing",
        "place control or exchange or workshop\nplace workshop or exchange or control\nready",
    ):
        for seat in range(4):
            match.say(seat, orders)
        match.settle()
    assert match.game.stage_key == "1-drilling"
    told = match.say(0, "insure nothing\ndrill 1: any crew stay").acknowledgement
    assert told is not None
    assert told.ready
    assert not told.unanswered
    assert [(asked.kind, asked.round) for asked in told.later] == [("drill", 2), ("drill", 3), ("drill", 4)]
    assert "What you may be asked later in this stage" in match.letters(0, "acknowledgement")[-1].text
    told = match.say(0, "drill any: stay\ndrill any: stay\ndrill any: stay").acknowledgement
    assert told is not None
    assert not told.later


def test_an_order_that_was_used_stands_on_the_sheet_no_longer(database: Database) -> None:
    """In the middle of a stage: not in the letter that asks for more, nor in an answer, nor as something taken off."""
    match = begun(service_on(database), "rockwell", 4)
    for seat in range(4):
        match.say(seat, "bid nothing")
    match.settle()
    first = int(match.game.waiting)
    match.say(first, "place workshop\nalways danger: all")
    match.settle()
    for seat in {0, 1, 2, 3} - {first}:
        match.say(seat, "place workshop\nplace exchange\nplace control")
    match.settle()
    assert match.game.stage_key == "1-placing"
    report = match.letters(first, "report")[-1].text
    assert '"place workshop": done.' in report
    assert "# place workshop\n" not in report.partition("On your sheet already")[2]
    match.say(first, "show orders")
    assert "place workshop" not in match.letters(first, "orders")[-1].text
    taken = match.say(first, "place exchange\nnot ready").acknowledgement
    assert taken is not None
    assert taken.sheet == ("always danger all", "place exchange")
    assert (taken.added, taken.removed) == (("place exchange",), ())
