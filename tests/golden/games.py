"""Which games are golden: how each is played anew, by `python -m tests.golden --anew`."""

from dataclasses import dataclass
from typing import Any

from engine.contract import Setup
from engine.registry import load
from engine.rockwell.components import parsed

ROCKWELL = load("rockwell")
LIMIT = "turn_limit"
"""The option that ends a game before its rules do: one golden game has it alone."""
OTHERS = {name: values[1] for name, values in ROCKWELL.options().items() if name != LIMIT}
"""Each other option at a value that is not its default."""


@dataclass(frozen=True)
class Game:
    """What a golden game is played from."""

    seed: int
    setup: Setup
    pace: str
    rules: str = "rockwell"


def rich_set() -> dict[str, Any]:
    """A set of one's own, in which companies can pay for everything from the first turn on."""
    components = parsed()
    components["set"] = {"name": "rich", "edition": 1}
    components["start"].update(cubes=[6, 6, 4, 3], money=60_000)
    components["boards"]["four"]["workshop"] = [9, 9, 9]
    components["prices"]["market"] = {"zinc": 300, "copper": 500, "silver": 900, "gold": 1100}
    return components


def _options(*names: str) -> dict[str, Any]:
    return {name: OTHERS[name] for name in names}


GAMES = {
    "four-strict": Game(6, Setup(4), "strict"),
    "four-strict-again": Game(5, Setup(4), "strict"),
    "four-brisk": Game(3, Setup(4), "brisk"),
    "four-all-options": Game(1, Setup(4, OTHERS), "strict"),
    "four-some-options": Game(
        1, Setup(4, _options("passing_triggers", "achievement_ties", "safety_before_cut")), "brisk"
    ),
    "four-rich": Game(18, Setup(4, components=rich_set()), "brisk"),
    "four-rich-again": Game(17, Setup(4, components=rich_set()), "strict"),
    "four-rich-third": Game(8, Setup(4, components=rich_set()), "brisk"),
    "three-rich-again": Game(11, Setup(3, components=rich_set()), "strict"),
    "three-strict": Game(4, Setup(3), "strict"),
    "three-brisk": Game(5, Setup(3), "brisk"),
    "three-options": Game(1, Setup(3, _options("straddle_per_company", "phase_order", "award_for_none")), "strict"),
    "three-rich": Game(39, Setup(3, components=rich_set()), "strict"),
    "two-strict": Game(5, Setup(2), "strict"),
    "two-brisk": Game(6, Setup(2), "brisk"),
    "two-options": Game(1, Setup(2, OTHERS), "brisk"),
    "three-limited": Game(1, Setup(3, {LIMIT: 3}), "brisk"),
    "two-rich": Game(18, Setup(2, components=rich_set()), "strict"),
}
