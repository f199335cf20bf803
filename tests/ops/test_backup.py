"""A backup, made while the service plays, brings all of it back elsewhere; what would do harm is refused in words."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem import clock, keys
from pbem.cli import main
from pbem.context import Service
from pbem.games.position import position
from pbem.settings import Settings, settings
from pbem.storage import migrate
from pbem.storage.models import Setting
from pbem.storage.sessions import Database
from pbem.supervisor.upgrade import back_up as back_up_before
from tests import servers
from tests.pbem.playing import Match, begun

Run = Callable[..., Result]
BEFORE = "0027"
BIDS = "bid 6 or 5 or 4 or 3 or 2 or 1"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """`pbem` with these settings, and PostgreSQL's programs of the version that its server has here."""
    with suppress(servers.Missing):  # then no test has that server
        monkeypatch.setenv("PATH", f"{servers.FINDERS['postgresql']()}{os.pathsep}{os.environ['PATH']}")

    def ran(folder: Path, url: str, *words: str) -> Result:
        settings.cache_clear()
        environment = {"PBEM_DATA_DIR": str(folder), "PBEM_DATABASE_URL": url, "PBEM_DOMAIN": "play.example"}
        return CliRunner().invoke(main, words, env=environment)

    yield ran
    settings.cache_clear()


def opened(folder: Path, url: str) -> Service:
    """The service on a data folder and a database."""
    keys.ensure(folder / "keys")
    return Service.opened(Settings(data_dir=folder, database_url=url, domain="play.example", smtp_port=1))


def open_to_others(folder: Path) -> list[Path]:
    """What of a folder, itself among it, others could read, write or look into."""
    return [each for each in (folder, *folder.rglob("*")) if each.stat().st_mode & 0o077]


@pytest.fixture
def elsewhere(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """An empty database of the same sort."""
    if database_url.startswith("sqlite"):
        return f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}"
    return str(request.getfixturevalue("empty_postgresql_url"))


def test_a_game_goes_on_from_a_backup(database_url: str, elsewhere: str, tmp_path: Path, run: Run) -> None:
    """All that was stored is back, with the keys: old reply addresses hold, and play goes on to the same end."""
    first = opened(tmp_path / "data", database_url)
    match = begun(first, pace="brisk")
    for seat in range(3):
        match.say(seat, BIDS)
    match.settle()
    match.say(0, BIDS)
    made = run(tmp_path / "data", database_url, "backup", str(tmp_path / "kept"))
    assert made.exit_code == 0, made.output
    assert open_to_others(tmp_path / "kept") == []
    restored = run(tmp_path / "new", elsewhere, "restore", str(tmp_path / "kept"))
    assert restored.exit_code == 0, restored.output
    second = opened(tmp_path / "new", elsewhere)
    again = Match(second, match.code)
    again.posted = match.posted
    assert again.game == match.game
    assert again.seats == match.seats
    assert again.letters() == match.letters()
    for each in (match, again):
        for seat in (1, 2):
            each.say(seat, BIDS)
        each.settle()
    assert again.game.stage_number == match.game.stage_number > 2
    assert _state(again) == _state(match)
    mark = second.identity.find([_reply_to(match.letters(0, "report")[-1].content)], []).mark
    assert mark is not None
    first.close()
    second.close()


def test_what_the_service_keeps_is_its_owners_alone(
    database_url: str, elsewhere: str, tmp_path: Path, run: Run
) -> None:
    """Database, keys, backup and what is made of it: whichever command makes them first, whatever the umask is."""
    given = "" if database_url.startswith("sqlite") else database_url
    umask = os.umask(0)
    try:
        assert run(tmp_path / "data", given, "migrate").exit_code == 0
        if not given:
            assert (tmp_path / "data" / "pbem.sqlite3").exists()
        assert run(tmp_path / "data", given, "status").exit_code == 0
        assert run(tmp_path / "data", given, "backup", str(tmp_path / "kept")).exit_code == 0
        there = "" if not given else elsewhere
        assert run(tmp_path / "new", there, "restore", str(tmp_path / "kept")).exit_code == 0
        assert run(tmp_path / "new", there, "status").exit_code == 0
    finally:
        os.umask(umask)
    for folder in ("data", "kept", "new"):
        assert open_to_others(tmp_path / folder) == []


