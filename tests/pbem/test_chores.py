"""Small tasks that fail are counted, given up for a while, and hold up nothing else."""

from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from pbem import chores, clock, sweep
from pbem.chores import ASIDE
from pbem.clock import Clock
from pbem.context import Service
from pbem.door import INVITE, OBSERVE, REMIND, TEND
from pbem.games import tending
from pbem.measures import measures
from pbem.sheets.confirming import resign
from pbem.storage.models import Chore, Game, Observer
from pbem.storage.sessions import Database
from pbem.sweep import owed, perform, settle
from tests.pbem.games.test_gathering import came, gathering
from tests.pbem.mail.test_habits import match_at, wants
from tests.pbem.observing.watching import observing, open_game
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import letters_to

PAUSES = (1_000.0, 2_000.0, 3_000.0)
"""In place of the real ones, which a busy machine may sleep through."""


class Broken(Exception):
    """What the work raises."""


def broken(*_: object) -> object:
    """Work that fails."""
    raise Broken


def with_tasks(service: Service) -> Match:
    """Two games of which more than one small task of each kind is owed; the one that is observed."""
    match = open_game(service)
    for name in ("Eve", "Finn"):
        observing(match, f"{name.lower()}@players.example", name)
    begun(service)
    for number in (1, 2, 3):
        wants(service, number, remind=48, calendar=True)
    with service.writing() as session:
        session.execute(update(Game).values(tend_at=clock.now()))
        session.execute(update(Observer).values(stage_number=0))
    return match


def later(seconds: float) -> None:
    """Let the clock run on."""
    now = clock.now()
    clock.use(None)
    clock.use(Clock(now - clock.now() + timedelta(seconds=seconds)))


