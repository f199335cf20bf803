"""Games of random and steady companies, looked at closely: `python -m tests.engine.brass_empire.fuzz 1000 --seed 7`.

That many of each configuration: every number of companies, and every variant. See `tests.engine.fuzzing`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from engine.brass_empire import MODULE
from engine.contract import Setup
from tests.engine import fuzzing
from tests.engine.brass_empire.account import Account
from tests.engine.fuzzing import BUILD, Fuzz

VARIANTS: dict[str, dict[str, Any]] = {
    "1": {},
    "1-equal": {"equal_turns": True},
    "2": {},
    "3": {},
    "4": {},
    "5": {},
    "6": {},
    "4-teams": {"teams": True},
    "6-teams": {"teams": True, "team_hands": True},
    "2-battle": {"battle": True},
    "3-battle": {"battle": True, "health_cap": False},
    "4-battle": {"battle": True, "teams": True},
    "3-first": {"first_edition": True},
    "2-reserve": {"custom_reserve": True},
    "6-reserve": {"custom_reserve": True, "corporation_cards_in_pools": True, "reserve_brass": 12},
    "3-limited": {"turn_limit": 5},
    "1-limited": {"turn_limit": 8},
    "4-brief": {"battle": True, "teams": True, "turn_limit": 6},
    "3-rulings": {"bought_at_end": True, "demolish_triggers_destroyed": False, "pool": 90},
}
"""By configuration its options; it begins with the number of companies."""


def setup_of(configuration: str) -> Setup:
    """The setup of a configuration."""
    return Setup(int(configuration.split("-", maxsplit=1)[0]), VARIANTS[configuration])


def _levels(random: Random, setup: Setup) -> list[str]:
    """Random companies go everywhere; among steady ones more is bought, and a battle is won before its last round."""
    steady = random.random() < (0.9 if setup.options.get("battle") else 0.3)
    return ["steady" if steady and random.random() < 0.8 else "random" for _ in range(setup.seats)]


FUZZ = Fuzz(
    MODULE,
    tuple(VARIANTS),
    lambda seed, configuration: setup_of(configuration),
    _levels,
    lambda rules: Account(rules.tables),
)


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
