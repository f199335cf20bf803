"""Bring a database to the version of this code, or refuse one that is newer."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, column, delete, insert, inspect, table, text
from sqlmodel import SQLModel, col, select

from pbem.storage.models import Setting
from pbem.storage.sessions import Database

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

MIGRATIONS = Path(__file__).parent / "migrations"

MARK = "alembic_version"
"""The table that says which version a database is of. To ask it takes no Alembic, which takes long to import: every
command and each look at the health page asks, and few of them find that there is something to do.
"""
LOCK_SECONDS = 10
"""How long a migration waits on PostgreSQL for a table that others use before it is given up: it can be tried again."""


WORKS_FROM = "works_from"
"""What a migration that takes away or changes something says: the oldest version whose code works with what it leaves.

One that says nothing only adds, in such a way that the code before it goes on working. The database keeps the newest
of these versions under this name, so that code which finds a newer database knows whether it may go on.
"""
FIRST = "0023"
"""The version from which on this holds: code before it leaves any newer database alone."""


class NewerDatabase(Exception):
    """The database was made by newer code: this code would damage it. Carries the version found."""


class StopFirst(Exception):
    """The migration takes away what processes of the release before may be using. Carries the version that all of them
    must be of before it may run beside them; none where that can't be come to either while they run."""


def migrate(database: Database, version: str = "head") -> None:
    """Bring the database to this code's version, all in one transaction; one of newer code that works is left alone.

    An earlier version than the newest is for trying migrations. Raises NewerDatabase and changes nothing.
    """
    with database.writer.connect() as connection:
        if database.sqlite:
            # Batch migrations rebuild tables, and may not follow foreign keys while they do. The pragma is without
            # effect inside a transaction, so it is set on the driver's connection before ours begins.
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]
        try:
            with connection.begin():
                _lock(connection)
                _upgrade(connection, version)
        finally:
            if database.sqlite:
                connection.connection.driver_connection.execute("PRAGMA foreign_keys=ON")  # type: ignore[union-attr]


def version(database: Database) -> str | None:
    """The version of the database, None for an empty one."""
    with database.reader.connect() as connection:
        return _found(connection)


def newest() -> str:
    """The version that this code brings a database to."""
    return _order(MIGRATIONS)[-1]


def outdated(database: Database) -> bool:
    """Whether the database is older than this code. One that is newer and that this code works with is not.

    Raises NewerDatabase.
    """
    with database.reader.connect() as connection:
        found = _found(connection)
        return not _is_newer(connection, found) and found != newest()


def refuse_beside_others(database: Database) -> None:
    """Raises StopFirst where the migrations to come may not run while others work with the database."""
    found = version(database)
    order = _order(MIGRATIONS)
    if found not in order:
        return
    at = order.index(found)
    needed = max((order.index(each) for each in _contractions(order[at + 1 :])), default=0)
    if needed > at:
        can_be_reached = all(order.index(each) <= at for each in _contractions(order[at + 1 : needed + 1]))
        raise StopFirst(*[order[needed]] if can_be_reached else [])


def differences(database: Database) -> list[object]:
    """What the models have and the database lacks, or the other way round; none when they agree."""
    from alembic.autogenerate import compare_metadata  # noqa: PLC0415 - see MARK
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415

    with database.reader.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata))


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))  # a migration takes as long as it takes,
        connection.execute(text("SELECT pg_advisory_xact_lock(7232)"))  # and a second process waits for the first,
        # but one that waits for a table makes all others wait behind it.
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))


def _upgrade(connection: Connection, version: str) -> None:
    found = _found(connection)
    if _is_newer(connection, found):
        return
    if found != (newest() if version == "head" else version):
        from alembic import command  # noqa: PLC0415 - see MARK

        config = _config(MIGRATIONS)
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    order, reached = _order(MIGRATIONS), _found(connection)
    said = _contractions(order[: order.index(reached or FIRST) + 1])
    works_from = order[max((order.index(each) for each in said), default=order.index(FIRST))]
    connection.execute(delete(Setting).where(col(Setting.name) == WORKS_FROM))
    connection.execute(insert(Setting).values(name=WORKS_FROM, value=works_from))


def _found(connection: Connection) -> str | None:
    if not inspect(connection).has_table(MARK):
        return None
    found: str | None = connection.scalar(select(column("version_num")).select_from(table(MARK)))
    return found


def _is_newer(connection: Connection, found: str | None) -> bool:
    """Whether newer code made the database. Raises NewerDatabase where this code does not work with it."""
    order = _order(MIGRATIONS)
    if found is None or found in order:
        return False
    works_from = select(Setting.value).where(col(Setting.name) == WORKS_FROM)
    if not inspect(connection).has_table(Setting.__tablename__) or connection.scalar(works_from) not in order:
        raise NewerDatabase(found)
    return True


@cache
def _order(folder: Path) -> list[str]:
    """The versions that this code knows, oldest first: the names of the migrations' files begin with them."""
    return sorted(path.name.partition("_")[0] for path in (folder / "versions").glob("[0-9]*_*.py"))


def _contractions(revisions: Sequence[str]) -> list[str]:
    """What those of the migrations that take something away say that it works from."""
    scripts = _scripts(MIGRATIONS)
    said = [getattr(scripts.get_revision(each).module, WORKS_FROM, None) for each in revisions]
    return [each for each in said if each is not None]


@cache
def _scripts(folder: Path) -> "ScriptDirectory":
    """The migrations in a folder, read once: each is a file of its own."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - see MARK

    return ScriptDirectory.from_config(_config(folder))


def _config(folder: Path) -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - see MARK

    config = Config()
    config.set_main_option("script_location", str(folder))
    return config
