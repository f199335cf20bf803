"""What tests of commands share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.settings import settings
from pbem.storage.sessions import Database


@pytest.fixture
def run(
    tmp_path: Path, database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """The command line on the database that the test plays on."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    settings.cache_clear()

    def command(*words: str, given: str = "") -> Result:
        return CliRunner().invoke(main, words, input=given, prog_name="pbem")

    assert command("migrate").exit_code == 0
    return command
