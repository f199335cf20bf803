"""The real worker processes: killed, failing and restarted, they lose nothing and double nothing."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from engine.journal import decode
from engine.table import replay
from pbem import keys
from pbem.context import Service
from pbem.door import READ, READING, Celeried
from pbem.games.position import words_of
from pbem.games.rules import rules_of
from pbem.settings import Settings
from pbem.storage.sessions import Database
from tests.nursery import Nursery
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail import stubserver
from tests.pbem.mail.stubserver import Taken
from tests.pbem.mail.test_sender import fates, write
from tests.pbem.playing import Match, begun
from tests.servers import wait_until
from worker import pacing

ROOT = Path(__file__).parents[2]
CELERY = ("celery", "-A", "worker.app")
MANY = 1000


class Workers:
    """A worker and a beat on a database and a broker, and the service that nudges them."""

    def __init__(self, folder: Path, database_url: str, broker: str, nursery: Nursery) -> None:
        keys.ensure(folder / "keys")
        self._nursery = nursery
        self.settings = Settings(data_dir=folder, database_url=database_url, redis_url=broker, domain="play.example")
        self.service = Service.opened(self.settings, Celeried(broker))
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(
                str(ROOT / part) for part in ("", "tests/packages/tinygame", "tests/packages/faultygame")
            ),
            "PBEM_DATA_DIR": str(folder),
            "PBEM_DATABASE_URL": database_url,
            "PBEM_REDIS_URL": broker,
            "PBEM_DOMAIN": "play.example",
            "PBEM_LEASE_SECONDS": "1",
            "PBEM_SWEEP_SECONDS": "0.2",
            "PBEM_LOG_JSON": "true",
        }
        self._log = folder / "log"
        self._running: list[int] = []

    def start(self, *words: str) -> None:
        """Start both, the worker with those words as well."""
        self._run(
            *CELERY, "worker", "--queues", "play", "--concurrency", "2", "--without-gossip", "--without-mingle", *words
        )
        self._run(*CELERY, "beat", "--pidfile", "", "--schedule", str(self.settings.data_dir / "beat"))

    def kill(self) -> None:
        """End all of their processes at once, as a power failure would."""
        for leader in self._running:
            os.killpg(leader, signal.SIGKILL)
            self._nursery.wait(leader)
        self._running.clear()

    def kill_children(self) -> None:
        """End the processes that the worker has started to do the work, and not the worker."""
        listed = subprocess.check_output(["ps", "-A", "-o", "pid=,ppid="], text=True)
        for pid, parent in (map(int, line.split()) for line in listed.splitlines()):
            if parent == self._running[0]:
                os.kill(pid, signal.SIGKILL)

    def told(self, begins: str) -> list[dict[str, Any]]:
        """The lines of the log whose events begin so."""
        lines = self._log.read_text().splitlines()
        events = [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]
        return [event for event in events if event["event"].startswith(begins)]

    def start_sender(self, smtp_port: int) -> None:
        """Start one that sends letters, and a beat."""
        self._environment["PBEM_SMTP_PORT"] = str(smtp_port)
        self._run(
            *CELERY, "worker", "--queues", "sending", "--concurrency", "1", "--without-gossip", "--without-mingle"
        )
        self.start()

    def start_alone(self, smtp_port: int) -> None:
        """Start the one process that does everything where there is no broker."""
        self._environment["PBEM_SMTP_PORT"] = str(smtp_port)
        self._run("pbem", "sweep", "--keep-on")

    def stop_first(self, then: Callable[[], None]) -> int:
        """Tell the one that was started first to stop, and act once a worker has heard so; its exit status."""
        os.kill(self._running[0], signal.SIGTERM)
        if len(self._running) > 1:
            wait_until(lambda: b"Warm shutdown" in self._log.read_bytes())
        then()
        return self._nursery.wait(self._running.pop(0))

    def close(self) -> None:
        """Stop everything."""
        self.kill()
        self.service.close()

    def _run(self, *words: str) -> None:
        self._running.append(self._nursery.start([sys.executable, "-m", *words], self._environment, self._log))


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """What the processes of all these tests are forked off: to import all in each was most of their time."""
    opened = Nursery()
    yield opened
    opened.close()


@pytest.fixture
def workers(tmp_path: Path, database_url: str, redis_url: str, nursery: Nursery) -> Iterator[Workers]:
    """Processes of this test's own."""
    started = Workers(tmp_path, database_url, redis_url.replace("unix://", "redis+socket://"), nursery)
    yield started
    started.close()


def all_bid(match: Match) -> None:
    """Every seat sends a bid, which closes a brisk stage."""
    for seat in range(3):
        match.say(seat, BIDS)


def test_worker_killed_in_the_middle_of_a_stage_loses_and_doubles_nothing(workers: Workers) -> None:
    """Killed while it plays and started again: each entry once, each report once, and the journal replays."""
    match = begun(workers.service, "faultygame", options={"fault": "slow"}, pace="brisk")
    workers.start()
    all_bid(match)
    wait_until(lambda: match.game.not_before is not None)
    workers.kill()
    assert match.game.stage_key == "1-turn"
    workers.start()
    wait_until(lambda: match.game.stage_key == "2-turn")
    rules = rules_of(match.game)
    entries = [decode(rules, row.entry) for row in match.entries()]
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert replay(rules, match.game.secret, words_of(match.seats), entries).head == match.game.head
    assert [len(match.letters(seat, "report")) for seat in range(3)] == [2, 2, 2]
    assert match.game.failures == 0


