"""Runs one day, in a folder of its own: `python -m tests.pbem.day --hours 2`. 1 where it does not go as it should.

`--write` writes one that does to docs/benchmarks.md, as the section of such days.

What the service said is in `service.log` there; the folder is kept where something went wrong.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

import msgspec

from pbem import clock, keys
from pbem.context import Service
from pbem.settings import Settings, load, settings
from pbem.storage.migrate import migrate
from pbem.supervisor import datadir
from pbem.supervisor.child import Child
from pbem.supervisor.programs import programs
from pbem.supervisor.up import child_environment
from tests.bench.written import machine, write_day
from tests.pbem.day import judging
from tests.pbem.day.games import due, make, spread, warm
from tests.pbem.day.judging import Plan, Result
from tests.pbem.day.page import section
from tests.pbem.day.players import Players, taking_letters, writing
from tests.pbem.day.watching import Left, Watch, line
from tests.servers import apart, free_port, only_settings, running_postgresql, wait_until

PATIENCE = 600.0
"""Seconds that programs have to be ready: the machine may be busy."""
STUCK = 60.0
"""Seconds in which nothing is done of what is owed in the end, and after which nothing will be."""
LOOKS, LOOK, TELL = 40, 2.0, 60.0
"""How often the processes are looked at, at least, and the most seconds between two looks and between two lines."""
GLANCE = 0.5
"""Seconds between two looks whether something has been done."""
DAY = 24 * 3600


def configure(folder: Path, database_url: str, rate: float) -> Settings:
    """Put the settings into the environment, which all processes inherit."""
    given = {
        "DATA_DIR": folder / "data",
        "DATABASE_URL": database_url,
        "DOMAIN": "play.example",
        "MAIL_PORT": free_port(),
        "WEB_PORT": free_port(),
        "SMTP_PORT": free_port(),
        "INVITATIONS_A_DAY": 10_000,
        "LOG_LEVEL": "warning",
        "CLOCK_RATE": rate,
        "CLOCK_ORIGIN": datetime.now(UTC).isoformat(),  # noqa: TID251 - the time from which on it runs faster
    }
    only_settings(given)
    settings.cache_clear()
    clock.use(None)
    return load()


def run(plan: Plan, folder: Path, said: TextIO) -> Result:
    """One day. Raises TimeoutError, and RuntimeError where a program ended."""
    with running_postgresql(folder / "pg") as server:
        ours = configure(folder, server.url(server.create()), plan.rate)
        keys.ensure(ours.keys)
        service = Service.opened(ours)
        migrate(service.database)
        many = make(service, plan.games, plan.stage_hours)
        print(f"{plan.games} games made", file=said, flush=True)
        with taking_letters(ours.smtp_port) as office, _running(ours) as children:
            early = warm(service, many)
            wait_until(lambda: not due(service, early), PATIENCE, GLANCE)
            spread(service, many, plan.stage_hours)
            players = Players(service, many, plan.mails / DAY * plan.rate, plan.seed)
            watch = Watch(service, {name: child.pid for name, child in children.items()}, server.pid)
            with writing(players):
                _pass(plan, watch, children, said)
            seen, end = watch.seen(), clock.now()
            print(line(seen, clock.now() - timedelta(hours=plan.hours)), file=said, flush=True)
            left, leaked = _left(watch, end), watch.leaked()
        service.close()
    return Result(seen, leaked, players.counted["mails"], office.taken, players.behind, left, os.getloadavg()[2])


def _left(watch: Watch, until: datetime) -> Left:
    """What is left of what came until then, once there is nothing, or none of it has been done for long."""
    left, since = watch.left(until), time.monotonic()
    while left and time.monotonic() < since + STUCK:
        time.sleep(GLANCE)
        watch.look()
        before, left = left, watch.left(until)
        if left != before:
            since = time.monotonic()
    return left


def _pass(plan: Plan, watch: Watch, children: Mapping[str, Child], said: TextIO) -> None:
    begun = clock.now()
    length = plan.hours * 3600 / plan.rate
    end, look = time.monotonic() + length, min(LOOK, length / LOOKS)
    told = time.monotonic()
    while time.monotonic() < end:
        time.sleep(max(0.0, min(look, end - time.monotonic())))
        ended = [name for name, child in children.items() if not child.running()]
        if ended:
            raise RuntimeError(f"ended: {', '.join(ended)}")
        watch.look()
        if time.monotonic() > told + TELL:
            told = time.monotonic()
            print(line(watch.seen(), begun), file=said, flush=True)


@contextmanager
def _running(ours: Settings) -> Iterator[dict[str, Child]]:
    """The programs of `pbem up`, all ready, for the time of a block."""
    held = datadir.claim(ours.data_dir)
    environment = child_environment(ours)
    groups = [[Child(program, environment, held) for program in group] for group in programs(ours)]
    children = {child.program.name: child for group in groups for child in group}
    try:
        for group in groups:
            for child in group:
                child.start()
            wait_until(lambda group=group: all(child.program.ready() for child in group), PATIENCE)  # type: ignore[misc]
        yield children
    finally:
        for group in reversed(groups):
            for child in group:
                child.ask_to_stop()
            for child in group:
                child.stop()
        os.close(held)


def main() -> int:
    """Run it and print what was seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.pbem.day")
    parser.add_argument("--games", type=int, default=20_000, help="games that are played")
    parser.add_argument("--mails", type=int, default=60_000, help="mails that players write in a day")
    parser.add_argument("--hours", type=float, default=24, help="hours of the service's clock")
    parser.add_argument("--rate", type=float, default=30, help="how many seconds of that go by in one")
    parser.add_argument("--stage-hours", type=float, default=48, help="time for a stage")
    parser.add_argument("--seed", default="1", help="the same seed draws the same players")
    told = parser.add_mutually_exclusive_group()
    told.add_argument("--json", action="store_true", help="print what was seen as JSON, and judge nothing")
    told.add_argument("--write", action="store_true", help="write a day as it should be to docs/benchmarks.md")
    parser.add_argument("--folder", type=Path, help="where its files are kept; else they go when all is well")
    given = parser.parse_args()
    plan = Plan(given.games, given.mails, given.hours, given.rate, given.stage_hours, given.seed)
    folder = Path(tempfile.mkdtemp(prefix="pbem-day-", dir=given.folder))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    where = _where() if given.write else ""  # before the clock goes faster, and of the files that the programs read
    said = apart(folder / "service.log")
    try:
        result = run(plan, folder, sys.stderr if given.json else said)
    except Exception:
        traceback.print_exc(file=said)
        return 1
    if given.json:
        print(msgspec.json.encode(result).decode(), file=said, flush=True)
        wrong = []
    else:
        wrong = judging.large(result)
        print("\n".join(wrong) or "a day as it should be", file=said, flush=True)
    if given.write and not wrong:
        write_day(section(plan, result.seen, where))
    if not wrong and not given.folder:
        shutil.rmtree(folder)
    return 1 if wrong else 0


def _where() -> str:
    """The commit too: a day is not had as often as other figures of the page."""
    git = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.check_output(git, cwd=Path(__file__).parent, text=True).strip()
    return f"{machine()}; commit {commit}."


if __name__ == "__main__":
    sys.exit(main())
