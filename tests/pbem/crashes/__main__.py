"""Runs one storm, in a folder of its own: `python -m tests.pbem.crashes --games 6 --kills 30`. 1 where something broke.

What was killed when is in `storm.log` there, with what the service said; the folder is kept where something broke.
"""

import argparse
import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from pbem.context import Service
from pbem.settings import load, settings
from tests.pbem.crashes import databases
from tests.pbem.crashes.checking import check
from tests.pbem.crashes.house import House, QuickHouse
from tests.pbem.crashes.storm import Storm, Storming, town
from tests.servers import apart, free_port, only_settings

DATABASES = {"sqlite": databases.sqlite, "postgresql": databases.postgresql}
ROOT = Path(__file__).parents[3]
ROOM = 64
"""Megabytes that a database has at least."""
STAGES_IN_A_MEGABYTE = 4
"""A quarter of what it holds, for more are played than have to be."""
RATE = 1440
"""A day in a minute."""


def configure(folder: Path, database_url: str) -> None:
    """Put the settings into the environment, which all processes inherit."""
    given = {
        "DATA_DIR": folder / "data",
        "DATABASE_URL": database_url,
        "DOMAIN": "play.demo",
        "MAIL_PORT": free_port(),
        "WEB_PORT": free_port(),
        "SMTP_PORT": free_port(),
        "SWEEP_SECONDS": 0.5,
        "LEASE_SECONDS": 2,
        "ATTEMPTS": 50,  # each death counts as a failure
        "ANSWERS_A_DAY": 10_000,
        "INVITATIONS_A_DAY": 10_000,
        # On a slow machine days pass before somebody joins: who is reminded meanwhile, and joins twice, answers a void
        # address, for sides are drawn when the game begins.
        "INVITATION_REMINDER_HOURS": 0,
        "INVITATION_HOURS": 8_760,
        "UNDELIVERED_HOURS": 0,
        "LOG_LEVEL": "warning",
        "CLOCK_RATE": RATE,
        "CLOCK_ORIGIN": datetime.now(UTC).isoformat(),  # noqa: TID251 - the time from which on it runs faster
    }
    only_settings(given)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        str(ROOT / part) for part in ("", "tests/packages/tinygame", "tests/packages/faultygame")
    )


@dataclass(frozen=True)
class Outcome:
    """What was counted; by program the places at which it died, and those to which it came no more in time; what could
    not be had on this machine."""

    counted: Counter[str]
    hit: Sequence[tuple[str, str]]
    missed: Sequence[tuple[str, str]]
    left_out: Sequence[str]


def run(plan: Storming, database: str, folder: Path, given: argparse.Namespace) -> Outcome:
    """Storm once. Raises Broken, TimeoutError."""
    with DATABASES[database](folder, ROOM + plan.stages // STAGES_IN_A_MEGABYTE) as base:
        configure(folder, base.url)
        settings.cache_clear()
        ours = load()
        house = (QuickHouse if given.forked else House)(ours, folder)
        service = Service.opened(ours)
        storm = Storm(plan, house, base, service, folder)
        try:
            with town(folder, ours, plan.seed):
                house.start()
                if given.points:
                    storm.order_deaths()
                storm.blow()
                storm.end()
            counted = storm.counted + check(service, folder, storm.log)
            hit, missed = (storm.orders.hit, storm.orders.open) if storm.orders is not None else ((), ())
            return Outcome(counted, hit, missed, base.missing)
        finally:
            service.close()
            house.close()


def _tell(outcome: Outcome, to: TextIO) -> None:
    print(f"left out: {', '.join(outcome.left_out) or 'nothing'}", file=to)
    for name, found in (("died at", outcome.hit), ("not passed again", outcome.missed)):
        print(f"{name} {len(found)} places: {', '.join(map(' '.join, found))}", file=to)
    print("; ".join(f"{number} {what}" for what, number in sorted(outcome.counted.items())), file=to, flush=True)


def main() -> int:
    """Run it and print what was counted."""
    parser = argparse.ArgumentParser(prog="python -m tests.pbem.crashes")
    parser.add_argument("--database", choices=DATABASES, default="postgresql")
    parser.add_argument("--games", type=int, default=200, help="games that are played at a time")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--stages", type=int, default=2000, help="stages that are to be resolved at least")
    parser.add_argument("--gap", type=float, default=1.0, help="real seconds between two kills, about")
    parser.add_argument("--lull", type=float, default=60.0, help="real seconds to wait for work between two, at most")
    parser.add_argument("--often", type=int, default=60, help="each other fault comes once in so many kills")
    parser.add_argument("--points", action="store_true", help="each program dies once at each of its points too")
    parser.add_argument("--forked", action="store_true", help="fork programs off one that has imported everything")
    parser.add_argument("--seed", default="", help="the same seed kills in the same order; else one is drawn")
    parser.add_argument("--json", action="store_true", help="print what was counted as JSON")
    parser.add_argument("--folder", type=Path, help="where its files are kept; else they go when all is well")
    given = parser.parse_args()
    seed = given.seed or str(secrets.randbelow(10**6))
    folder = Path(tempfile.mkdtemp(prefix="pbem-storm-", dir=given.folder))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    said = apart(folder / "service.log")
    print(f"seed {seed}, in {folder}", file=said, flush=True)
    plan = Storming(given.games, given.kills, given.stages, given.gap, given.lull, given.often, seed)
    try:
        outcome = run(plan, given.database, folder, given)
        if given.json:
            print(json.dumps(vars(outcome)), file=said, flush=True)
        else:
            _tell(outcome, said)
    except Exception:
        traceback.print_exc(file=said)
        return 1
    if not given.folder:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
