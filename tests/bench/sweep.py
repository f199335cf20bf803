"""Games that are due together, played by real workers, and what the tasks of a turn cost beside plain calls.

Games of Rockwell for four at the brisk pace, each due for a whole turn; PostgreSQL with its usual care for the disk, a
Redis-protocol server, two processes that play and one that sends, as `pbem up` starts them. Seconds of the clock on the
wall say something on a machine that does nothing else; processor time, of workers and servers, is given beside them.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO, NamedTuple

from celery import Celery
from redis import Redis
from sqlmodel import col, func, select, update

from pbem import clock, collector, keys
from pbem.context import Service
from pbem.door import BROKER, PLAY, READ, READING, Celeried
from pbem.games.advance import advance
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.mail.identity import Mark, Purpose
from pbem.mail.intake import Arrived, store
from pbem.settings import PREFIX, READY_FILE, Settings
from pbem.storage.migrate import migrate
from pbem.storage.models import Game, Inbound, Letter
from pbem.supervisor import broker
from pbem.supervisor.parent import bound_to_us
from pbem.sweep import owed, perform, sweep
from tests.bench.figure import Figure, figure, seconds
from tests.bench.mail import taking
from tests.bench.usage import processor
from tests.pbem.mail.corpus import numbered, original_of
from tests.pbem.mail.corpus.programs import gmail
from tests.pbem.mail.corpus.tongues import EN
from tests.pbem.playing import AT_ANY_HOUR, NAMES, Match
from tests.pbem.turns import ROCKWELL
from tests.servers import running_postgresql, running_valkey, wait_until

ROOT = Path(__file__).parents[2]
GAMES, SEATS = 75, 4
TASKS = 1000
ROUNDS = 2
PATIENCE = 600.0
"""Seconds that a busy machine may take for a round."""
GLANCE = 0.05
"""Seconds between two looks whether it is done."""
MOST_PLAIN, MOST_PICTURED = 2.4, 6.0
CELERY, PLAIN = "celery", "tests.bench.plainworker"
PLAYING, SENDING = ("play", 2), ("sending", 1)
"""Queues, and how many processes take from each."""


class Took(NamedTuple):
    """Seconds on the wall, and of the processor: the workers' and the servers'."""

    wall: float
    workers: float
    servers: float

    @property
    def used(self) -> float:
        """Seconds of the processor in all."""
        return self.workers + self.servers


class Place(NamedTuple):
    """A service that nobody works for yet, and one on the same database whose nudges go nowhere."""

    service: Service
    quiet: Service
    matches: list[Match]
    servers: tuple[int, ...]
    """The processes of database and broker."""


def figures() -> list[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory(prefix="pbem-", dir="/tmp") as folder, placed(Path(folder)) as place:
        collector.relax()  # as a worker does, for the plain calls
        return [*_due_figures(place), *task_figures(place)]


def _due_figures(place: Place) -> list[Figure]:
    name = f"{GAMES} games due together to the last of {GAMES * SEATS} reports"
    found = []
    for words, program, most in (("no pictures", PLAIN, MOST_PLAIN), ("with pictures", CELERY, MOST_PICTURED)):
        with _workers(place, program, (PLAYING,)) as group:
            rounds = [_due_together(place, group) for _ in range(ROUNDS)]
        took = min(rounds, key=lambda each: each.used)
        found += [
            figure(f"{name}, {words}", min(each.wall for each in rounds), "s", most, "the limit, on two free cores"),
            figure(f"processor time for that, {words}", took.used, "s", 2 * most, "two cores for as long"),
            figure(f"of it the database's and the broker's, {words}", took.servers, "s", took.used, "all of it"),
        ]
    return found


def _due_together(place: Place, group: tuple[int, ...]) -> Took:
    """One round: deadlines pass over sheets that are not ready."""
    for match in place.matches:
        for seat in range(SEATS):
            match.say(seat, ROCKWELL.replace("ready", "not ready"))
    wanted = _reports(place) + GAMES * SEATS
    sweep(place.quiet)  # a sign of life: else there was an outage
    with place.quiet.writing() as session:
        session.connection().execute(update(Game).values(deadline=clock.now() - timedelta(seconds=30)))
    took = _worked(place, group, (), lambda: not _due(place))
    assert _reports(place) == wanted, "not one report for each seat"
    return took


def task_figures(place: Place) -> list[Figure]:
    """A turn from four mails to the last letter, in tasks and in plain calls of the same."""
    with taking() as port:
        there = place._replace(service=_sending_to(place.service, port), quiet=_sending_to(place.quiet, port))
        with _workers(there, CELERY, (PLAYING, SENDING)) as group:
            for _ in range(2):  # the first also sends what has been left unsent
                mails, before = _mailed(there), _taken(there)
                took = _worked(there, group, mails, lambda: _settled(there))
                tasks = _taken(there) - before
            idle = _idle(there, group)
        calls, plain = 0, 0.0
        for _ in range(2):
            _mailed(there)
            calls, plain = _called(there)
    turns = sum(tasks.values()) / GAMES
    whole = took.workers / GAMES * 1000
    kinds = ", ".join(f"{name.rpartition('.')[2]} {number / GAMES:.2f}" for name, number in sorted(tasks.items()))
    return [
        figure(f"tasks a turn of four mails ({kinds})", turns, "tasks", calls / GAMES, "plain calls for the same"),
        figure("processor time a turn, by Celery", whole, "ms", plain / GAMES * 1000, "plain calls of the same work"),
        figure("of it Celery's own", whole - plain / GAMES * 1000, "ms", whole, "all of it"),
        figure("a task that does nothing", idle * 1000, "ms", whole / turns, "a task of a turn, on the average"),
    ]


def _worked(place: Place, group: tuple[int, ...], mails: Sequence[int], is_done: Callable[[], bool]) -> Took:
    """Nudge for the mails, as the listener does, and sweep each second until it is done; what that took."""
    workers, servers = processor(*group), processor(*place.servers)
    start = time.perf_counter()
    for number in mails:
        place.service.door.publish(READ, number)
    while True:
        sweep(place.service)
        try:
            wait_until(is_done, 1, GLANCE)
            break
        except TimeoutError:
            assert time.perf_counter() < start + PATIENCE, "not done in time"
    wall = time.perf_counter() - start
    _drained(place)
    return Took(wall, processor(*group) - workers, processor(*place.servers) - servers)


def _mailed(place: Place) -> list[int]:
    """A mail of each seat is stored, as the listener does it, in answer to its report; their numbers."""
    arrived = []
    for match in place.matches:
        for seat in range(SEATS):
            report = match.letters(seat, "report")[-1]
            address = place.quiet.identity.reply_address(Mark(report.id, Purpose.ORDERS, 0))
            [raw] = numbered([gmail(original_of(report, address), EN, ROCKWELL)])
            raw = raw.replace(b"<reply0@", f"<{report.id}@".encode())
            arrived.append(Arrived(raw, clock.now(), f"<{report.recipient}>", (address,)))
    return store(place.quiet, arrived)


def _called(place: Place) -> tuple[int, float]:
    """Do all that is owed by plain calls; how many, and their processor time."""
    calls, took = 0, 0.0
    while tasks := owed(place.quiet):
        for task, number in tasks:
            calls += 1
            took += seconds(lambda task=task, number=number: perform(place.quiet, task, number))  # type: ignore[misc]
    return calls, took


def _due(place: Place) -> int:
    with place.quiet.reading() as session:
        return session.exec(select(func.count()).where(col(Game.deadline) < clock.now())).one()


def _settled(place: Place) -> bool:
    """Whether all mails are read, all that were ready are played and no letter is unsent."""
    queries = (
        select(func.count()).where(col(Inbound.status) == "stored"),
        select(func.count()).where(col(Game.settle_until).is_not(None)),
        select(func.count()).where(col(Letter.fate) != "sent"),
    )
    with place.quiet.reading() as session:
        return not any(session.exec(query).one() for query in queries)


def _reports(place: Place) -> int:
    with place.quiet.reading() as session:
        return session.exec(select(func.count()).where(col(Letter.kind) == "report")).one()


def _taken(place: Place) -> Counter[str]:
    """How many tasks of each kind the workers have begun so far."""
    found: Counter[str] = Counter()
    with Celery("bench", broker=place.service.settings.redis_url, set_as_current=False) as app:
        told = app.control.inspect(timeout=30, limit=2).stats() or {}
        assert len(told) == 2, "not every worker told what it had done"
        for each in told.values():
            found.update(each["total"])
    return found


def _idle(place: Place, group: tuple[int, ...]) -> float:
    """Processor time of a task that does nothing."""
    with Celery("bench", broker=place.service.settings.redis_url, set_as_current=False) as app:
        app.conf.update(BROKER)
        before = processor(*group)
        for _ in range(TASKS):
            app.send_task("celery.accumulate", args=[], queue="play", ignore_result=True)
        _drained(place)
        return (processor(*group) - before) / TASKS


def _drained(place: Place) -> None:
    """Until those who play have nothing left."""
    with _broker(place) as client:
        wait_until(lambda: not client.llen(PLAY) + client.llen(READING) + client.hlen("unacked"), PATIENCE, GLANCE)


def _broker(place: Place) -> Redis:
    return Redis(unix_socket_path=str(broker.socket(place.service.settings.data_dir)))


@contextmanager
def placed(folder: Path) -> Iterator[Place]:
    """Servers and games, with all that they keep in a folder with a short path. Raises Missing."""
    with running_postgresql(folder / "pg") as server, running_valkey(folder):
        keys.ensure(folder / "keys")
        settings = Settings(
            data_dir=folder,
            database_url=server.url(server.create()),
            redis_url=broker.url(folder),
            domain="play.example",
            smtp_port=1,
            undelivered_hours=0,
            invitations_a_day=1_000_000,
            answers_a_day=1_000_000,
        )
        service = Service.opened(settings, Celeried(settings.redis_url))
        migrate(service.database)
        quiet = Service(service.database, service.settings, service.identity)
        matches = [_begun(quiet, number) for number in range(GAMES)]
        with Redis(unix_socket_path=str(broker.socket(folder))) as client:
            servers = server.pid, int(client.info("server")["process_id"])
        yield Place(service, quiet, matches, servers)
        service.close()


def _begun(service: Service, number: int) -> Match:
    """A game whose players have no other."""
    guests = [Guest(f"{name.lower()}{number}@players.example", name) for name in NAMES[:SEATS]]
    plan = Plan("rockwell", guests, "brisk", stage_hours=24, settle_minutes=0, schedule=AT_ANY_HOUR)
    match = Match(service, create_game(service, plan))
    invite(service, match.code)
    for seat in range(SEATS):
        join(service, match.id, seat, "luck")
    assert advance(service, match.id)
    return match


def _sending_to(service: Service, port: int) -> Service:
    settings = service.settings.model_copy(update={"smtp_port": port})
    return Service(service.database, settings, service.identity, service.door)


@contextmanager
def _workers(place: Place, program: str, queues: Sequence[tuple[str, int]]) -> Iterator[tuple[int, ...]]:
    """Workers that are ready; the process above those of each queue."""
    settings, folder = place.service.settings, place.service.settings.data_dir
    with _broker(place) as client:
        client.flushall()  # nudges of workers that were ended before they had come to them
    ours = {
        "DATA_DIR": folder,
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "DOMAIN": settings.domain,
        "SMTP_PORT": settings.smtp_port,
        "UNDELIVERED_HOURS": settings.undelivered_hours,
        "ANSWERS_A_DAY": settings.answers_a_day,
        "LOG_LEVEL": "warning",
    }
    path = os.pathsep.join(str(ROOT / part) for part in ("", "tests/packages/tinygame"))
    environment = {**os.environ, "PYTHONPATH": path, **{PREFIX + name: str(value) for name, value in ours.items()}}
    running = []
    with (folder / "log").open("ab") as log:
        for queue, processes in queues:
            ready = folder / f"{queue}.ready"
            ready.unlink(missing_ok=True)
            words = ["worker", "--queues", queue, "--concurrency", str(processes), "--hostname", f"{queue}@%h"]
            command = [
                sys.executable,
                "-m",
                program,
                "-A",
                "worker.app",
                *words,
                "--without-gossip",
                "--without-mingle",
            ]
            given = {**environment, READY_FILE: str(ready)}
            running.append(_bound(command, given, log))
    try:
        wait_until(lambda: all((folder / f"{queue}.ready").exists() for queue, _ in queues), PATIENCE)
        yield tuple(process.pid for process in running)
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(PATIENCE)


def _bound(command: list[str], environment: Mapping[str, str], log: BinaryIO) -> "subprocess.Popen[bytes]":
    """A process that ends with us."""
    bound = bound_to_us()
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, preexec_fn=bound)  # noqa: PLW1509
