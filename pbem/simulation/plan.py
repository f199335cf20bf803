"""What is simulated: the rules, who plays, and the seed that fixes every game."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random

import msgspec

from engine.contract import PlannerMaker, Planning, RulesModule, Setup
from pbem.errors import Refused


class Plan(msgspec.Struct, frozen=True):
    """`levels` has the level of each seat of the first game; over the games they go round all arrangements evenly.

    With `sheets` every game is played by sheets too.
    """

    rules: str
    setup: Setup
    levels: tuple[str, ...]
    games: int
    seed: str
    sheets: bool = False


class Game(msgspec.Struct, frozen=True):
    """One game of a plan: its number from 0 and the level that plays each seat."""

    number: int
    levels: tuple[str, ...]


def plan(module: RulesModule, setup: Setup, players: Sequence[str], games: int, seed: str, *, sheets: bool) -> Plan:
    """One level for all seats, or a list of levels whose length divides the seats: each then has as many of them.

    Raises Refused `bad_seats`, `unknown_level`, and `levels_do_not_fit` for such a list,
    and `no_planner` for a level that can't write the `sheets` that are to be written.
    """
    offered = module.bots
    if setup.seats not in module.seat_numbers:
        raise Refused("bad_seats", seats=setup.seats, known=", ".join(map(str, module.seat_numbers)))
    for level in players:
        if level not in offered:
            raise Refused("unknown_level", given=level, levels=", ".join(sorted(offered)))
    if not players or setup.seats % len(players):
        raise Refused("levels_do_not_fit", given=len(players), seats=setup.seats)
    if sheets:
        planners_of(module, players)
    return Plan(module.name, setup, tuple(players) * (setup.seats // len(players)), games, seed, sheets)


def games(plan: Plan) -> list[Game]:
    """The games of a plan. Game n is the same however many are played, and by whatever process."""
    arrangements = sorted(set(permutations(plan.levels)))
    return [Game(number, arrangements[number % len(arrangements)]) for number in range(plan.games)]


def random_of(plan: Plan, game: Game, what: str) -> Random:
    """The source of one game's chance, or of its stand-ins' picks."""
    return Random(f"{plan.seed}/{game.number}/{what}")


def planners_of(module: RulesModule, levels: Sequence[str]) -> Mapping[str, PlannerMaker]:
    """What writes the sheets of these levels. Raises Refused `no_planner` for a level that writes none."""
    planners = module.planners if isinstance(module, Planning) else {}
    for level in levels:
        if level not in planners:
            raise Refused("no_planner", given=level, levels=", ".join(planners) or "–")
    return planners
