"""Migrations and models are one: a database made by the first is what the second expect."""

import pytest
from sqlalchemy import text

from pbem.records.checking import read_record
from pbem.records.told import told
from pbem.records.writing import record
from pbem.storage.migrate import (
    MIGRATIONS,
    NewerDatabase,
    _order,
    _scripts,
    differences,
    migrate,
    newest,
    outdated,
    version,
)
from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on
from tests.pbem.records.test_records import over


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


def test_names_of_the_migrations_say_their_versions_in_order() -> None:
    """The names alone are looked at to tell whether a database is up to date: Alembic reads the same from the files."""
    versions = [script.revision for script in _scripts(MIGRATIONS).walk_revisions()][::-1]
    assert _order(MIGRATIONS) == versions
    assert newest() == _scripts(MIGRATIONS).get_current_head()


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


@pytest.mark.parametrize("orders", ["bid 6 or 5 or 4 or 3 or 2 or 1", "ready"])
def test_seals_that_were_told_before_they_were_kept_are_those_that_are_kept(
    empty_database_url: str, orders: str
) -> None:
    """In the middle of a stage: what the acknowledgement had stands in the journal afterwards, and opens."""
    database = Database(empty_database_url)
    migrate(database)
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    acknowledgement = match.say(0, orders).acknowledgement
    assert acknowledgement is not None
    with database.writing() as session:
        session.execute(text("ALTER TABLE seat DROP COLUMN seal"))
        session.execute(text("ALTER TABLE journalentry DROP COLUMN opened"))
        session.execute(text("UPDATE alembic_version SET version_num = '0027'"))
    migrate(database, "0028")
    with database.writing() as session:  # what the next ones make was there all the while
        session.execute(text(f"UPDATE alembic_version SET version_num = '{newest()}'"))
    match.pass_deadline()
    content = record(over(match).service, match.code)
    assert told(read_record(content), acknowledgement.seal).stood
    database.close()
