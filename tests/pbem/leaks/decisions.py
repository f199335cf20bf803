"""The law at every decision of random games: what a seat knows, may do and is told is the same in every state that it
must think possible."""

from collections import Counter
from random import Random
from typing import Any

from engine import registry
from engine.conformance import views
from engine.contract import RulesModule, Setup
from engine.errors import BadSetup


def setup_of(module: RulesModule, seats: int, seed: int) -> Setup:
    """A setup with that many seats, every other one with options at random, where the rules can be played with them."""
    random = Random(f"{seed}/{seats}")
    if seed % 2 == 0:
        return Setup(seats, version=module.version)
    chosen: dict[str, Any] = {name: random.choice(values) for name, values in module.options().items()}
    made = Setup(seats, chosen, version=module.version)
    return made if _playable(module, made) else Setup(seats, version=module.version)


def look(name: str, games: int, seed: int) -> Counter[str]:
    """So many games of each number of seats; what was counted. Raises Broken for a leak."""
    module, counted = registry.load(name), Counter[str]()
    for seats in module.seat_numbers:
        for number in range(seed, seed + games):
            rules = module.bind(setup_of(module, seats, number))
            views.unleaked(module, rules, number)
            counted[f"games of {seats}"] += 1
    return counted


def _playable(module: RulesModule, setup: Setup) -> bool:
    try:
        registry.bind(module.name, setup)
    except BadSetup:
        return False
    return True
