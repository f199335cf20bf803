"""Migrations and models are one: a database made by the first is what the second expect."""

from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.storage.migrate import NewerDatabase, differences, migrate, newest, outdated, version
from pbem.storage.sessions import Database


def fresh(folder: Path) -> Database:
    """An empty database in that folder."""
    return Database(f"sqlite:///{folder / 'pbem.db'}")


def test_migrations_and_models_agree(tmp_path: Path) -> None:
    """An empty database that is migrated has the tables, columns and indexes of the models."""
    database = fresh(tmp_path)
    assert version(database) is None
    assert outdated(database)
    migrate(database)
    assert version(database) == newest()
    assert differences(database) == []
    migrate(database)
    database.close()


def test_newer_database_is_refused_and_untouched(tmp_path: Path) -> None:
    """Code that meets a database of newer code leaves it alone."""
    database = fresh(tmp_path)
    migrate(database)
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerDatabase):
        migrate(database)
    assert version(database) == "9999"
    database.close()
