"""Find anew what the sharp stand-in likes: `python -m tests.engine.brass_empire.tasting`.

Tastes are drawn around the best so far and play, each at once and without looking ahead, against steady companies;
those that win by most say where the next are drawn (the cross-entropy method). Prints `KEEN` for
`engine/brass_empire/taste.py`.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from multiprocessing import Pool
from random import Random
from typing import Any

from engine.brass_empire import MODULE
from engine.brass_empire.bot import Steady
from engine.brass_empire.taste import STEADY, Taste
from engine.chance import RandomChance, pick_from
from engine.contract import Setup

SEATS = (2, 2, 4)
"""How many companies play, game by game; half of them have the taste."""
CLEAR = 12.0
"""Brass by which a game counts as clearly won: more counts little more."""
FIRST_SPREAD, LEAST_SPREAD = 0.5, 0.08
"""Of the logarithms of weights, at first and at the end."""
BEST = 4
"""One in so many says where the next are drawn."""
FIXED = ("struck",)
"""Weights of battles, which are not played here."""

Place = tuple[str, str]
"""A weight: its field, and its key where that holds several."""


def places() -> list[Place]:
    """All weights that are looked for."""
    found: list[Place] = []
    for name in Taste.__struct_fields__:
        value = getattr(STEADY, name)
        if isinstance(value, dict):
            found += [(name, key) for key in value]
        elif name not in FIXED:
            found.append((name, ""))
    return found


def taste_of(weights: Sequence[float]) -> Taste:
    """The taste with these weights, in the order of `places`."""
    fields: dict[str, Any] = {name: getattr(STEADY, name) for name in FIXED}
    for (name, key), weight in zip(places(), weights, strict=True):
        if key:
            fields.setdefault(name, {})[key] = round(weight, 2)
        else:
            fields[name] = round(weight, 2)
    return Taste(**fields)


def by_how_much(task: tuple[Sequence[float], int, int]) -> float:
    """How clearly a taste wins so many games from a seed on, from -1 to 1."""
    weights, seed, games = task
    taste = taste_of(weights)
    return sum(_game(taste, SEATS[number % len(SEATS)], seed + number) for number in range(games)) / games


def _game(taste: Taste, seats: int, seed: int) -> float:
    rules = MODULE.bind(Setup(seats))
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    odd = random.random() < 0.5
    bots = [Steady(rules.tables, taste if seat % 2 == odd else STEADY) for seat in range(seats)]
    state = rules.start(chance, [])
    while (decision := rules.pending(state)) is not None:
        answers = {
            seat: bots[seat](rules.view(state, seat), decision, rules.space(state, seat), pick)
            for seat in decision.seats
        }
        rules.apply(state, answers, chance, [])
    ahead = sum(each.score * (1 if each.seat % 2 == odd else -1) for each in rules.standings(state))
    return math.tanh(ahead / (seats / 2) / CLEAR)


def _drawn_on(values: Sequence[float], middle: float, spread: float) -> tuple[float, float]:
    """Where the next are drawn, and how far around it, when these were the best."""
    mean = sum(values) / len(values)
    far = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return 0.3 * middle + 0.7 * mean, max(LEAST_SPREAD, 0.4 * spread + 0.6 * far)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the taste, and how each drawing did."""
    parser = argparse.ArgumentParser(prog="tasting", description=__doc__)
    parser.add_argument("--drawings", type=int, default=12, help="how often tastes are drawn")
    parser.add_argument("--tastes", type=int, default=40, help="how many at a time")
    parser.add_argument("--games", type=int, default=24, help="that each plays")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes play")
    parser.add_argument("--seed", type=int, default=1, help="the same seed finds the same")
    given = parser.parse_args(arguments)
    random = Random(given.seed)
    at = [(math.log(max(0.03, _weight(place))), FIRST_SPREAD) for place in places()]
    with Pool(given.jobs) as pool:
        for drawing in range(given.drawings):
            drawn = [[random.gauss(middle, spread) for middle, spread in at] for _ in range(given.tastes)]
            seed = given.seed + drawing * given.games
            tasks = [([math.exp(log) for log in logs], seed, given.games) for logs in drawn]
            wins = pool.map(by_how_much, tasks, chunksize=1)
            best = sorted(range(given.tastes), key=lambda each: -wins[each])[: max(BEST, given.tastes // BEST)]
            at = [_drawn_on([drawn[each][place] for each in best], *at[place]) for place in range(len(at))]
            print(f"drawing {drawing + 1}: {sum(wins) / len(wins):.3f}", file=sys.stderr, flush=True)
    print(f"KEEN = {taste_of([math.exp(middle) for middle, _ in at])!r}")


def _weight(place: Place) -> float:
    name, key = place
    value = getattr(STEADY, name)
    return float(value[key] if key else value)


if __name__ == "__main__":
    main()
