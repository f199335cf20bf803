"""Play goes back to where it stood, comes again or anew, and nothing of the old line counts on the new one."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine.journal import state_digest
from pbem import clock
from pbem.accounts import create_account
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.earlier import points
from pbem.games.posting import post
from pbem.mail import outbox
from pbem.mail.outbox import Claimed
from pbem.records.verifying import verify
from pbem.reports.data import decode_report
from pbem.rulings import goingback
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.ending import end_game
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.record import rulings_of
from pbem.rulings.returning import Left, lines_left, return_to
from pbem.storage.models import Report
from pbem.storage.sessions import Database
from pbem.voting.proposals import DRAW
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.sheets.test_undo import sheet, stands

OPERATOR = Actor("red's mail was lost")
TURN = "bid 1 or 2 or 3 or 4 or 5 or 6\nalways defend nothing"


def digest(match: Match) -> bytes:
    """What the state comes to."""
    return state_digest(stands(match).table.state)


def played(database: Database, turns: int = 2, **plan: Any) -> Match:
    """A brisk game in which all bid, for some turns."""
    match = begun(service_on(database, mail_port=0), pace="brisk", **plan)
    for _ in range(turns):
        for seat in range(len(match.seats)):
            match.say(seat, TURN)
        match.settle()
    return match


def opening(match: Match, stage: str) -> int:
    """The entry after which that stage opened."""
    with match.service.reading() as session:
        return next(point.entry for point in points(session, match.game) if point.stage_key == stage)


def corrected(match: Match, seat: int) -> Report:
    """The last report of a seat, which corrects what it was told."""
    report = match.reports(seat)[-1]
    assert report.kind == "corrected"
    return report


def test_game_goes_back_to_the_opening_of_a_stage(database: Database) -> None:
    """The orders of that stage stand, nobody is ready, there is a whole stage's time, and the same draws come again."""
    match = played(database)
    assert match.game.stage_key == "3-turn"
    at_third = digest(match)
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), OPERATOR)
    assert (match.game.stage_key, match.game.line, match.game.epoch) == ("2-turn", 1, 0)
    assert match.game.stage_number == 2
    assert match.game.deadline is not None
    assert timedelta(hours=23) < match.game.deadline - clock.now() <= timedelta(hours=24)
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert not any(seat.ready for seat in match.seats)
    assert sheet(match, 0) == ["bid 1 or 2 or 3 or 4 or 5 or 6", "always defend nothing"]
    for seat in range(3):
        match.say(seat, "ready")
    match.settle()
    assert match.game.stage_key == "3-turn"
    assert digest(match) == at_third
    assert verify(match.service, match.code).problem == ""


def test_orders_of_the_stage_are_cleared_where_the_moderator_says_so(database: Database) -> None:
    """Standing orders stay as they stood then."""
    match = played(database)
    roll_back(match.service, match.code, Back(opening(match, "2-turn"), sheets="clear"), OPERATOR)
    assert sheet(match, 0) == ["always defend nothing"]
    assert not any(seat.sent for seat in match.seats)


