"""Runs storms; one that fails leaves its seed, and says how it is run again."""

from pathlib import Path
from random import Random

from pbem.storage.sessions import Database
from tests.pbem.storm.storm import Storm
from tests.pbem.world.databases import in_memory
from tests.pbem.world.world import Broken, opened

SETTINGS = {
    "undelivered_hours": 24,
    "attempts": 50,
    "operator": "operator@leaders.example",
    "answers_a_day": 1000,
    "invitations_a_day": 1000,
}
"""Deaths count as failures, so more of them are borne than where they are rare."""
FULL_GAMES, FULL_STEPS = 20, 2000
LOOKS = 25
"""Steps from one look at what was never done to the next, in a storm of full size that goes on."""
SAVED = Path("build/storm-seeds.txt")


def run(database: Database, seed: str, games: int, steps: int) -> Storm:
    """A storm over an empty database. Raises Broken, or whatever else went wrong, with how to run it again."""
    url = database.url.render_as_string(hide_password=False)
    with opened(database, f"storm/{seed}", **SETTINGS) as world:
        storm = Storm(world, url, games, Random(f"storm/{seed}"))
        try:
            storm.begin()
            for _ in range(steps):
                storm.step()
            if games >= FULL_GAMES and steps >= FULL_STEPS:
                _go_on(storm, steps)
            storm.end()
            storm.missed, storm.ended = storm.never(), storm.digest()[:16]
        except Exception as error:
            again = f"./run soak storm --seed {seed} --storm-games {games} --steps {storm.counted['steps']}"
            SAVED.parent.mkdir(exist_ok=True)
            with SAVED.open("a", encoding="utf-8") as saved:
                saved.write(f"{again}  # {error}\n")
            error.add_note(f"in step {storm.counted['steps']}; again with: {again}")
            raise
        finally:
            world.service.close()
        return storm


def _go_on(storm: Storm, most: int) -> None:
    """More steps, until all that there is has been done."""
    for number in range(most):
        if number % LOOKS == 0 and not storm.never():
            return
        storm.step()


def fresh(seed: str, games: int, steps: int) -> Storm:
    """The same on a database of its own; one of full size has to reach all that there is. Raises Broken as well."""
    with in_memory() as database:
        storm = run(database, seed, games, steps)
    if storm.missed and games >= FULL_GAMES and steps >= FULL_STEPS:
        raise Broken(f"never done: {', '.join(storm.missed)}")
    return storm
