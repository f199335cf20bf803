"""Games of random and steady companies, looked at closely: `python -m tests.engine.rockwell.fuzz 1000 --seed 7`.

That many of each configuration: two, three and four companies, and options at random. A game that fails is saved under
`build/` and can be played again with `--replay FILE`, up to the very answer at which it failed.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.chance import pick_from
from engine.contract import Decision, Event, Rules, Setup
from engine.journal import Entry, canonical, decode
from engine.rockwell import MODULE
from engine.rockwell.components import tables
from engine.spaces import single
from engine.table import Answered, Table
from pbem import clock
from tests.engine.rockwell.counting import Counting
from tests.engine.rockwell.ledger import Ledger

BUILD = Path(__file__).parents[3] / "build"
MOST_DECISIONS = 20_000
MIXED = "options"
CONFIGURATIONS = ("2", "3", "4", MIXED)
"""Numbers of companies, with the usual options, and any number with options at random."""


class Broken(Exception):
    """What a game failed at: the first of it."""


class Saved(msgspec.Struct):
    """A game that failed: all that it takes to play it again, up to the answers at which it did, by seat."""

    setup: Setup
    secret: bytes
    why: str
    entries: list[msgspec.Raw]
    last: list[tuple[int, Any]] = []


class Watched:
    """A game whose every state is looked at, and its events with it."""

    def __init__(self, setup: Setup, secret: bytes) -> None:
        self.rules: Rules = MODULE.bind(setup)
        self._ledger = Ledger(tables(setup))
        self._counting = Counting(tables(setup))
        self.entries: list[Entry] = []
        self.table, entry, events = Table.begin(self.rules, secret, ())
        self._look(entry, events)

    def decide(self, answers: Mapping[int, Any]) -> None:
        """Carry out what the seats choose. Raises Broken for what is wrong then."""
        entry, events = self.table.decide({seat: Answered(choice, "standin") for seat, choice in answers.items()})
        self._look(entry, events)

    def _look(self, entry: Entry, events: Iterable[Event]) -> None:
        events = list(events)
        self.entries.append(entry)
        self._ledger.read(events)
        self._counting.read(events)
        state: Any = self.table.state
        broken = sorted({*self.rules.invariants(state), *self._counting.wrong(state)})
        if not self._ledger.agrees(state):
            broken.append("stock differs from what the events come to")
        if broken:
            raise Broken(", ".join(broken))


def first_seed() -> int:
    """Another every day, unless FUZZ_SEED names one: the seeds of a day's games count on from it."""
    return int(os.environ.get("FUZZ_SEED", clock.now().date().toordinal() * 100_000))


def setup_of(seed: int, configuration: str) -> Setup:
    """The setup of a game of that configuration."""
    random = Random(seed)
    if configuration != MIXED:
        return Setup(int(configuration))
    options = {name: random.choice(values) for name, values in MODULE.options().items()}
    return Setup(random.choice(MODULE.seat_numbers), options)


def play(seed: int, configuration: str, folder: Path = BUILD) -> int:
    """Play the game of a seed to its end; the number of its decisions. Raises Broken once the journal is saved."""
    setup, secret = setup_of(seed, configuration), seed.to_bytes(8, "big")
    last: dict[int, Any] = {}
    game: Watched | None = None
    try:
        game = Watched(setup, secret)
        _play(game, seed, last)
    except Exception as error:
        entries = game.entries if game is not None else []
        folder.mkdir(exist_ok=True)
        path = folder / f"rockwell-{configuration}-{seed}.journal"
        # The answers at which it failed are the last, whether or not there is an entry of them.
        played = entries[:-1] if isinstance(error, Broken) and len(entries) > 1 else entries
        path.write_bytes(canonical(Saved(setup, secret, repr(error), [*map(_raw, played)], sorted(last.items()))))
        raise Broken(f"{configuration}, seed {seed}, entry {len(entries)}: {error!r}; saved as {path}") from error
    return len(game.entries)


def _raw(entry: Entry) -> msgspec.Raw:
    return msgspec.Raw(canonical(entry))


def _play(game: Watched, seed: int, last: dict[int, Any]) -> None:
    random = Random(seed)
    pick = pick_from(random)
    rules = game.rules
    # Random companies go everywhere; among steady ones more is bought, and more is at stake.
    bots = [MODULE.bots["steady" if random.random() < 0.2 else "random"](rules) for _ in range(rules.setup.seats)]
    while True:
        state: Any = game.table.state
        decision = rules.pending(state)
        if decision is None:
            return
        if len(game.entries) > MOST_DECISIONS:
            raise Broken("endless")
        last.clear()
        for seat in decision.seats:
            last[seat] = bots[seat](rules.view(state, seat), decision, rules.space(state, seat), pick)
        _ask_for_a_reason(rules, state, decision)
        game.decide(last)


def _ask_for_a_reason(rules: Rules, state: Any, decision: Decision) -> None:
    """Nobody is asked what all know to have one answer. A seat may have insured cubes, and so have secrets."""
    for seat in decision.seats:
        if single(rules.space(state, seat)) and not any(state.companies[seat].account.high):
            raise Broken("a single choice, and everyone knows")


def again(path: Path) -> str:
    """Play a saved game up to where it failed; what it fails at, empty where it no longer does.

    Whatever else it raises now, it raises here too.
    """
    saved = msgspec.msgpack.decode(path.read_bytes(), type=Saved)
    rules = MODULE.bind(saved.setup)
    try:
        game = Watched(saved.setup, saved.secret)
        for raw in saved.entries[1:]:
            game.decide({given.seat: given.choice for given in decode(rules, bytes(raw)).answers})
        if saved.last:
            game.decide({seat: msgspec.convert(choice, rules.choice_type) for seat, choice in saved.last})
    except Broken as broken:
        return str(broken)
    return ""


def many(games: int, seed: int, jobs: int) -> Iterator[int | str]:
    """Play that many games of each configuration; of each its decisions, or what it failed at."""
    each = [(number, configuration) for number in range(seed, seed + games) for configuration in CONFIGURATIONS]
    with Pool(jobs) as pool:
        yield from pool.imap_unordered(_told, each, chunksize=8)


def _told(game: tuple[int, str]) -> int | str:
    try:
        return play(*game)
    except Broken as broken:
        return str(broken)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play many games; 1 where one fails."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Play random games of Rockwell and check every state.")
    parser.add_argument("games", type=int, nargs="?", default=100, help="of each configuration")
    parser.add_argument("--seed", type=int, default=first_seed(), help="of the first game; the others count on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes play")
    parser.add_argument("--replay", type=Path, help="a saved game")
    given = parser.parse_args(arguments)
    if given.replay is not None:
        print(again(given.replay) or "nothing is wrong with it any more")
        return 0
    print(f"FUZZ_SEED={given.seed}", flush=True)
    played = failed = decisions = 0
    for outcome in many(given.games, given.seed, given.jobs):
        played += 1
        if isinstance(outcome, str):
            failed += 1
            print(outcome)
        else:
            decisions += outcome
        if not played % 1000:
            print(f"{played} games", file=sys.stderr, flush=True)
    print(f"{played} games ({', '.join(CONFIGURATIONS)}), {decisions} decisions, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
