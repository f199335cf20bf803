"""Many games and mails for a long time: `./run soak` does all, `./run soak games` (or another name of a part) one.

`games` plays them at once through the whole service in one process, for months of its clock. Players write orders that
their game's language offers, write nonsense, keep silent, come too late. At the end every game must be over, none set
aside, and every journal must replay from its secret. `mail` reads mutated mails, for ten minutes or as long as is asked
for. `fuzz` plays 10,000 random games of Rockwell, and as many of each number of companies and each variant of Brass
Empire, and looks at every state: see `tests.engine.rockwell.fuzz`, `tests.engine.brass_empire.fuzz`. `year` plays 200
games that nobody moderates, among people as they are, and tells how they fared: see `tests.pbem.year`. `storm` rules on
20 games 2,000 times at random, and on until each command in each way has been done, while players, clock, post and
process do as they like: see `tests.pbem.storm`. `api` calls the API at random from its own document: see
`tests.pbem.web.api.fuzzing`. `crash` kills the processes of a real service 1,000 times, and lets its servers and disk
fail, under a load of 200 games: see `tests.pbem.crashes`. `service` lets a day of a large one pass at thirty times the
speed, which takes three quarters of an hour; with `--write` docs/benchmarks.md tells of it: see `tests.pbem.day`.
"""

import argparse
import logging
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import timedelta
from itertools import count, takewhile
from pathlib import Path
from random import Random

import msgspec
import structlog

from engine.orders.writer import write
from pbem import clock
from pbem.collector import relax
from pbem.context import Service
from pbem.games.position import position
from pbem.records.verifying import verify
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database
from pbem.sweep import settle
from tests.compiled import share_routes, share_statements
from tests.engine.brass_empire import fuzz as brass_fuzz
from tests.engine.rockwell import fuzz
from tests.pbem.leaks import decisions, pages, told
from tests.pbem.mail.fuzzing import Fuzzer
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.storm import running as storm
from tests.pbem.web.api import fuzzing as api
from tests.pbem.year import running as year
from tests.pbem.year.figures import page, table

NONSENSE = ("Hello all, sorry for the delay", "bid tomorrow", "to all: good luck", "not ready", "show orders")
MOST_ROUNDS = 2000
LEAK_PART = 30
"""How many games one process looks for leaks in, before another part is begun: any number of seats divides it."""


def play(service: Service, rules: Sequence[str], games: int, random: Random) -> Counter[str]:
    """Play that many games to their ends; what was counted. Raises SystemExit for one that does not end well."""
    paces = ("strict", "brisk")
    matches = [
        begun(service, rules[number % len(rules)], 4, pace=random.choice(paces), code=f"soak{number}")
        for number in range(games)
    ]
    counted: Counter[str] = Counter()
    for _ in range(MOST_ROUNDS):
        open_ = [match for match in matches if match.game.status == "playing" and not match.game.aside]
        if not open_:
            break
        counted["rounds"] += 1
        if counted["rounds"] % 20 == 0:
            print("; ".join(f"{match.code} {match.game.stage_key}" for match in open_), file=sys.stderr, flush=True)
        for match in open_:
            _turn(match, random, counted)
        settle(service)
        clock.shift(timedelta(hours=random.choice((1, 6, 25))))
        settle(service)
    bad = [match.code for match in matches if match.game.status != "over" or verify(service, match.code).problem]
    if bad:
        raise SystemExit(f"not over, set aside, or not the same again: {', '.join(bad)}")
    counted["entries"] = sum(len(match.entries()) for match in matches)
    return counted


def read_mutated(service: Service, minutes: float, seed: int) -> Counter[str]:
    """Read mutated mails for that long; what was counted. Raises what reading raises, and for a forgery believed."""
    fuzzer = Fuzzer(begun(service, "tinygame", 3, pace="brisk"), seed)
    end = time.monotonic() + 60 * minutes
    fuzzer.run(takewhile(lambda _: time.monotonic() < end, count()))
    return fuzzer.counted


def _turn(match: Match, random: Random, counted: Counter[str]) -> None:
    """Each seat writes, or does not."""
    for seat in match.seats:
        if seat.ready or random.random() < 0.2:
            counted["silent"] += 1
            continue
        game = match.game
        if game.status != "playing":
            return
        late = random.random() < 0.05
        match.posted += 1
        post = Post(
            match.id,
            seat.number,
            _text(match, seat.number, random),
            "mail",
            f"soak/{match.code}/{match.posted}",
            clock.now() - timedelta(seconds=1),
            (game.line, "0-none") if late else None,
        )
        submit(match.service, post)
        counted["late" if late else "submissions"] += 1