@pytest.fixture
def match(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A game in which Ann and Ben are to be reminded now."""
    match = match_at(database, tmp=str(tmp_path_factory.mktemp("mail")))
    settle(match.service)
    for account in (1, 2):
        wants(match.service, account, remind=48)
    later(30 * 3600)
    return match


@pytest.fixture
def tries(match: Match, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seats that somebody tried to remind, where it fails for the first one."""
    [first, _] = due(match.service)
    made: list[int] = []
    monkeypatch.setattr(chores, "PAUSES", PAUSES)
    work = sweep._WORK[REMIND]

    def breaks(service: Service, number: int) -> object:
        made.append(number)
        if number == first:
            raise Broken
        return work(service, number)

    monkeypatch.setitem(sweep._WORK, REMIND, breaks)
    return made


def due(service: Service) -> list[int]:
    """The seats whose reminders the sweep finds."""
    return [number for task, number in owed(service) if task == REMIND]


def aside(match: Match) -> int:
    """How many tasks are given up for a while."""
    with match.service.reading() as session:
        return measures(session).tasks_aside


def test_a_reminder_that_fails_is_given_up_after_three_attempts(match: Match, tries: list[int]) -> None:
    """With a pause after each; the others go out at once, and after a day it is tried again."""
    first, other = due(match.service)
    settle(match.service)
    assert tries == [first, other]
    for pause in PAUSES[:2]:
        assert due(match.service) == []
        later(pause)
        assert due(match.service) == [first]
        settle(match.service)
    assert tries == [first, other, first, first]
    later(600)
    assert due(match.service) == []
    assert aside(match) == 1
    later(ASIDE.total_seconds() - 600)
    assert aside(match) == 0
    assert due(match.service) == [first]


def test_a_reminder_that_the_database_fails_is_not_given_up(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried again until the database is there, and goes out then."""
    [first, _] = due(match.service)
    work = sweep._WORK[REMIND]

    def away(*_: object) -> object:
        raise OperationalError("", {}, Exception("the disk is full"))

    monkeypatch.setitem(sweep._WORK, REMIND, away)
    monkeypatch.setattr(chores, "AWAY_SECONDS", PAUSES[0])
    for _ in range(match.service.settings.attempts + 1):
        with pytest.raises(OperationalError):
            perform(match.service, REMIND, first)
        assert first not in due(match.service)
        later(PAUSES[0])
    monkeypatch.setitem(sweep._WORK, REMIND, work)
    perform(match.service, REMIND, first)
    assert first not in due(match.service)
    assert aside(match) == 0


def test_a_reminder_that_ends_its_process_is_given_up_too(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attempt was counted before it began; its lease keeps others away meanwhile."""
    [first, _] = due(match.service)
    monkeypatch.setattr(chores, "failed", lambda *_: None)  # nothing is written by a process that is gone
    monkeypatch.setattr(chores, "done", lambda *_: None)
    monkeypatch.setitem(sweep._WORK, REMIND, lambda *_: None)
    for _ in range(match.service.settings.attempts):
        assert first in due(match.service)
        perform(match.service, REMIND, first)
        assert first not in due(match.service)
        later(match.service.settings.lease_seconds)
    assert aside(match) == 0
    perform(match.service, REMIND, first)
    assert aside(match) == 1
    assert first not in due(match.service)


def test_what_is_done_is_counted_no_more(match: Match, tries: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """One failure is forgotten with the success that follows."""
    first, _ = due(match.service)
    settle(match.service)
    later(PAUSES[0])
    monkeypatch.undo()
    settle(match.service)
    assert due(match.service) == []
    assert {letter.seat for letter in match.letters(None, "reminder")} == {0, 1}
    assert chores.begin(match.service, REMIND, first)


@pytest.mark.parametrize("task", [REMIND, INVITE, TEND, OBSERVE])
def test_tasks_that_are_given_up_hold_up_no_others_of_their_kind(
    database: Database, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many of them as a sweep looks for: each of the others is found all the same."""
    service = service_on(database)
    match = with_tasks(service)
    owed_now = [each for each in owed(service) if each[0] == task]
    assert len(owed_now) > 1
    monkeypatch.setattr(sweep, "LIMIT", 1)
    monkeypatch.setitem(sweep._WORK, task, broken)
    found = set()
    for _ in owed_now:
        [each] = [each for each in owed(service) if each[0] == task]
        found.add(each)
        with service.writing() as session:
            session.add(Chore(task=task, number=each[1], attempts=service.settings.attempts - 1, next_try=clock.now()))
        with pytest.raises(Broken):
            perform(service, *each)
    assert found == set(owed_now)
    assert aside(match) == len(owed_now)


def test_a_part_of_tending_that_fails_holds_up_no_other(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up for a while like a task, and done in the end; what is due meanwhile is done at its time."""
    match = gathering(service_on(database))
    for name in ("ann", "ben", "cleo", "dan"):
        came(match, name)
    match.settle()
    parts = dict(tending._PARTS)
    made: list[int] = []

    def breaks(_: Service, number: int) -> bool:
        made.append(number)
        raise Broken

    monkeypatch.setattr(chores, "PAUSES", PAUSES)
    monkeypatch.setattr(tending, "_PARTS", {**parts, "pbem.tend.lapse_one": breaks})
    resign(match.service, match.id, 0, 0)
    match.settle()
    assert len(letters_to(match.service, "dan@players.example", "offer")) == 1
    for pause in PAUSES[:2]:
        match.settle()
        assert [task for task, _ in owed(match.service) if task == TEND] == []
        later(pause)
        match.settle()
    assert made == [match.id] * 3
    assert aside(match) == 1
    came(match, "eve")
    resign(match.service, match.id, 1, 0)
    match.settle()
    assert len(letters_to(match.service, "eve@players.example", "offer")) == 1
    assert made == [match.id] * 3
    monkeypatch.setattr(tending, "_PARTS", parts)
    later(ASIDE.total_seconds())
    match.settle()
    with match.service.reading() as session:
        assert session.exec(select(Chore)).all() == []
