"""Games of random and steady companies, looked at closely: `python -m tests.engine.rockwell.fuzz 1000 --seed 7`.

That many of each configuration: two, three and four companies, and options at random. See `tests.engine.fuzzing`.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from engine.contract import Decision, Event, Rules, Setup
from engine.rockwell import MODULE
from engine.spaces import single
from tests.engine import fuzzing
from tests.engine.fuzzing import BUILD, Broken, Fuzz
from tests.engine.rockwell.counting import Counting
from tests.engine.rockwell.ledger import Ledger

MIXED = "options"
CONFIGURATIONS = ("2", "3", "4", MIXED)
"""Numbers of companies, with the usual options, and any number with options at random."""


class _Books:
    """The stocks and all that is counted."""

    def __init__(self, rules: Any) -> None:
        self._ledger = Ledger(rules.tables)
        self._counting = Counting(rules.tables)

    def read(self, events: Sequence[Event]) -> None:
        self._ledger.read(events)
        self._counting.read(events)

    def wrong(self, state: Any) -> Iterator[str]:
        yield from self._counting.wrong(state)
        if not self._ledger.agrees(state):
            yield "stock differs from what the events come to"


def setup_of(seed: int, configuration: str) -> Setup:
    """The setup of a game of that configuration."""
    random = Random(seed)
    if configuration != MIXED:
        return Setup(int(configuration))
    options = {name: random.choice(values) for name, values in MODULE.options().items()}
    return Setup(random.choice(MODULE.seat_numbers), options)


def _levels(random: Random, setup: Setup) -> list[str]:
    """Random companies go everywhere; among steady ones more is bought, and more is at stake."""
    return ["steady" if random.random() < 0.2 else "random" for _ in range(setup.seats)]


def _ask_for_a_reason(rules: Rules, state: Any, decision: Decision) -> None:
    """Nobody is asked what all know to have one answer. A seat may have insured cubes, and so have secrets."""
    for seat in decision.seats:
        if single(rules.space(state, seat)) and not any(state.companies[seat].account.high):
            raise Broken("a single choice, and everyone knows")


FUZZ = Fuzz(MODULE, CONFIGURATIONS, setup_of, _levels, _Books, _ask_for_a_reason)


def play(seed: int, configuration: str, folder: Path = BUILD) -> int:
    """Play the game of a seed to its end; the number of its decisions. Raises Broken once it is saved."""
    return fuzzing.play(FUZZ, seed, configuration, folder)


def again(path: Path) -> str:
    """Play a saved game up to where it failed; what it fails at, empty where it no longer does."""
    return fuzzing.again(FUZZ, path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play many games; 1 where one fails."""
    return fuzzing.main(FUZZ, arguments)


if __name__ == "__main__":
    sys.exit(main())
