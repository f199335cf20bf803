"""What reports, letters, acknowledgements, checks, refusals, lists and rows tell a seat, at random moments of games."""

from collections import Counter
from random import Random

import pytest

from engine import registry
from engine.contract import Setup
from tests.bench.engine import random_game
from tests.pbem.games.leaks import search

MOMENTS = 3


def look(name: str, games: int, seed: int) -> Counter[str]:
    """So many games, of each number of seats and at each pace in turn, at three moments each. Raises Leak."""
    module, counted, random = registry.load(name), Counter[str](), Random(seed)
    for number in range(games):
        seats = module.seat_numbers[number % len(module.seat_numbers)]
        length = random_game(module.bind(Setup(seats)), seed + number)
        with pytest.MonkeyPatch.context() as patched:
            looked = search(patched, name, random.choice(module.paces), seed + number)
            for _ in range(MOMENTS):
                looked.game(seats, random.randrange(length), 1)
            counted += looked.counts
    return counted