def _text(match: Match, number: int, random: Random) -> str:
    with match.service.reading() as session:
        stands = position(session, match.id)
    view = stands.rules.view(stands.table.state, number)
    language = stands.module.language
    lines = [random.choice(NONSENSE)] if random.random() < 0.3 else []
    for asked in stands.rules.agenda(view, stands.game.pace):
        ideas = list(language.ideas(stands.rules, view, asked.kind, asked.round))
        if ideas and random.random() < 0.9:
            lines.append(write(random.choice(ideas), language, view))
    return "\n".join([*lines, *(["ready"] if random.random() < 0.7 else [])])


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one part, or all, and print what was counted; 1 where a random game fails."""
    parser = argparse.ArgumentParser(prog="soak", description="Play many games and read many mails for a long time.")
    parser.add_argument("what", nargs="?", choices=_PARTS, help="what to go on with; else all, one after the other")
    parser.add_argument("--minutes", type=float, default=10, help="for how long mutated mails are read")
    parser.add_argument("--games", type=int, default=12, help="how many games through the whole service")
    parser.add_argument("--random-games", type=int, default=10_000, help="how many random games")
    parser.add_argument("--year-games", type=int, default=200, help="how many games of a year that nobody moderates")
    parser.add_argument("--storm-games", type=int, default=20, help="how many games are in the storm at once")
    parser.add_argument("--steps", type=int, default=2000, help="how many rulings the storm has")
    parser.add_argument("--examples", type=int, default=500, help="how often each call of the API is made each way")
    parser.add_argument("--leak-games", type=int, default=1000, help="how many random games leaks are looked for in")
    parser.add_argument("--jobs", type=int, default=1, help="in how many processes years and leaks are played")
    parser.add_argument("--json", action="store_true", help="print their figures as JSON")
    parser.add_argument("--page", type=Path, help="write their figures as a page to this file")
    parser.add_argument(
        "--rules", nargs="+", default=["rockwell", "brass_empire", "tinygame"], help="of which games, in turn"
    )
    parser.add_argument("--crash-games", type=int, default=200, help="how many games the crash storm has at a time")
    parser.add_argument("--kills", type=int, default=1000, help="how many processes it kills")
    parser.add_argument("--stages", type=int, default=2000, help="how many stages it has to resolve at least")
    parser.add_argument("--service-games", type=int, default=20_000, help="how many games the large service has")
    parser.add_argument("--service-mails", type=int, default=60_000, help="how many mails come in a day there")
    parser.add_argument("--hours", type=float, default=24, help="how many hours of its clock pass")
    parser.add_argument("--rate", type=float, default=30, help="how many times as fast as others that clock goes")
    parser.add_argument("--write", action="store_true", help="write its day to docs/benchmarks.md if all went well")
    parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same")
    parser.add_argument("--database", default="", help="a database of its own; else a file that is thrown away")
    given = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    return max(_PARTS[part](given) for part in ([given.what] if given.what else _PARTS))


def _games(given: argparse.Namespace) -> int:
    counted = _on_service(given, lambda service: play(service, given.rules, given.games, Random(given.seed)))
    return _counted(f"{given.games} games over", counted)


def _mail(given: argparse.Namespace) -> int:
    counted = _on_service(given, lambda service: read_mutated(service, given.minutes, given.seed))
    return _counted("mutated mails read", counted)


def _fuzz(given: argparse.Namespace) -> int:
    rockwell = fuzz.main([str(-(-given.random_games // len(fuzz.CONFIGURATIONS)))])
    return max(rockwell, brass_fuzz.main([str(given.random_games)]))


def _year(given: argparse.Namespace) -> int:
    found = year.run(given.year_games, str(given.seed), given.jobs)
    print(msgspec.json.format(msgspec.json.encode(found)).decode() if given.json else table(found), flush=True)
    if given.page:
        given.page.write_text(page(found), encoding="utf-8")
    return 0


def _storm(given: argparse.Namespace) -> int:
    found = storm.fresh(str(given.seed), given.storm_games, given.steps)
    ways = Counter({f"{name} ({way})": number for (name, way), number in found.rulings.done.items()})
    print(f"never reached: {', '.join(found.missed) or 'nothing'}")
    return _counted(f"{given.steps} rulings weathered, {found.ended}", found.counted + ways)


def _api(given: argparse.Namespace) -> int:
    counted = _on_service(given, lambda service: api.fuzz(_called(service), given.seed, given.examples))
    return _counted("calls answered as the document says", counted)


def _crash(given: argparse.Namespace) -> int:
    """In a process of its own: it has settings, a clock and processes of its own."""
    size = ("--games", given.crash_games, "--kills", given.kills, "--stages", given.stages, "--seed", given.seed)
    return subprocess.call([sys.executable, "-m", "tests.pbem.crashes", "--points", "--forked", *map(str, size)])


def _service(given: argparse.Namespace) -> int:
    """In a process of its own as well."""
    size = (
        "--games",
        given.service_games,
        "--mails",
        given.service_mails,
        "--hours",
        given.hours,
        "--rate",
        given.rate,
    )
    write = ["--write"] if given.write else []
    return subprocess.call([sys.executable, "-m", "tests.pbem.day", *map(str, size), *write])


def _leaks(given: argparse.Namespace) -> int:
    looks = {
        decisions.look: given.leak_games,
        told.look: given.leak_games * 3 // 10,
        pages.look: given.leak_games * 3 // 10,
    }
    with ProcessPoolExecutor(given.jobs, initializer=_ready) as processes:
        for name in given.rules:
            for look, number in looks.items():
                parts = [
                    processes.submit(look, name, min(LEAK_PART, number - done), given.seed + done)
                    for done in range(0, max(1, number), LEAK_PART)
                ]
                counted = sum((part.result() for part in as_completed(parts)), Counter[str]())
                _counted(f"{name}, no leak: {look.__module__.rpartition('.')[2]}", counted)
    return 0


def _ready() -> None:
    """Of a process that makes thousands of applications and databases, all alike."""
    share_routes()
    share_statements()
    relax()


def _called(service: Service) -> Match:
    return begun(service, "tinygame", 3, pace="brisk", policy={"press": "choose"})


_PARTS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "games": _games,
    "mail": _mail,
    "fuzz": _fuzz,
    "year": _year,
    "storm": _storm,
    "api": _api,
    "leaks": _leaks,
    "crash": _crash,
    "service": _service,
}


def _on_service(given: argparse.Namespace, work: Callable[[Service], Counter[str]]) -> Counter[str]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(given.database or f"sqlite:///{Path(folder) / 'soak.sqlite3'}")
        migrate(database)
        counted = work(service_on(database, maildir=Path(folder) / "mail"))
        database.close()
    return counted


def _counted(done: str, counted: Counter[str]) -> int:
    print(f"{done}: " + ", ".join(f"{number} {what}" for what, number in sorted(counted.items())), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
