"""What can't be done now keeps nothing else from being found and handed over, however much of it there is."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import chain, repeat

import pytest
from sqlalchemy import update
from sqlmodel import col

from engine.errors import UnknownRules
from pbem import clock, sweep
from pbem.context import Service
from pbem.door import ADVANCE, INVITE, OBSERVE, READ, REMIND, TEND
from pbem.games.due import MAILBOX
from pbem.habits import ACKNOWLEDGEMENT
from pbem.mail import joining
from pbem.storage.models import Heartbeat, Inbound, Letter
from pbem.storage.sessions import Database
from tests.pbem.games.test_rules_gone import GONE, change
from tests.pbem.mail.test_listener import Recorder
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.races.test_races import ANN, BEN, CLEO, arrive
from tests.pbem.test_chores import with_tasks

ROOM = 4


@pytest.fixture(autouse=True)
def _little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of a hundred mails and games, a few are as many as a sweep looks for and hands over."""
    monkeypatch.setattr(sweep, "ROOM", ROOM)
    monkeypatch.setattr(sweep, "LIMIT", ROOM)


@pytest.fixture
def service(database: Database) -> Service:
    """With one worker, and a mailbox that nobody looks into."""
    return service_on(database, mail_port=0, worker_processes=1)


def lost(service: Service) -> Match:
    """A game whose rules are not installed."""
    match = begun(service, pace="brisk", title="Lost")
    change(match, **GONE)
    return match


def swept(service: Service, seconds: int) -> Iterator[tuple[str, int]]:
    """What is handed over in so many seconds, by a sweep in each; it is done at once, and no other nudge arrives."""
    for _ in range(seconds):
        clock.shift(timedelta(seconds=1))
        door = Recorder()
        sweep.sweep(replace(service, door=door))
        for task, number in door.published:
            sweep.perform(service, task, number)
            yield task, number


def is_read(service: Service, number: int) -> bool:
    """Whether that mail was."""
    with service.reading() as session:
        return session.get_one(Inbound, number).status == "read"


def test_mails_behind_one_that_is_left_alone_are_not_handed_over(service: Service) -> None:
    """They wait for it in vain: the mail of another game, whose nudge was lost, is read by the next sweep."""
    known, unknown = begun(service, pace="brisk"), lost(service)
    first, *_ = [arrive(unknown, ANN, f"bid {each}") for each in range(1, 3 * ROOM)]
    mail = arrive(known, BEN, "bid 3")
    assert set(swept(service, 1)) >= {(READ, first), (READ, mail)}
    assert is_read(service, mail)
    assert not any(task == READ for task, _ in swept(service, 5))


