"""What is simulated: the rules, who plays, and the seed that fixes every game."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

import msgspec

from engine.contract import RulesModule, Setup
from pbem.errors import Refused


class Plan(msgspec.Struct, frozen=True):
    """`levels` has the level of each seat of the first game; over the games they go round all arrangements evenly."""

    rules: str
    setup: Setup
    levels: tuple[str, ...]
    games: int
    seed: str


class Game(msgspec.Struct, frozen=True):
    """One game of a plan: its number from 0 and the level that plays each seat."""

    number: int
    levels: tuple[str, ...]


def plan(module: RulesModule, setup: Setup, players: Sequence[str], games: int, seed: str) -> Plan:
    """One level for all seats, or a list of levels whose length divides the seats: each then has as many of them.

    Raises Refused `bad_seats`, `unknown_level`, and `levels_do_not_fit` for such a list.
    """
    offered = module.bots
    if setup.seats not in module.seat_numbers:
        raise Refused("bad_seats", seats=setup.seats, known=", ".join(map(str, module.seat_numbers)))
    for level in players:
        if level not in offered:
            raise Refused("unknown_level", given=level, levels=", ".join(sorted(offered)))
    if not players or setup.seats % len(players):
        raise Refused("levels_do_not_fit", given=len(players), seats=setup.seats)
    return Plan(module.name, setup, tuple(players) * (setup.seats // len(players)), games, seed)


def games(plan: Plan) -> list[Game]:
    """The games of a plan. Game n is the same however many are played, and by whatever process."""
    arrangements = sorted(set(permutations(plan.levels)))
    return [Game(number, arrangements[number % len(arrangements)]) for number in range(plan.games)]


def random_of(plan: Plan, game: Game, what: str) -> Random:
    """The source of one game's chance, or of its stand-ins' picks."""
    return Random(f"{plan.seed}/{game.number}/{what}")