def test_standing_orders_are_those_of_then(database: Database) -> None:
    """One that came later is gone with the stage in which it came."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    match.pass_deadline()
    match.say(0, "always defend nothing")
    match.pass_deadline()
    roll_back(match.service, match.code, Back(1), OPERATOR)
    assert match.game.stage_key == "1-turn"
    assert sheet(match, 0) == []


def test_what_was_drawn_comes_again_or_anew(database: Database) -> None:
    """To keep gives the same cards; to draw anew gives others, and says so to all."""
    match = played(database, turns=4, options={"lives": 3})
    before = digest(match)
    for chance, same in (("keep", True), ("redraw", False)):
        ruling = roll_back(match.service, match.code, Back(opening(match, "2-turn"), chance), OPERATOR)
        assert ruling.act == "rolled_back"
        for _ in range(3):
            for seat in range(3):
                match.say(seat, TURN)
            match.settle()
        assert match.game.stage_key == "5-turn"
        assert (digest(match) == before) is same
        assert verify(match.service, match.code).problem == ""
    assert match.game.epoch == 1


def test_second_redraw_of_a_stage_needs_a_second_moderator(database: Database) -> None:
    """The first one's word is on record and told at once, and does nothing; another's same word does it."""
    match = played(database, turns=3, options={"lives": 3}, moderator="mod@players.example")
    create_account(match.service, "site@players.example", moderator=True)
    mine, other = Actor("bad luck", "mod@players.example"), Actor("agreed", "site@players.example")
    back = Back(opening(match, "2-turn"), "redraw")
    roll_back(match.service, match.code, back, mine)
    line = match.game.line
    for _ in range(2):
        assert roll_back(match.service, match.code, back, mine).act == "redraw_asked"
    assert match.game.line == line
    assert all("second moderator" in letter.text for letter in match.letters(kind="ruling"))
    assert roll_back(match.service, match.code, back, other).act == "rolled_back"
    assert (match.game.line, match.game.epoch) == (line + 1, 2)


def test_going_back_further_is_no_way_around_the_second_moderator(database: Database) -> None:
    """From before a stage that was drawn anew to draw anew draws it once more; from behind it does not."""
    match = played(database, turns=3, options={"lives": 3}, moderator="mod@players.example")
    mine = Actor("bad luck", "mod@players.example")
    roll_back(match.service, match.code, Back(opening(match, "3-turn"), "redraw"), mine)
    assert roll_back(match.service, match.code, Back(opening(match, "2-turn"), "redraw"), mine).act == "redraw_asked"
    assert roll_back(match.service, match.code, Back(opening(match, "2-turn"), "keep"), mine).act == "rolled_back"


def test_corrected_report_marks_only_what_changed_for_its_seat(database: Database) -> None:
    """Lines of before and of now, what is asked and the orders that stand; nothing that stayed as it was."""
    match = played(database)
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), OPERATOR)
    letter = match.letters(0, "report")[-1]
    assert "Things stand otherwise, Red" in letter.text
    assert "red's mail was lost" in letter.text
    differs = [line for line in letter.text.splitlines() if line.startswith(("# -", "# +"))]
    assert differs
    report = decode_report(corrected(match, 0).data)
    assert report.before is not None
    assert report.questions
    assert "bid 1 or 2 or 3 or 4 or 5 or 6" in report.sheet
    unchanged = {line[3:] for line in differs if line.startswith("# -")} & {
        line[3:] for line in differs if line.startswith("# +")
    }
    assert not unchanged


def test_letters_of_the_old_line_are_withdrawn_and_answers_to_them_are_late(database: Database) -> None:
    """What nobody has begun to send never goes; what went out can't be answered any more."""
    match = played(database)
    old = (match.game.line, match.game.stage_key)
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), OPERATOR)
    fates = {letter.stage_key: letter.fate for letter in match.letters(0, "report")}
    assert fates["3-turn"] == "withdrawn"
    assert [each.entry for each in match.reports(0)] == sorted(each.entry for each in match.reports(0))
    match.say(0, "bid 6", asked=old)
    assert sheet(match, 0)[0].startswith("bid 1")
    assert "Your orders are for play that was taken back" in match.letters(0, "acknowledgement")[-1].text


def test_ruling_that_only_who_was_asked_has_been_told_of_is_told_once(database: Database) -> None:
    """It is in the letter that is withdrawn and is still to be told to the others: the new one has it once."""
    match = begun(service_on(database, mail_port=0))
    for seat in range(3):
        match.say(seat, "bid 1 or 2 or 3 or 4 or 5 or 6")
    match.settle()
    extend_deadline(match.service, match.code, 1, Actor("the first reason"))
    attacker = int(match.game.waiting)
    card = decode_report(match.reports(attacker)[-1].data).view["hand"][0]
    match.say(attacker, f"attack {match.seats[(attacker + 1) % 3].name} with {card}")
    match.settle()
    asked = match.reports((attacker + 1) % 3)[-1]
    assert (asked.kind, [each.reason for each in decode_report(asked.data).rulings]) == ("asked", ["the first reason"])
    roll_back(match.service, match.code, Back(opening(match, "1-fight")), Actor("the second reason"))
    told = [each.reason for each in decode_report(corrected(match, (attacker + 1) % 3).data).rulings]
    assert told == ["the first reason", "the second reason"]


def test_rulings_in_letters_that_are_withdrawn_are_told_by_the_next(database: Database) -> None:
    """Nothing is ruled in secret: whom the first letter has not reached the second one tells of both, others of one."""
    match = played(database)
    left = match.game.line
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), Actor("the first reason"))
    with match.service.writing() as session:
        reached = match.letters(1, "report")[-1]
        session.merge(reached).fate = "sent"
    return_to(match.service, match.code, left, Actor("the second reason"))
    told = {seat: [each.reason for each in decode_report(corrected(match, seat).data).rulings] for seat in range(3)}
    both, one = ["the first reason", "the second reason"], ["the second reason"]
    assert told == {0: both, 1: one, 2: both}
    assert "the first reason" in match.letters(0, "report")[-1].text
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), Actor("the third reason"))
    assert [each.reason for each in decode_report(corrected(match, 2).data).rulings] == [*both, "the third reason"]


