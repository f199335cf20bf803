"""Find the sharp stand-in's weights anew: `python -m tests.engine.rockwell.weigh 4 --games 1000`.

Steady companies play, now and then at random, and what a company scores after an auction to the end of the game is
fitted by least squares to what could be seen of it then. Prints the table for `engine/rockwell/ahead/weights.toml`.
"""

import argparse
from collections.abc import Iterator, Sequence
from random import Random

from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.rockwell import MODULE
from engine.rockwell.ahead.features import NAMES, features, stages_of
from engine.rockwell.ahead.outlook import scored
from engine.rockwell.choices import BID
from engine.spaces import sample

AT_RANDOM = 0.05
"""How often a company does anything at all: so that the weights also know positions off the steady path."""
RIDGE = 100.0
"""How strongly weights that the games say little about are held near nothing."""

Row = tuple[list[float], float]


def rows(seats: int, games: int, seed: int) -> Iterator[Row]:
    """For each company at each auction: what can be seen of it, and the prestige that it was still to make."""
    for number in range(seed, seed + games):
        seen, final = _game(seats, number)
        for seat, before, values in seen:
            yield values, final[seat] - before


def _game(seats: int, seed: int) -> tuple[list[tuple[int, int, list[float]]], dict[int, int]]:
    rules = MODULE.bind(Setup(seats))
    steady = MODULE.bots["steady"](rules)
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    seen = []
    while (decision := rules.pending(state)) is not None:
        if decision.kind == BID:
            stages = stages_of(rules.tables, state)
            for seat in range(seats):
                own = features(rules.tables, state, seat)
                values = [stage * value for value in own for stage in stages]
                seen.append((seat, scored(rules.tables, state, seat), values))
        answers = {}
        for seat in decision.seats:
            space = rules.space(state, seat)
            odd = random.random() < AT_RANDOM
            answers[seat] = sample(space, pick) if odd else steady(rules.view(state, seat), decision, space, pick)
        rules.apply(state, answers, chance, [])
    return seen, {standing.seat: standing.score for standing in rules.standings(state)}


def fit(found: Sequence[Row]) -> list[float]:
    """The weights with the least squares, the ridge counted in units of each column's spread."""
    width = len(found[0][0])
    spread = [max(1e-9, (sum(row[at] ** 2 for row, _ in found) / len(found)) ** 0.5) for at in range(width)]
    matrix = [[0.0] * (width + 1) for _ in range(width)]
    for values, target in found:
        scaled = [value / each for value, each in zip(values, spread, strict=True)]
        used = [(at, value) for at, value in enumerate(scaled) if value]
        for at, value in used:
            line = matrix[at]
            for other, factor in used:
                line[other] += value * factor
            line[width] += value * target
    for at in range(width):
        matrix[at][at] += RIDGE
    return [weight / each for weight, each in zip(_solved(matrix), spread, strict=True)]


def _solved(matrix: list[list[float]]) -> list[float]:
    """By elimination: the ridge keeps every pivot above nothing."""
    width = len(matrix)
    for at in range(width):
        pivot = matrix[at]
        for line in matrix[at + 1 :]:
            factor = line[at] / pivot[at]
            for other in range(at, width + 1):
                line[other] -= factor * pivot[other]
    solved = [0.0] * width
    for at in reversed(range(width)):
        known = sum(matrix[at][other] * solved[other] for other in range(at + 1, width))
        solved[at] = (matrix[at][width] - known) / matrix[at][at]
    return solved


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the weights of one number of companies."""
    parser = argparse.ArgumentParser(prog="weigh", description=__doc__)
    parser.add_argument("seats", type=int, choices=MODULE.seat_numbers)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    weights = fit(list(rows(given.seats, given.games, given.seed)))
    print(f"[companies_{given.seats}]")
    for at, name in enumerate(NAMES):
        three = ", ".join(f"{weight:.3f}" for weight in weights[3 * at : 3 * at + 3])
        print(f"{name} = [{three}]")


if __name__ == "__main__":
    main()
