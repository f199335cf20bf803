import os
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from sqlalchemy import text, update
from sqlmodel import SQLModel

from pbem.storage.models import Setting
from pbem.storage.sessions import Database
from tests import servers
from tests.emptied import Emptied
from tests.pbem.playing import begun, service_on

ROOT = Path(__file__).parents[2]
WANTS_A_UNICORN = """
def test_rides(require):
    require("unicorn")
def test_walks():
    pass
"""
CONFTEST = """
from tests.conftest import *
from tests import servers
def none():
    raise servers.Missing("unicorn: none is installed")
servers.FINDERS["unicorn"] = none
"""


def _run(folder: Path, processes: int, **environment: str) -> str:
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_ride.py").write_text(WANTS_A_UNICORN)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "PYTEST_", "TESTS_"))}
    kept["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # what is tried wants none of them, and some take seconds to begin
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "xdist",
        "-n",
        str(processes),
        "--rootdir",
        str(folder),
    ]
    return subprocess.run(
        [*command, str(folder)],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def test_what_was_not_run_is_listed_with_its_reason(tmp_path: Path) -> None:
    """A test that wants what is not there is named at the end with its reason, and the others count."""
    said = _run(tmp_path, 2)
    assert "= not run =" in said
    assert "   1  unicorn: none is installed" in said
    assert "1 passed, 1 skipped" in said


def test_what_is_required_and_not_run_fails(tmp_path: Path) -> None:
    """With TESTS_REQUIRE set a missing program is a failure."""
    assert "1 failed, 1 passed" in _run(tmp_path, 0, TESTS_REQUIRE="1")


def test_a_database_of_a_test_is_its_own(postgresql: servers.PostgreSQL) -> None:
    """Whatever a test wrote, the next one finds what the first one found, and counts from the beginning."""
    emptied = Emptied(postgresql.url(postgresql.create()))
    found = _all(emptied.database)
    for _ in range(2):
        match = begun(service_on(emptied.database), code="pond")
        with emptied.database.writing() as session:
            session.execute(update(Setting).values(value="changed"))
        assert match.id == 1
        assert _all(emptied.database) != found
        emptied.empty()
        assert _all(emptied.database) == found
    emptied.close()


def test_a_test_that_changes_tables_is_found(postgresql: servers.PostgreSQL) -> None:
    """It would leave them to all tests after it."""
    emptied = Emptied(postgresql.url(postgresql.create()))
    with emptied.database.writing() as session:
        session.execute(text("ALTER TABLE game ADD COLUMN colour VARCHAR"))
    with pytest.raises(AssertionError, match="of its own"):
        emptied.empty()
    emptied.close()


def _all(database: Database) -> dict[str, list[object]]:
    with database.reading() as session:
        return {table.name: list(session.execute(table.select())) for table in SQLModel.metadata.sorted_tables}


def test_the_broker_answers(redis_url: str) -> None:
    """The Redis-protocol server of the tests takes and gives back."""
    with redis.Redis.from_url(redis_url) as client:
        client.set("a", "b")
        assert client.get("a") == b"b"


@pytest.mark.parametrize("name", ["postgresql", "valkey"])
def test_servers_from_packages_are_there(name: str, request: pytest.FixtureRequest) -> None:
    """What comes in a Python package needs nothing of the machine."""
    assert Path(request.getfixturevalue("require")(name)).exists()
