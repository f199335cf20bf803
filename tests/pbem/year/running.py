"""Plays years of games to their ends, and checks all that must hold."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

from engine import registry
from pbem.records.verifying import verify
from pbem.storage.sessions import Database
from tests.pbem.world.databases import in_memory
from tests.pbem.world.letters import check_post
from tests.pbem.world.world import Broken, World, opened
from tests.pbem.year import people
from tests.pbem.year.figures import Figures, figures
from tests.pbem.year.people import Person
from tests.pbem.year.tally import Tally, tally
from tests.pbem.year.year import Planned, Year

RULES = ("tinygame", "rockwell", "tinygame", "brass_empire")
"""In turn: two of each four games are of the small one, so that a year of them takes an hour and not three."""
SITS_IN = 3
"""In how many games a person sits, in the mean."""
PACES = ("strict", "brisk")
A_WORLD = 25
"""Games that one service has."""


def run(games: int, seed: str, jobs: int = 1) -> Figures:
    """The figures of so many games, in worlds of A_WORLD each; the same for any number of jobs.

    Raises Broken where something does not hold.
    """
    worlds = [(f"{seed}/{first}", range(first, min(games, first + A_WORLD))) for first in range(0, games, A_WORLD)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        first, *others = pool.map(_alone, worlds)
    for other in others:
        first.add(other)
    return figures(seed, first)


def _alone(world: tuple[str, Sequence[int]]) -> Tally:
    with in_memory() as database:
        return play(database, world[1], world[0])


def play(database: Database, games: Sequence[int], seed: str) -> Tally:
    """One world's year on an empty database, with these of the games by number. Raises Broken."""
    with opened(database, f"year/{seed}") as world:
        year = _year(world, games, Random(f"year/{seed}"))
        year.play()
        for planned in year.games:
            verified = verify(world.service, planned.code)
            if verified.problem:
                raise Broken(f"{planned.code} does not replay: {verified.problem} at {verified.entry}")
        check_post(world)
        return tally(world.service, year.counted)


def _year(world: World, games: Sequence[int], random: Random) -> Year:
    planned = [_planned(number, random) for number in games]
    seats = [each.seats for each in planned]
    number = 2 * max(seats) + sum(seats) // SITS_IN
    persons = [Person(f"p{n}@players.example", f"P{n}", Random(f"{random.random()}")) for n in range(number)]
    return Year(world, planned, persons, random)


def _planned(number: int, random: Random) -> Planned:
    """The games of each rules have all sizes in turn."""
    round_, place = divmod(number, len(RULES))
    sizes = list(registry.load(RULES[place]).seat_numbers)
    size, pace = sizes[(round_ + place // 2) % len(sizes)], random.choice(PACES)
    return Planned(f"year{number}", RULES[place], pace, size, listed=random.random() < people.LISTED)
