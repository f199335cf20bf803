"""Runs storms; one that fails leaves its seed, and says how it is run again."""

import tempfile
from pathlib import Path
from random import Random

from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database
from tests.pbem.storm.storm import Storm, never_done
from tests.pbem.world.world import Broken, opened

SETTINGS = {"undelivered_hours": 24, "attempts": 50, "operator": "operator@leaders.example"}
"""Deaths count as failures, so more of them are borne than where they are rare."""
SAVED = Path("build/storm-seeds.txt")


def run(database: Database, seed: str, games: int, steps: int) -> Storm:
    """A storm over an empty database. Raises Broken, or whatever else went wrong, with how to run it again."""
    url = database.url.render_as_string(hide_password=False)
    with opened(
        database, f"storm/{seed}", undelivered_hours=24, attempts=50, operator="operator@leaders.example"
    ) as world:
        storm = Storm(world, url, games, Random(f"storm/{seed}"))
        try:
            storm.begin()
            for _ in range(steps):
                storm.step()
            storm.end()
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


def fresh(seed: str, games: int, steps: int) -> Storm:
    """The same on a database of its own, in which each command has to succeed at least once."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'storm.sqlite3'}")
        migrate(database)
        storm = run(database, seed, games, steps)
        database.close()
    never = never_done(storm.done)
    if never:
        raise Broken(f"never done: {', '.join(never)}")
    return storm