def test_deadline_waits_behind_no_crowd_of_mails(workers: Workers, redis_url: str) -> None:
    """Play and mails take turns: a game that is due is played on while hundreds of nudges to read still wait."""
    match = begun(workers.service, pace="brisk")
    for number in range(1000, 1000 + MANY):
        workers.service.door.publish(READ, number)
    with Redis.from_url(redis_url) as broker:
        assert broker.llen(READING) == MANY
        all_bid(match)
        workers.start()
        wait_until(lambda: match.game.stage_key == "2-turn")
        assert broker.llen(READING) > MANY / 2
        wait_until(lambda: broker.llen(READING) == 0)


def test_rules_that_end_the_process_set_only_their_own_game_aside(workers: Workers) -> None:
    """Three workers die of it; then the game is given up and told of, while another is played to its end."""
    bad = begun(workers.service, "faultygame", options={"fault": "exit"}, pace="brisk")
    good = begun(workers.service, pace="brisk")
    workers.start()
    all_bid(bad)
    all_bid(good)
    wait_until(lambda: good.game.stage_key == "2-turn")
    wait_until(lambda: bad.game.aside, 60)
    assert len(bad.letters(kind="fault")) == 3
    assert bad.game.stage_key == "1-turn"
    all_bid(good)
    wait_until(lambda: good.game.stage_key == "3-turn")


@pytest.mark.parametrize(
    ("fault", "events"),
    [("raise", ("advance_failed", "Task pbem.advance")), ("exit", ("Task handler raised error",))],
)
def test_each_line_of_a_task_names_it(workers: Workers, fault: str, events: Sequence[str]) -> None:
    """Ours and Celery's, of the process that did it and, where that has ended, of the one that saw it end."""
    begun(workers.service)
    match = begun(workers.service, "faultygame", options={"fault": fault}, pace="brisk")
    workers.start()
    all_bid(match)
    wait_until(lambda: match.game.aside, 60)
    for event in events:
        wait_until(lambda event=event: workers.told(event) != [], 60)  # type: ignore[misc]
        assert {(each["task"], each["number"]) for each in workers.told(event)} == {("advance", match.id)}


def test_processes_that_start_slowly_come_up(workers: Workers) -> None:
    """On a busy machine those that take the place of killed ones are not killed before they can begin, for ever."""
    match = begun(workers.service, pace="brisk")
    workers.start("--include", "tests.worker.slow_start")
    all_bid(match)
    wait_until(lambda: match.game.stage_key == "2-turn", 60)
    workers.kill_children()
    all_bid(match)
    wait_until(lambda: match.game.stage_key == "3-turn", 60)


def test_nudges_lost_with_the_broker_are_found_by_the_sweep(workers: Workers) -> None:
    """What was due before any worker or broker was there is done once they are."""
    match = begun(workers.service, pace="brisk")
    quiet = Service(Database(workers.settings.database), workers.settings, workers.service.identity)
    all_bid(Match(quiet, match.code))
    quiet.close()
    workers.start()
    wait_until(lambda: match.game.stage_key == "2-turn")


@pytest.mark.parametrize("start", [Workers.start_sender, Workers.start_alone])
def test_sender_that_is_told_to_stop_finishes_the_letter_in_hand(
    workers: Workers, start: Callable[[Workers, int], None]
) -> None:
    """And gives back the others, untried: none of them goes out twice, however many a task would have sent."""
    write(workers.service, 100)
    goes_on = threading.Event()
    with stubserver.running() as stub:
        real = stub.take

        def take(mail: Taken) -> None:
            real(mail)
            goes_on.wait()
            time.sleep(0.05)

        stub.take = take  # type: ignore[method-assign]
        start(workers, stub.port)
        wait_until(lambda: stub.mails != [], 60)
        assert workers.stop_first(goes_on.set) == 0
        sent = len(stub.mails)
        assert sent < 100
        assert Counter(fates(workers.service)) == {("sent", ""): sent, ("queued", ""): 100 - sent}


def test_letters_that_come_soon_after_each_other_go_out_together(workers: Workers) -> None:
    """Each at once where the last is long ago, and none twice; many share one connection to the mail server."""
    with stubserver.running() as stub:
        workers.start_sender(stub.port)
        write(workers.service)
        wait_until(lambda: stub.mails != [], 60)
        before, begins = stub.connections, time.monotonic()
        for number in range(1, 61):
            write(workers.service, first=number)
        wait_until(lambda: len(stub.mails) >= 61, 60)
        assert stub.connections - before <= (time.monotonic() - begins) / pacing.GATHERING + 1
        assert stub.connections - before < 60
    assert Counter(fates(workers.service)) == {("sent", ""): 61}
