"""Migrations and models are one: a database made by the first is what the second expect."""

import pytest
from sqlalchemy import text

from pbem.storage.migrate import NewerDatabase, differences, migrate, newest, outdated, version
from pbem.storage.sessions import Database


def test_migrations_and_models_agree(empty_database_url: str) -> None:
    """An empty database that is migrated has the tables, columns and indexes of the models."""
    database = Database(empty_database_url)
    assert version(database) is None
    assert outdated(database)
    migrate(database)
    assert version(database) == newest()
    assert differences(database) == []
    migrate(database)
    database.close()


def test_newer_database_is_refused_and_untouched(empty_database_url: str) -> None:
    """Code that meets a database of newer code leaves it alone."""
    database = Database(empty_database_url)
    migrate(database)
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        session.execute(text("UPDATE setting SET value = '9999' WHERE name = 'works_from'"))
    with pytest.raises(NewerDatabase):
        migrate(database)
    assert version(database) == "9999"
    database.close()
