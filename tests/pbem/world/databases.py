"""Databases for worlds that are made for one run.

They are SQLite's, which need no server, so that a soak, a hunt for leaks or a record to be kept runs anywhere.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database

MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: what is kept for one run need not reach a disk."""


@contextmanager
def in_memory() -> Iterator[Database]:
    """An empty one of the present version, in memory where that is possible."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        path = Path(folder) / "world.sqlite3"
        path.write_bytes(_migrated())
        database = Database(f"sqlite:///{path}")
        yield database
        database.close()


@cache
def _migrated() -> bytes:
    """The file of an empty one: a process that makes many migrates once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.sqlite3"
        database = Database(f"sqlite:///{path}")
        migrate(database)
        database.close()
        return path.read_bytes()
