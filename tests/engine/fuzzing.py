"""Games of random and steady stand-ins, looked at closely, for any rules: `Fuzz` says what is special to one game.

A game that fails is saved under `build/` and can be played again with `--replay FILE`, up to the very answers at which
it failed: its chance follows from a secret, stream by stream, and its answers are kept, so no stand-in is asked again.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any, Protocol

import msgspec

from engine.chance import KeyedChance, pick_from
from engine.contract import Decision, Event, Rules, RulesModule, Setup
from engine.journal import canonical
from engine.spaces import check
from pbem import clock

BUILD = Path(__file__).parents[2] / "build"
MOST_DECISIONS = 20_000


class Broken(Exception):
    """What a game failed at: the first of it."""


class Onlooker(Protocol):
    """Somebody who keeps books of a game from its events alone."""

    def read(self, events: Sequence[Event]) -> None:
        """What happened."""
        ...

    def wrong(self, state: Any) -> Iterable[str]:
        """What a state has otherwise than the books."""
        ...


@dataclass(frozen=True)
class Fuzz:
    """What is special to one game.

    `levels` draws the stand-ins of a game by seat; `doubt` raises Broken for a decision that should not be asked.
    """

    module: RulesModule
    configurations: tuple[str, ...]
    setup: Callable[[int, str], Setup]
    levels: Callable[[Random, Setup], list[str]]
    onlooker: Callable[[Any], Onlooker]
    doubt: Callable[[Rules, Any, Decision], None] = lambda rules, state, decision: None


class Saved(msgspec.Struct):
    """A game that failed: all that it takes to play it again. `answers` are those of each decision, by seat."""

    setup: Setup
    secret: bytes
    why: str
    answers: list[list[tuple[int, Any]]]


class Watched:
    """A game whose every state is looked at, and its events with it. `answers` are those given so far."""

    def __init__(self, fuzz: Fuzz, setup: Setup, secret: bytes) -> None:
        self.answers: list[list[tuple[int, Any]]] = []
        self.rules: Rules = fuzz.module.bind(setup)
        self._onlooker = fuzz.onlooker(self.rules)
        self._chance = KeyedChance(secret, (), 0, {})
        self._events: list[Event] = []
        self.state: Any = self.rules.start(self._chance, self._events)

    def decide(self, answers: Mapping[int, Any]) -> None:
        """Carry out what the seats choose. Raises Illegal, and whatever carrying it out raises."""
        self.answers.append(sorted(answers.items()))
        for seat, choice in answers.items():
            check(self.rules.space(self.state, seat), choice)
        self._chance.take()
        self._events.clear()
        self.rules.apply(self.state, answers, self._chance, self._events)

    def look(self) -> None:
        """Raises Broken for what is wrong now."""
        self._onlooker.read(self._events)
        broken = sorted({*self.rules.invariants(self.state), *self._onlooker.wrong(self.state)})
        if broken:
            raise Broken(", ".join(broken))


def first_seed() -> int:
    """Another every day, unless FUZZ_SEED names one: the seeds of a day's games count on from it."""
    return int(os.environ.get("FUZZ_SEED", clock.now().date().toordinal() * 100_000))


def play(fuzz: Fuzz, seed: int, configuration: str, folder: Path = BUILD) -> int:
    """Play the game of a seed to its end; the number of its decisions. Raises Broken once it is saved."""
    setup, secret = fuzz.setup(seed, configuration), seed.to_bytes(8, "big")
    game: Watched | None = None
    try:
        game = Watched(fuzz, setup, secret)
        _play(fuzz, game, Random(seed))
    except Exception as error:
        answers = game.answers if game is not None else []
        folder.mkdir(exist_ok=True)
        path = folder / f"{fuzz.module.name}-{configuration}-{seed}.journal"
        path.write_bytes(canonical(Saved(setup, secret, repr(error), answers)))
        raise Broken(f"{configuration}, seed {seed}, decision {len(answers)}: {error!r}; saved as {path}") from error
    return len(game.answers)


def _play(fuzz: Fuzz, game: Watched, random: Random) -> None:
    pick = pick_from(random)
    rules = game.rules
    bots = [fuzz.module.bots[level](rules) for level in fuzz.levels(random, rules.setup)]
    game.look()
    while (decision := rules.pending(game.state)) is not None:
        if len(game.answers) > MOST_DECISIONS:
            raise Broken("endless")
        fuzz.doubt(rules, game.state, decision)
        game.decide(
            {
                seat: bots[seat](rules.view(game.state, seat), decision, rules.space(game.state, seat), pick)
                for seat in decision.seats
            }
        )
        game.look()


def again(fuzz: Fuzz, path: Path) -> str:
    """Play a saved game up to where it failed; what it fails at, empty where it no longer does.

    Whatever else it raises now, it raises here too.
    """
    saved = msgspec.msgpack.decode(path.read_bytes(), type=Saved)
    game = Watched(fuzz, saved.setup, saved.secret)
    choice_type = game.rules.choice_type
    try:
        game.look()
        for answers in saved.answers:
            game.decide({seat: msgspec.convert(choice, choice_type) for seat, choice in answers})
            game.look()
    except Broken as broken:
        return str(broken)
    return ""


def many(fuzz: Fuzz, games: int, seed: int, jobs: int, configurations: Sequence[str]) -> Iterator[int | str]:
    """Play that many games of each configuration; of each its decisions, or what it failed at."""
    each = [(number, configuration) for number in range(seed, seed + games) for configuration in configurations]
    with Pool(jobs, _enter, (fuzz,)) as pool:
        yield from pool.imap_unordered(_told, each, chunksize=8)


_entered: list[Fuzz] = []
"""In a process of a pool the one that it plays."""


def _enter(fuzz: Fuzz) -> None:
    _entered[:] = [fuzz]


def _told(game: tuple[int, str]) -> int | str:
    try:
        return play(_entered[0], *game)
    except Broken as broken:
        return str(broken)


def main(fuzz: Fuzz, arguments: Sequence[str] | None = None) -> int:
    """Play many games; 1 where one fails."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Play random games and check every state.")
    parser.add_argument("games", type=int, nargs="?", default=100, help="of each configuration")
    parser.add_argument("--seed", type=int, default=first_seed(), help="of the first game; the others count on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes play")
    parser.add_argument("--only", choices=fuzz.configurations, help="one configuration alone")
    parser.add_argument("--replay", type=Path, help="a saved game")
    given = parser.parse_args(arguments)
    if given.replay is not None:
        print(again(fuzz, given.replay) or "nothing is wrong with it any more")
        return 0
    configurations = (given.only,) if given.only else fuzz.configurations
    print(f"FUZZ_SEED={given.seed}", flush=True)
    played = failed = decisions = 0
    for outcome in many(fuzz, given.games, given.seed, given.jobs, configurations):
        played += 1
        if isinstance(outcome, str):
            failed += 1
            print(outcome, flush=True)
        else:
            decisions += outcome
        if not played % 10_000:
            print(f"{played} games of {given.games * len(configurations)}", file=sys.stderr, flush=True)
    print(f"{played} games ({', '.join(configurations)}), {decisions} decisions, {failed} failed")
    return 1 if failed else 0
