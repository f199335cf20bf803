"""Letters that were joined into one that is withdrawn before it went out: nobody else's words are lost with it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem import clock
from pbem.mail import joining, log
from pbem.mail.message import read
from pbem.rulings.authority import Actor
from pbem.rulings.goingback import Back, roll_back
from pbem.site.deleting import delete_account
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from tests.pbem.games.test_succession import taken_over
from tests.pbem.mail import stubserver
from tests.pbem.mail.test_habits import PARIS, at, wants
from tests.pbem.observing.test_observing import entries, watchers
from tests.pbem.observing.watching import EVE, observed, observing, open_game, turns
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.rulings.test_goingback import TURN, opening
from tests.pbem.sheets.mailed import answer

OPERATOR = Actor("red's mail was lost")
ANN = "ann@players.example"
SAID = "shall we share the mine"
DAY = timedelta(days=1)


def joined(match: Match, seat: int) -> list[Letter]:
    """What a day of the seat was joined into its report, which no server took yet."""
    clock.shift(DAY)
    match.settle()
    letters = match.letters(seat)
    [carrier] = [each for each in letters if each.fate == "queued" and SAID in each.text]
    assert carrier.kind == "report"
    return [each for each in letters if each.problem == "joined"]


def at_last(match: Match, folder: Path, address: str) -> list[str]:
    """The texts that are sent to somebody once the mail server is there again."""
    match.service = service_on(match.service.database, maildir=folder)
    clock.shift(timedelta(minutes=5))
    match.settle()
    return [read(each.read_bytes()).text for each in folder.glob(f"{address}/new/*")]


def a_turn(match: Match) -> None:
    """Blue writes to red, and all play a turn, while the mail server is away."""
    wants(match.service, 1, mails="daily")
    match.say(1, f"to red: {SAID}")
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()


def test_what_was_joined_into_a_report_that_is_rolled_back_goes_out(database: Database, tmp_path: Path) -> None:
    """A message of the day goes out by itself, once; the void reports that were in the same letter don't."""
    match = begun(service_on(database), pace="brisk", stage_hours=96)
    a_turn(match)
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()
    assert {"press", "report"} <= {each.kind for each in joined(match, 0)}
    void = [each.text for each in match.letters(0, "report") if each.stage_key != "1-turn" and each.problem == "joined"]
    assert void
    roll_back(match.service, match.code, Back(opening(match, "1-turn")), OPERATOR)
    texts = at_last(match, tmp_path, ANN)
    assert sum(SAID in each for each in texts) == 1
    assert not any(each in text for each in void for text in texts)


def test_acknowledgement_that_was_held_back_is_so_again(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report of the night took it along, and is void: the log says why it waits, and not that it is for the day."""
    monkeypatch.setattr(joining, "A_DAY", 0)
    at(datetime(2026, 12, 2, 6, 50, tzinfo=PARIS))
    match = begun(service_on(database), pace="brisk", stage_hours=96)
    wants(match.service, 1, quiet=(21 * 60, 7 * 60))
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()
    clock.shift(joining.WAITS)
    match.settle()
    [acknowledgement] = match.letters(0, "acknowledgement")
    assert acknowledgement.problem == "joined"
    roll_back(match.service, match.code, Back(opening(match, "1-turn")), OPERATOR)
    with match.service.reading() as session:
        [said] = [each.said for each in log.entries(session, log.Wanted(seat=0)) if each.number == acknowledgement.id]
    assert said == "held-back"


def test_what_was_joined_into_a_report_that_is_taken_back_goes_out(database: Database, tmp_path: Path) -> None:
    """By an undo of another seat. Who was told nothing yet gets no correction."""
    match = begun(service_on(database), "rockwell", 4, stage_hours=96)
    for seat in range(4):
        match.say(seat, f"bid {100 * seat}" if seat else "bid nothing")
    match.settle()
    asking = int(match.game.waiting)
    for seat in range(4):
        wants(match.service, match.seats[seat].account_id or 0, mails="daily")
    match.say(asking, "place workshop 1")
    match.settle()
    asked = int(match.game.waiting)
    match.say(asking, f"to {match.seats[asked].name}: {SAID}")
    assert [each.kind for each in joined(match, asked)] == ["press"]
    answer(match, asking, "undo")
    assert not match.letters(kind="undone")
    texts = at_last(match, tmp_path, match.letters(asked)[0].recipient)
    assert sum(SAID in each for each in texts) == 1


def test_who_may_have_been_told_what_is_taken_back_is_told_that_it_does_not_hold(database: Database) -> None:
    """The mail server was cut off after it had the whole letter, which waits to be sent again, and never is."""
    with stubserver.running() as stub:
        match = begun(service_on(database, smtp_port=stub.port), "rockwell", 4, stage_hours=96)
        for seat in range(4):
            match.say(seat, f"bid {100 * seat}" if seat else "bid nothing")
        match.settle()
        asking = int(match.game.waiting)
        others = [seat.number for seat in match.seats if seat.number != asking]
        for seat in others:
            stub.fail("content", stubserver.CUT, to=match.letters(seat)[0].recipient)
        match.say(asking, "place workshop 1")
        match.settle()
        asked = int(match.game.waiting)
        letter = match.letters(asked, "report")[-1]
        assert (letter.fate, letter.problem) == ("queued", "sent-again")
        answer(match, asking, "undo")
        assert match.letters(asked, "undone")


def test_what_was_joined_into_an_observers_turn_that_is_void_goes_out(database: Database, tmp_path: Path) -> None:
    """The turn before it, which still holds."""
    match = open_game(service_on(database), policy={"observer_delay": "0"}, stage_hours=96)
    observing(match)
    [number] = watchers(match)
    wants(match.service, number, mails="daily")
    turns(match, 3)
    clock.shift(DAY)
    match.settle()
    held = [each for each in observed(match) if each.problem == "joined"]
    assert held
    roll_back(match.service, match.code, Back(entries(match)[1], "redraw"), OPERATOR)
    texts = "\n".join(at_last(match, tmp_path, EVE))
    assert [each.subject for each in held if each.text in texts] == ["[Deep Shaft] turn 2, observed"]


def passed_on(match: Match) -> None:
    """Red's seat has another player."""
    taken_over(match)


def deleted(match: Match) -> None:
    """Red's player is forgotten."""
    delete_account(match.service, 1, OPERATOR)


@pytest.mark.parametrize("gone", [passed_on, deleted])
def test_what_was_joined_for_who_has_gone_does_not_come_back(
    database: Database, tmp_path: Path, gone: Callable[[Match], None]
) -> None:
    """All that waited for them is withdrawn, whatever it went into."""
    match = begun(service_on(database), pace="brisk", stage_hours=96)
    a_turn(match)
    assert joined(match, 0)
    gone(match)
    assert not any(SAID in each for each in at_last(match, tmp_path, ANN))
