"""How good a state is for a company: its chance to win, as far as its own and the others' prospects tell."""

import math
import tomllib
from functools import cache
from pathlib import Path
from typing import TypeAlias

from engine.rockwell import ending
from engine.rockwell.ahead.features import NAMES, features, stages_of
from engine.rockwell.components import Tables
from engine.rockwell.state import State

WEIGHTS = Path(__file__).parent / "weights.toml"
FIRST = 2.0
"""What the first place is worth beside the prestige when the game is over."""
SURE = 1.5
"""Points of prestige by which one company is about e times as likely to win as another, at the end."""
VAGUE, LESS_VAGUE = 8.0, 5.5
"""The same at the first turn, and how much of that the turns take away."""

Weights: TypeAlias = tuple[tuple[float, ...], ...]


def chances(tables: Tables, state: State) -> list[float]:
    """Each company's chance to win; they add up to 1."""
    if state.stack:
        stages = stages_of(tables, state)
        prospects = [prospect(tables, state, seat, stages) for seat in range(tables.seats)]
        vague = VAGUE - LESS_VAGUE * stages[1]
    else:
        prospects = [0.0] * tables.seats
        for standing in ending.standings(tables, state):
            prospects[standing.seat] = standing.score + FIRST * (standing.place == 1)
        vague = SURE
    best = max(prospects)
    odds = [math.exp((each - best) / vague) for each in prospects]
    return [each / sum(odds) for each in odds]


def prospect(tables: Tables, state: State, seat: int, stages: tuple[float, float, float]) -> float:
    """The prestige that a company is likely to end with."""
    own = features(tables, state, seat)
    made = sum(
        stage * sum(map(float.__mul__, map(float, own), weights))
        for stage, weights in zip(stages, _weights(tables.seats), strict=True)
    )
    return scored(tables, state, seat) + made


def scored(tables: Tables, state: State, seat: int) -> int:
    """The prestige that nobody can take from it: achievements and deliveries."""
    company = state.companies[seat]
    delivered = sum([tables.deliveries[tile >> 3][tile & 7].prestige for tile in company.delivered])
    return sum(company.claimed) + delivered


@cache
def _weights(seats: int) -> Weights:
    """For each of `stages_of` the weights of the features."""
    table = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))[f"companies_{seats}"]
    return tuple(tuple(float(table[name][stage]) for name in NAMES) for stage in range(3))