def test_mails_that_are_left_alone_again_and_again_leave_others_their_turn(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of so many seats that with each sweep as many of them may be tried again as there is room for."""
    monkeypatch.setattr("pbem.mail.ingest.left_alone", lambda _: 0.5)
    known, lot = begun(service, pace="brisk"), [lost(service) for _ in range(3)]
    alone = {arrive(each, seat, "bid 1") for each in lot for seat in (ANN, BEN, CLEO)}
    list(swept(service, 4))
    mail = arrive(known, BEN, "bid 3")
    list(swept(service, 4))
    assert is_read(service, mail)
    assert {number for task, number in swept(service, 4) if task == READ} == alone


def test_what_is_left_alone_rests_the_longer_the_longer_it_waits(service: Service) -> None:
    """A mail and a game of unknown rules: after an hour they are tried again every five minutes; at first sooner."""
    match = lost(service)
    arrive(match, ANN, "bid 1")

    def tries() -> list[str]:
        return [task for task, _ in swept(service, 1) if task in (READ, ADVANCE)]

    assert tries() == [READ]
    clock.shift(timedelta(seconds=20))
    assert tries() == [READ]
    clock.shift(timedelta(hours=1))
    assert tries() == [READ]
    for _ in range(2):
        clock.shift(timedelta(seconds=290))
        assert tries() == []
        clock.shift(timedelta(seconds=10))
        assert tries() == [READ]
    change(match, deadline=clock.now() - timedelta(hours=1))
    with service.writing() as session:
        session.execute(update(Inbound).values(status="aside"))
    assert tries() == [ADVANCE]
    clock.shift(timedelta(seconds=290))
    assert tries() == []
    clock.shift(timedelta(seconds=10))
    assert tries() == [ADVANCE]


def overdue(match: Match, seconds: int) -> None:
    """Its deadline passed so long ago."""
    change(match, deadline=clock.now() - timedelta(seconds=seconds))


def test_games_whose_mail_is_unread_keep_no_other_from_its_deadline(service: Service) -> None:
    """Stages that can't close yet are not handed over: the one that can is played by the next sweep."""
    known = begun(service, pace="brisk")
    waiting = [lost(service) for _ in range(2 * ROOM)]
    for match in waiting:
        arrive(match, ANN, "bid 1")
        overdue(match, 60)
        change(match, opened=clock.now() - timedelta(days=1))
    with service.writing() as session:
        session.execute(update(Inbound).values(received=clock.now() - timedelta(seconds=90)))
    overdue(known, 30)
    assert [each for each in swept(service, 1) if each[0] == ADVANCE] == [(ADVANCE, known.id)]
    assert known.game.stage_number == 2


def test_games_that_are_left_alone_again_and_again_leave_others_their_turn(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many deadlines of such games passed before, and whether another game is past its own or settled."""
    monkeypatch.setattr("pbem.games.trouble.left_alone", lambda _: 0.5)
    passed, settled = begun(service, pace="brisk"), begun(service, pace="brisk")
    for match in [lost(service) for _ in range(3 * ROOM)]:
        overdue(match, 60)
    list(swept(service, 3))
    overdue(passed, 1)
    change(settled, settle_until=clock.now())
    list(swept(service, 5))
    assert (passed.game.stage_number, settled.game.stage_number) == (2, 2)


def test_games_that_wait_for_a_look_into_the_mailbox_keep_no_settled_one_waiting(service: Service) -> None:
    """Until then their stages don't close, which may be for many minutes; those whose mailbox was seen do."""
    waiting, earlier, settled = [begun(service, pace="brisk") for _ in range(2 * ROOM)], begun(service), begun(service)
    for match in waiting:
        overdue(match, 60)
    overdue(earlier, 180)
    change(settled, settle_until=clock.now())
    with service.writing() as session:
        session.merge(Heartbeat(name=MAILBOX, at=clock.now() - timedelta(seconds=120)))
    due = {(ADVANCE, earlier.id), (ADVANCE, settled.id)}
    assert {each for each in swept(service, 1) if each[0] == ADVANCE} == due
    with service.writing() as session:
        session.merge(Heartbeat(name=MAILBOX, at=clock.now()))
    assert {number for _, number in swept(service, 5)} >= {match.id for match in waiting}


@pytest.mark.parametrize("task", [REMIND, INVITE, TEND, OBSERVE])
def test_tasks_that_are_left_alone_again_and_again_leave_others_their_turn(
    database: Database, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of games of unknown rules come first by their rows, and rest no longer than a sweep: the others' turn comes
    all the same."""
    service = service_on(database)
    with_tasks(service)
    monkeypatch.setattr(sweep, "LIMIT", 100)
    wanted = {number for kind, number in sweep.owed(service) if kind == task}
    assert len(wanted) > 1
    monkeypatch.setattr(sweep, "LIMIT", 1)
    monkeypatch.setattr("pbem.chores.PAUSES", (0.5,))
    found = set()

    def unknown(_: Service, number: int) -> object:
        found.add(number)
        raise UnknownRules("gone", ())

    monkeypatch.setitem(sweep._WORK, task, unknown)
    for _ in wanted:
        list(swept(service, 1))
    assert found == wanted


def test_letters_that_do_not_fit_into_one_are_looked_at_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """They go out as they are: a sender that each time has time for one player's letters comes to the next one's."""
    match = begun(service)
    monkeypatch.setattr(joining, "LARGEST", 1)
    with service.writing() as session:
        held = {"kind": ACKNOWLEDGEMENT, "problem": joining.HELD_BACK, "next_try": clock.now(), "fate": "queued"}
        session.execute(update(Letter).where(col(Letter.seat).is_not(None)).values(held))
    looked_at = []
    for _ in range(len(match.seats) + 1):
        time_is_up = chain([False], repeat(True))
        assert joining.join(service, lambda left=time_is_up: next(left)) == 0  # type: ignore[misc]
        looked_at.append(not next(time_is_up))
    assert looked_at == [False] * len(match.seats) + [True]
