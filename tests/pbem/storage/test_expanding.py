"""Old and new workers at once: a migration only adds, and the code before goes on; or it says from when it may run."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.records.verifying import verify
from pbem.settings import settings
from pbem.storage import migrate
from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on
from tests.pbem.records.test_records import over
from tests.pbem.storage.expanding import faults, later_than
from tests.pbem.web.visiting import app_on

Next = Callable[..., None]
MIGRATION = """
import sqlalchemy as sa
from alembic import op
revision = "{revision}"
down_revision = "{before}"
{says}
def upgrade():
    with op.batch_alter_table("game") as game:
        {does}
"""
EXPANDS = (
    'game.add_column(sa.Column("colour", sa.String(), nullable=False, server_default="blue")); '
    'game.add_column(sa.Column("weight", sa.Integer(), nullable=True)); '
    'game.create_index("ix_game_colour", ["colour"]); '
    'op.create_table("colour", sa.Column("id", sa.Integer(), primary_key=True), sa.Column("name", sa.String(), '
    "nullable=False))"
)
CONTRACTS = 'game.drop_column("title")'


@pytest.fixture
def database(empty_database_url: str) -> Iterator[Database]:
    """One of the present version whose tables nobody has after this test."""
    own = Database(empty_database_url)
    migrate.migrate(own)
    yield own
    own.close()


@pytest.fixture
def following(tmp_path: Path) -> Next:
    """`following(patch, does, …)`: from here on the code is that of releases to come, with a migration each.

    What a migration says of itself may be given beside what it does.
    """

    def released(patch: pytest.MonkeyPatch, *migrations: str | tuple[str, str]) -> None:
        copy = tmp_path / "migrations"
        shutil.copytree(migrate.MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
        before = migrate.newest()
        for number, each in enumerate(migrations):
            does, says = each if isinstance(each, tuple) else (each, "")
            made = MIGRATION.format(revision=f"9{number:03}", before=before, does=does, says=says)
            (copy / "versions" / f"9{number:03}_next.py").write_text(made, encoding="utf-8")
            before = f"9{number:03}"
        patch.setattr(migrate, "MIGRATIONS", copy)

    return released


def test_migrations_leave_the_code_before_them_able_to_work(empty_database_url: str) -> None:
    """Each since the rule holds, but those that say from when on they may run: its tables, columns and rows."""
    database = Database(empty_database_url)
    for before, after in later_than(migrate.FIRST):
        assert faults(database, before, after) == []
    database.close()


@pytest.mark.parametrize(
    ("does", "fault"),
    [
        (EXPANDS, ""),
        (CONTRACTS, "game: ('column', 'title', 'VARCHAR', False) is no more"),
        ('game.alter_column("title", new_column_name="name")', "is no more"),
        ('game.alter_column("deadline", nullable=False, server_default="0")', "is another"),
        ('game.alter_column("title", type_=sa.Integer())', "is another"),
        ('game.create_unique_constraint("uq_game_title", ["title"])', "stands in the way"),
        ('op.drop_table("note")', "note: gone"),
    ],
)
def test_a_migration_that_others_would_not_survive_is_found(
    does: str, fault: str, tmp_path: Path, following: Next, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it takes away; one that only adds is not."""
    before = migrate.newest()
    following(monkeypatch, does)
    database = Database(f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    found = faults(database, before, "9000")
    assert bool(found) == bool(fault)
    assert not fault or any(fault in each for each in found), found
    database.close()


def test_a_column_that_has_to_be_given_is_found(tmp_path: Path) -> None:
    """As before the rule: the column's default was taken away again, and the code before could make no game."""
    database = Database(f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    found = faults(database, "0022", "0023")
    assert "game: observed is new and has to be given" in found
    assert any(each.startswith("game: insert fails") for each in found)
    database.close()


def test_the_release_before_plays_on_after_a_migration(database: Database, following: Next) -> None:
    """In the middle of a game: it is played to its end there, new ones are made, and nothing is set aside."""
    service = service_on(database)
    client = app_on(service).test_client()
    match = begun(service)
    match.say(0, "bid 1 or 2 or 3")
    with pytest.MonkeyPatch.context() as newer:
        following(newer, EXPANDS)
        migrate.migrate(database)
    assert migrate.version(database) == "9000"
    assert client.get("/readyz").text == "ready\n"
    assert not migrate.outdated(database)
    migrate.migrate(database)  # the release before starts anew
    assert migrate.version(database) == "9000"
    for each in (match, begun(service, pace="brisk")):
        assert over(each).game.status == "over"
        assert verify(service, each.code).problem == ""


def test_the_release_before_stops_where_it_would_do_harm(database: Database, following: Next) -> None:
    """After a migration that takes away what it uses: not ready, and no command is done."""
    client = app_on(service_on(database)).test_client()
    with pytest.MonkeyPatch.context() as newer:
        following(newer, EXPANDS, (CONTRACTS, 'works_from = "9000"'))
        migrate.migrate(database)
    assert client.get("/readyz").status_code == 503
    with pytest.raises(migrate.NewerDatabase):
        migrate.migrate(database)
    assert migrate.version(database) == "9001"


@pytest.fixture
def configured(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """The database that the settings name, so that commands work on it."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_DATABASE_URL", database.url.render_as_string(hide_password=False))
    settings.cache_clear()
    return database


def test_a_migration_that_comes_too_early_is_not_made(
    configured: Database, following: Next, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the release in use still needs is taken away only when all of its processes are gone, or are said to be."""
    now = migrate.newest()
    following(monkeypatch, EXPANDS, (CONTRACTS, 'works_from = "9000"'))
    run = CliRunner()
    refused = run.invoke(main, ["migrate"])
    assert refused.exit_code == 1
    assert "version 9000 everywhere first" in refused.output
    assert migrate.version(configured) == now
    migrate.migrate(configured, "9000")
    assert run.invoke(main, ["migrate"]).exit_code == 0
    assert migrate.version(configured) == "9001"


def test_no_release_is_asked_for_that_can_not_be_run_beside_others(
    configured: Database, following: Next, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a migration works from itself on, as 0028 does, or behind such a one: all is to be stopped for it."""
    now = migrate.newest()
    following(monkeypatch, (EXPANDS, 'works_from = "9000"'), (CONTRACTS, 'works_from = "9001"'))
    refused = CliRunner().invoke(main, ["migrate"])
    assert refused.exit_code == 1
    assert "everywhere first" not in refused.output
    assert "Stop all processes on all machines, run `pbem migrate --stopped`" in refused.output
    assert migrate.version(configured) == now


def test_it_is_made_at_once_where_nothing_else_works(
    configured: Database, following: Next, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pbem migrate --stopped`."""
    following(monkeypatch, EXPANDS, (CONTRACTS, 'works_from = "9000"'))
    done = CliRunner().invoke(main, ["migrate", "--stopped"])
    assert done.exit_code == 0, done.output
    assert migrate.version(configured) == "9001"