def test_deadlines_since_the_backup_are_put_off(database_url: str, elsewhere: str, tmp_path: Path, run: Run) -> None:
    """Whoever wrote since then can write again: nothing is played without them."""
    first = opened(tmp_path / "data", database_url)
    match = begun(first, pace="brisk")
    assert run(tmp_path / "data", database_url, "sweep").exit_code == 0
    assert run(tmp_path / "data", database_url, "backup", str(tmp_path / "kept")).exit_code == 0
    stage = match.game.stage_number
    first.close()
    clock.shift(timedelta(days=3))
    assert run(tmp_path / "new", elsewhere, "restore", str(tmp_path / "kept")).exit_code == 0
    assert run(tmp_path / "new", elsewhere, "sweep").exit_code == 0
    again = Match(opened(tmp_path / "new", elsewhere), match.code)
    assert again.game.stage_number == stage
    again.service.close()


def test_what_would_do_harm_is_refused(database_url: str, tmp_path: Path, run: Run) -> None:
    """A folder that is there, a service that has a database or keys, a folder that is no backup: nothing is changed."""
    data, kept = tmp_path / "data", tmp_path / "kept"
    other = "postgresql://nobody@127.0.0.1:1/none" if database_url.startswith("sqlite") else ""
    nothing = run(data, database_url, "backup", str(kept))
    assert "has not been set up" in nothing.output
    opened(data, database_url).close()
    assert run(data, database_url, "backup", str(kept)).exit_code == 0
    refused = {
        "is there already": run(data, database_url, "backup", str(kept)),
        "There are keys": run(data, database_url, "restore", str(kept)),
        "There is a database": run(tmp_path / "new", database_url, "restore", str(kept)),
        "is no backup": run(tmp_path / "new", "", "restore", str(data)),
        "other sort": run(tmp_path / "new", other, "restore", str(kept)),
    }
    for said, result in refused.items():
        assert result.exit_code == 1
        assert said in result.output
    assert sorted(each.name for each in (tmp_path / "new").iterdir()) == ["lock"]


def test_what_a_killed_service_left_beside_its_database_is_not_mixed_into_the_backup(tmp_path: Path, run: Run) -> None:
    """Its log is refused by name after database and keys were moved away; once it is gone too, the backup is back."""
    data, kept, away = tmp_path / "data", tmp_path / "kept", tmp_path / "away"
    assert run(data, "", "migrate").exit_code == 0
    assert run(data, "", "account", "create", "ann@example.org", "--name", "Ann").exit_code == 0
    assert run(data, "", "backup", str(kept)).exit_code == 0
    away.mkdir()
    database = data / "pbem.sqlite3"
    for each in (database, data / "keys"):
        each.rename(away / each.name)
    for left in ("pbem.sqlite3-wal", "pbem.sqlite3-shm", "pbem.sqlite3-journal"):
        (data / left).touch()
        refused = run(data, "", "restore", str(kept))
        assert refused.exit_code == 1
        assert f"{data / left}, left of a database" in refused.output
        assert not database.exists()
        assert not (data / "keys").exists()
        (data / left).unlink()
    assert run(data, "", "restore", str(kept)).exit_code == 0
    assert "Ann" in run(data, "", "account", "list").output


def test_a_copy_that_fails_before_a_migration_displaces_no_whole_one(tmp_path: Path) -> None:
    """The disk is full in the middle of it: nothing is migrated, and what is kept is what was kept before."""
    service = Settings(data_dir=tmp_path, backups=1)
    database = Database(service.database)
    migrate.migrate(database, BEFORE)
    whole = back_up_before(Path(database.url.database or ""), service)
    with database.writing() as session:
        session.add(Setting(name="large", value="x" * 1_000_000))
    database.close()
    environment = {**os.environ, "PBEM_DATA_DIR": str(tmp_path), "PBEM_BACKUPS": "1"}
    command = f"ulimit -f 900; exec {sys.executable} -m pbem migrate --stopped"
    failed = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert failed.returncode == 1, failed.stderr
    assert "room" in failed.stderr
    assert list((tmp_path / "backups").iterdir()) == [whole]
    assert migrate.version(Database(service.database)) == BEFORE


def test_programs_of_postgresql_that_fail_leave_nothing(tmp_path: Path, run: Run) -> None:
    """A server that is not there: said in a sentence, without the password, and no half backup is left."""
    keys.ensure(tmp_path / "data" / "keys")
    away = "postgresql://ann:sesame@127.0.0.1:1/none"
    refused = run(tmp_path / "data", away, "backup", str(tmp_path / "kept"))
    assert refused.exit_code == 1
    assert "pg_dump" in refused.output
    assert "sesame" not in refused.output
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data"]


def _state(match: Match) -> object:
    with match.service.reading() as session:
        return position(session, match.id).table.state


def _reply_to(content: bytes) -> str:
    return next(line for line in content.decode("ascii").split("\r\n") if line.startswith("Reply-To: "))[10:]
