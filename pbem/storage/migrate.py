"""Bring a database to the version of this code, or refuse one that is newer."""

from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlmodel import SQLModel

from pbem.storage.sessions import Database

LOCK_SECONDS = 10
"""How long a migration waits on PostgreSQL for a table that others use before it is given up: it can be tried again."""


class NewerDatabase(Exception):
    """The database was made by newer code: this code would damage it. Carries the version found."""


def migrate(database: Database) -> None:
    """Bring the database to this code's version, all in one transaction. Raises NewerDatabase and changes nothing."""
    with database.writer.connect() as connection:
        if database.sqlite:
            # Batch migrations rebuild tables, and may not follow foreign keys while they do. The pragma is without
            # effect inside a transaction, so it is set on the driver's connection before ours begins.
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]
        try:
            with connection.begin():
                _lock(connection)
                _upgrade(connection)
        finally:
            if database.sqlite:
                connection.connection.driver_connection.execute("PRAGMA foreign_keys=ON")  # type: ignore[union-attr]


def version(database: Database) -> str | None:
    """The version of the database, None for an empty one."""
    with database.reader.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest() -> str:
    """The version that this code brings a database to."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def outdated(database: Database) -> bool:
    """Whether the database is older than this code. Raises NewerDatabase."""
    found = version(database)
    _refuse_newer(found)
    return found != newest()


def differences(database: Database) -> list[object]:
    """What the models have and the database lacks, or the other way round; none when they agree."""
    with database.reader.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata))


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))  # a migration takes as long as it takes,
        connection.execute(text("SELECT pg_advisory_xact_lock(7232)"))  # and a second process waits for the first,
        # but one that waits for a table makes all others wait behind it.
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))


def _upgrade(connection: Connection) -> None:
    _refuse_newer(MigrationContext.configure(connection).get_current_revision())
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _refuse_newer(found: str | None) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if found is not None and found not in known:
        raise NewerDatabase(found)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
