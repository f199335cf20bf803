"""The order reader's worst: what 64 KB of the text that it likes least takes, of many kinds."""

from random import Random

from engine.chance import RandomChance
from engine.contract import Setup
from engine.orders.reader import read
from engine.registry import load
from tests.bench.figure import Figure, best, figure
from tests.engine.orders.floods import floods

BOUND = 50.0
"""Milliseconds that a reading may take."""


GAMES = (("rockwell", 4), ("brass_empire", 4))


def figures() -> list[Figure]:
    """Each game's slowest text, which is named, beside the bound."""
    return [_slowest(name, seats) for name, seats in GAMES]


def _slowest(name: str, seats: int) -> Figure:
    module = load(name)
    rules = module.bind(Setup(seats))
    view = rules.view(rules.start(RandomChance(Random(1)), []), 1)
    took = {
        kind: best(lambda text=text: read(text, module.language, view, rules=rules), 5) * 1000  # type: ignore[misc]
        for kind, text in floods().items()
    }
    slowest = max(took, key=lambda kind: took[kind])
    return figure(
        f"{name}: 64 KB read, slowest of {len(took)} kinds ({slowest})", took[slowest], "ms", BOUND, "the bound"
    )
