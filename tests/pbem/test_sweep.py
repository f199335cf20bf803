"""The sweep hands over what is owed, and never more than workers can come to."""

import io
import json
from dataclasses import replace

import pytest
from redis import Redis

from pbem import clock, logs, sweep
from pbem.door import ADVANCE, PLAY, READ, READING, SEND, Celeried
from pbem.mail.intake import FULL, Arrived, let_read, store
from pbem.storage.sessions import Database
from tests.pbem.brokers import useless
from tests.pbem.mail.test_listener import MAIL, Recorder
from tests.pbem.playing import Match, begun, service_on

MOST = 30


@pytest.fixture
def match(database: Database, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A game that is to go on, and more mails than there is room for."""
    monkeypatch.setattr(sweep, "ROOM", MOST)
    match = begun(service_on(database, worker_processes=1), pace="brisk")
    for seat in range(3):
        match.say(seat, "bid 6 or 5 or 4 or 3 or 2 or 1")
    store(match.service, [Arrived(MAIL, clock.now())] * 2 * MOST)
    return match


def test_process_that_is_told_to_stop_leaves_what_it_has_not_begun(match: Match) -> None:
    """It finishes the task in hand, and the next process finds the others owed."""
    told = iter([False, False, True])
    before = sweep.owed(match.service)
    assert sweep.settle(replace(match.service, stopping=lambda: next(told))) == 2
    assert sweep.owed(match.service) == before[2:]


def test_sweeps_fill_no_queue_that_workers_do_not_empty(match: Match, redis_url: str) -> None:
    """However often it is swept while no worker comes to it, no more waits; an empty queue is filled again."""
    service = replace(match.service, door=Celeried(redis_url.replace("unix://", "redis+socket://")))
    with Redis.from_url(redis_url) as broker:
        for _ in range(3):
            sweep.sweep(service)
            assert (broker.llen(READING), broker.llen(PLAY)) == (MOST, 1)
        broker.flushall()
        sweep.sweep(service)
        assert (broker.llen(READING), broker.llen(PLAY)) == (MOST, 1)


def test_nothing_is_handed_over_twice_while_it_waits_and_what_was_lost_is(
    match: Match, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much room there is: workers who are slow have no more to do for it. Of two nudges that are gone, two are
    given again, and of those to send one waits."""
    monkeypatch.setattr(sweep, "ROOM", 10 * MOST)
    service = replace(match.service, door=Celeried(redis_url.replace("unix://", "redis+socket://")))
    owed = [task for task, _ in sweep.owed(service)]
    assert SEND in owed
    with Redis.from_url(redis_url) as broker:
        for _ in range(3):
            sweep.sweep(service)
            assert broker.llen(READING) == len(owed) - 2
            assert broker.llen(PLAY) == broker.llen("sending") == 1
        broker.rpop(READING, 2)
        sweep.sweep(service)
        assert broker.llen(READING) == len(owed) - 2


def test_many_mails_hold_up_no_game(match: Match) -> None:
    """Of each kind of work something is handed over, however much there is of another."""
    door = Recorder()
    sweep.sweep(replace(match.service, door=door))
    assert (ADVANCE, match.id) in door.published
    assert [task for task, _ in door.published].count(READ) == MOST


def test_mails_that_come_faster_than_they_are_read_hold_up_no_game(match: Match) -> None:
    """They leave room in the queue for what a sweep finds, and are found by it themselves."""
    door = Recorder()
    service = replace(match.service, door=door)
    for number in range(1, 10 * MOST):
        let_read(service, [number])
    assert len(door.published) <= FULL + 1
    sweep.sweep(service)
    assert (ADVANCE, match.id) in door.published


def test_what_is_logged_while_a_task_is_done_names_it(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name and the number of its row, whoever does it; what is logged afterwards does not."""
    match = begun(service_on(database), "faultygame", options={"fault": "raise"}, pace="brisk")
    for seat in range(3):
        match.say(seat, "bid 6 or 5 or 4 or 3 or 2 or 1")
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    logs.configure("info", as_json=True)
    with pytest.raises(RuntimeError):
        sweep.perform(match.service, ADVANCE, match.id)
    logs.get("ours").info("afterwards")
    failed, afterwards = map(json.loads, stream.getvalue().splitlines())
    assert (failed["event"], failed["task"], failed["number"]) == ("advance_failed", "advance", match.id)
    assert not {"task", "number"} & set(afterwards)


def test_broker_that_is_away_is_no_reason_to_wait(match: Match) -> None:
    """Nobody knows how much waits there: what is owed is offered, in one try, and whatever is lost is found again."""
    with useless(hangs=False) as broker:
        service = replace(match.service, door=Celeried(broker.url))
        assert sweep.sweep(service) > MOST
        assert broker.came == 1
    door = Recorder()
    sweep.sweep(replace(match.service, door=door))
    assert (ADVANCE, match.id) in door.published