def being_told(database: Database) -> tuple[Match, list[Claimed]]:
    """A game that went back from line 0 for `the first reason`, and the letters that say so, which a sender has."""
    match = played(database)
    assert match.game.line == 0
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), Actor("the first reason"))
    clock.shift(timedelta(minutes=5))
    return match, outbox.claim(match.service)


def give_back(service: Service, letters: list[Claimed]) -> None:
    """They were begun and not sent."""
    outbox.release(service, letters, 0)


def hand_over(service: Service, letters: list[Claimed]) -> None:
    """They are sent."""
    assert len(outbox.begin(service, letters)) == len(letters)
    outbox.sent(service, letters)


@pytest.mark.parametrize(
    ("begun", "becomes", "told"),
    [(True, give_back, ["the first reason", "the second reason"]), (False, hand_over, ["the second reason"])],
    ids=["given back", "sent"],
)
def test_rulings_are_told_once_more_to_whom_they_did_not_reach_whatever_becomes_of_letters_meanwhile(
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    begun: bool,
    becomes: Callable[[Service, list[Claimed]], None],
    told: list[str],
) -> None:
    """What a sender gives back while it is worked out what to tell is withdrawn; what it sends is not."""
    match, letters = being_told(database)
    if begun:
        outbox.begin(match.service, letters)
    tries = []

    def posted(*given: Any) -> Any:
        tries.append(given)
        if len(tries) == 1:
            becomes(match.service, letters)
        return post(*given)

    monkeypatch.setattr(goingback, "post", posted)
    return_to(match.service, match.code, 0, Actor("the second reason"))
    for seat in range(3):
        assert [each.reason for each in decode_report(corrected(match, seat).data).rulings] == told


def test_letter_that_is_given_back_while_play_goes_back_is_not_withdrawn(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whom it has not reached is settled by then: it goes out, and tells of its ruling."""
    match, letters = being_told(database)
    outbox.begin(match.service, letters)
    giving = threading.Thread(target=give_back, args=(match.service, letters))
    real = goingback._keep_sheets

    def meanwhile(*given: Any) -> None:
        giving.start()
        giving.join(1)
        real(*given)

    monkeypatch.setattr(goingback, "_keep_sheets", meanwhile)
    return_to(match.service, match.code, 0, Actor("the second reason"))
    giving.join()
    for seat in range(3):
        on_their_way = [each.text for each in match.letters(seat, "report") if each.fate == "queued"]
        assert sum("the first reason" in each for each in on_their_way) == 1


def test_what_was_ruled_for_the_stage_that_is_left_does_not_hold_on(database: Database) -> None:
    """An end that was not played yet, a stage to be forced, silent stages in a row, a reminder on its way."""
    match = played(database, stage_hours=4)
    with match.service.writing() as session:
        game = session.merge(match.game)
        game.quiet = 2
        session.merge(match.letters(0, "report")[0]).kind = "reminder"
    end_game(match.service, match.code, DRAW, None, OPERATOR)
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), OPERATOR)
    match.settle()
    game = match.game
    assert (game.status, game.stage_key, game.agreed, game.forced, game.quiet) == ("playing", "2-turn", "", False, 0)
    assert [letter.fate for letter in match.letters(0, "reminder")] == ["withdrawn"]


def test_going_back_and_what_happens_meanwhile_are_one_after_the_other(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where orders came while it was worked out, it is worked out again from how things stand then."""
    match = played(database)
    real, tries = goingback.told_of, []

    def meanwhile(*given: Any) -> Any:
        tries.append(given)
        made = real(*given)
        if len(tries) == 1:
            match.say(1, "bid 5\nnot ready")
        return made

    monkeypatch.setattr(goingback, "told_of", meanwhile)
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), OPERATOR)
    assert len(tries) == 2
    assert len(match.letters(1, "acknowledgement")) == 3
    assert verify(match.service, match.code).problem == ""


