"""The beginning of a game, played once in a process and written again for each test that begins in the same way.

To play it was two fifths of what tests of games do. It is played anew wherever something else than usual may come of
it: with other settings, another time, other rows in the database, or anything in the code replaced by the test.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import Connection, Table
from sqlmodel import SQLModel

from pbem import clock
from pbem.context import Service
from pbem.reports import board
from pbem.storage.sessions import Database
from tests.pbem.replaced import REPLACED

Rows = dict[Table, list[dict[str, Any]]]
NEAR = timedelta(hours=1)
"""How far the clock is put back at most to when the beginning was played."""


@dataclass(frozen=True)
class Beginning:
    """What a beginning left in the database, when, and the game's code."""

    code: str
    at: datetime
    rows: Rows
    sequences: Sequence[str]


_KEPT: dict[tuple[Any, ...], Beginning] = {}


def again(service: Service, how: tuple[Any, ...], play: Callable[[], str]) -> str:
    """The code of a game that has begun in that way."""
    if REPLACED or clock.clock() != clock.Clock() or _has_games(service.database):
        return play()
    key = service.database.sqlite, board.WIDTH, *how
    kept = _KEPT.get(key)
    if kept is None:
        kept = _KEPT[key] = _played(service.database, Random(repr(how)), play)
    elif abs(clock.now() - kept.at) < NEAR:
        _write(service.database, kept)
        clock.shift(kept.at - clock.now())
    else:
        return play()
    return kept.code


def _played(database: Database, chance: Random, play: Callable[[], str]) -> Beginning:
    """Play it, with the same draws whichever test is the first."""
    before, ours = rows_of(database), secrets.token_bytes
    secrets.token_bytes = chance.randbytes  # type: ignore[assignment]
    try:
        code = play()
    finally:
        secrets.token_bytes = ours
    after = rows_of(database)
    made = {table: [row for row in rows if row not in before[table]] for table, rows in after.items()}
    with database.reader.begin() as connection:
        return Beginning(
            code, clock.now(), {table: rows for table, rows in made.items() if rows}, _sequences(connection)
        )


def rows_of(database: Database) -> Rows:
    """All that stands in a database, by table."""
    with database.reader.begin() as connection:
        return {
            table: [dict(row) for row in connection.execute(table.select()).mappings()]
            for table in SQLModel.metadata.sorted_tables
        }


def _write(database: Database, kept: Beginning) -> None:
    with database.writer.begin() as connection:
        for table, rows in kept.rows.items():
            connection.execute(table.insert(), rows)
        for each in kept.sequences:
            connection.exec_driver_sql(each)


def _sequences(connection: Connection) -> list[str]:
    """What lets PostgreSQL count on."""
    if connection.dialect.name == "sqlite":
        return []
    named = "SELECT quote_ident(sequencename), last_value FROM pg_sequences WHERE schemaname = 'public'"
    set_ = [f"setval('{name}', {value})" for name, value in connection.exec_driver_sql(named) if value is not None]
    return [f"SELECT {', '.join(set_)}"] if set_ else []


def _has_games(database: Database) -> bool:
    with database.reader.begin() as connection:
        return bool(connection.exec_driver_sql("SELECT EXISTS (SELECT 1 FROM account)").scalar())