def test_old_line_can_be_returned_to(database: Database) -> None:
    """All stands as it did when it was left, the orders of then too; nothing is told twice."""
    match = played(database)
    match.say(1, "bid 2\nnot ready")
    left, orders = digest(match), sheet(match, 1)
    roll_back(match.service, match.code, Back(opening(match, "2-turn"), "redraw"), OPERATOR)
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()
    with match.service.reading() as session:
        lines = lines_left(session, match.game)
    assert [each.line for each in lines] == [0]
    assert isinstance(lines[0], Left)
    return_to(match.service, match.code, 0, OPERATOR)
    assert (match.game.stage_key, match.game.stage_number, match.game.epoch) == ("3-turn", 3, 0)
    assert digest(match) == left
    assert sheet(match, 1) == orders
    assert decode_report(corrected(match, 1).data).events == ()
    assert verify(match.service, match.code).problem == ""
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()
    assert match.game.stage_key == "4-turn"
    assert verify(match.service, match.code).problem == ""


def test_rulings_of_a_line_come_back_with_it(database: Database) -> None:
    """What was ruled on it stands on it again, and is on record once for each line."""
    match = played(database, turns=1)
    roll_back(match.service, match.code, Back(1), OPERATOR)
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()
    roll_back(match.service, match.code, Back(1, "redraw"), OPERATOR)
    return_to(match.service, match.code, 1, OPERATOR)
    assert [ruling.act for ruling in rulings_of(match.service, match.code)] == [
        "rolled_back",
        "rolled_back",
        "rolled_back",
        "returned",
    ]
    assert verify(match.service, match.code).problem == ""


def test_nobody_goes_back_who_may_not_and_to_nowhere(database: Database) -> None:
    """A moderator who plays, an entry that is not there, a line that was not left, a game that is over."""
    match = played(database, moderator="ann@players.example")
    with pytest.raises(Refused, match="plays_too"):
        roll_back(match.service, match.code, Back(1), Actor("I lose", "ann@players.example"))
    for entry in (0, -1, match.game.next_entry - 1, 999):
        with pytest.raises(Refused, match="no_entry"):
            roll_back(match.service, match.code, Back(entry), OPERATOR)
    with pytest.raises(Refused, match="bad_choice"):
        roll_back(match.service, match.code, Back(1, "luck"), OPERATOR)
    with pytest.raises(Refused, match="no_lines"):
        return_to(match.service, match.code, 0, OPERATOR)
    assert rulings_of(match.service, match.code) == []


def test_game_that_is_over_stays_so(database: Database) -> None:
    """Its secret is known: whoever went back would know every draw."""
    match = played(database, turns=3, options={"turns": 3})
    assert match.game.status == "over"
    with pytest.raises(Refused, match="wrong_status"):
        roll_back(match.service, match.code, Back(1), OPERATOR)


@pytest.mark.parametrize(("rules", "pace"), [("rockwell", "strict"), ("rockwell", "brisk"), ("brass_empire", "strict")])
def test_any_game_goes_back_to_any_point_and_forth_again(database: Database, rules: str, pace: str) -> None:
    """Stand-ins play on from each point; every line replays, and returning gives the state that was left."""
    match = begun(
        service_on(database, mail_port=0), rules, 3, pace=pace, policy={"pause_after": "0", "open_after": "0"}
    )
    for _ in range(5):
        match.pass_deadline()
        match.say(0, "always ready")
    left = digest(match)
    last = match.game.next_entry - 1
    for entry in range(1, last, max(1, last // 4)):
        line = match.game.line
        before = digest(match)
        roll_back(match.service, match.code, Back(entry), OPERATOR)
        assert verify(match.service, match.code).problem == ""
        match.pass_deadline()
        return_to(match.service, match.code, line, OPERATOR)
        assert digest(match) == before == left
        assert verify(match.service, match.code).problem == ""


def test_stages_that_are_taken_back_were_not_missed(database: Database) -> None:
    """The count of those before stays: who is silent once more is at the number that it would have been at."""
    match = begun(service_on(database), pace="brisk", policy={"ask_share": "100", "open_after": "0"})
    opened = []
    for _ in range(3):
        opened.append(match.game.next_entry - 1)
        match.say(0, "bid 1")
        match.pass_deadline()
    assert [seat.missed for seat in match.seats] == [0, 3, 3]
    roll_back(match.service, match.code, Back(opened[1]), OPERATOR)
    assert [seat.missed for seat in match.seats] == [0, 1, 1]
    match.pass_deadline()
    assert [seat.missed for seat in match.seats][1:] == [2, 2]
    roll_back(match.service, match.code, Back(opened[0]), OPERATOR)
    assert [seat.missed for seat in match.seats] == [0, 0, 0]
