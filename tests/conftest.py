"""What all tests share: fresh databases, servers, and the list of what was not run.

`database` gives each test a fresh database of the present version, once SQLite and once PostgreSQL; what is of one sort
alone says why. `redis_url` gives an empty Redis-protocol server. `require("browser")` gives the path of a program that
may be missing on this machine.
"""

import gc
import logging
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import hypothesis
import pytest
import structlog

from pbem.collector import relax
from pbem.storage.sessions import Database
from tests import servers
from tests.compiled import share_routes, share_statements
from tests.pbem.replaced import next_test, watch

if TYPE_CHECKING:
    from tests.emptied import Emptied

# A test says what is true and not how long it takes: a machine may be slow.
hypothesis.settings.register_profile("pbem", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("pbem")

# A fresh database for each test waits for the disk most of the time; where there is memory for it, it lies there.
MEMORY = servers.memory_folder()
if MEMORY is not None:
    os.environ["TMPDIR"] = tempfile.tempdir = MEMORY

share_routes()
share_statements()
watch()

REQUIRE = "TESTS_REQUIRE"
YOUNG = 100_000
"""As in `pbem.collector`: a test makes more, and looking for garbage was a sixteenth of all their work."""
for name in [name for name in os.environ if name.startswith("PBEM_")]:
    del os.environ[name]  # the settings of whoever runs the tests are not ours


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test starts from default settings, the real time, and a data folder that is nobody's."""
    from pbem import clock  # noqa: PLC0415 - after the environment is cleaned
    from pbem.settings import settings  # noqa: PLC0415

    monkeypatch.setenv("PBEM_DATA_DIR", "/nonexistent/use-tmp_path")
    settings.cache_clear()
    clock.use(None)
    yield
    settings.cache_clear()
    clock.use(None)


@pytest.fixture(autouse=True)
def _own_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test draws the same each time and with each sort of database: what fails, fails again.

    The games at random have seeds of their own.
    """
    next_test()
    drawn = _SORT.sub("", request.node.nodeid).replace("[]", "")
    monkeypatch.setattr("secrets.token_bytes", Random(drawn).randbytes)


_SORT = re.compile(r"(?<=\[)(sqlite|postgresql)-?|-(sqlite|postgresql)(?=[-\]])")


@pytest.fixture(autouse=True)
def _small_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are drawn a tenth as wide: few tests look at them, and drawing was more than a third of all their work."""
    board = sys.modules.get("pbem.reports.board")
    if board is not None and "large_pictures" not in request.fixturenames:
        monkeypatch.setattr(board, "WIDTH", 72)


@pytest.fixture
def large_pictures() -> None:
    """Boards are drawn as users see them."""


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """Each test starts with logs as nobody has configured them."""
    root = logging.getLogger()
    handlers, level = [each for each in root.handlers if not _is_pytests(each)], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = [*handlers, *filter(_is_pytests, root.handlers)]
    root.setLevel(level)


def _is_pytests(handler: logging.Handler) -> bool:
    return type(handler).__module__.startswith("_pytest")


@pytest.fixture(scope="session")
def require() -> Callable[[str], str]:
    """`require(name)`: the path of that program or server (servers.FINDERS), else the test is listed as not run."""

    def look(name: str) -> str:
        try:
            return servers.FINDERS[name]()
        except servers.Missing as missing:
            pytest.skip(str(missing))

    return look


@pytest.fixture(scope="session")
def short_folder() -> Iterator[Path]:
    """A folder with a path short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql(require: Callable[[str], str], short_folder: Path) -> Iterator[servers.PostgreSQL]:
    """A PostgreSQL server for the whole run (one for each process of it)."""
    require("postgresql")
    with servers.running_postgresql(short_folder / "pg") as server:
        server.hurry()
        yield server


@pytest.fixture(scope="session")
def valkey(require: Callable[[str], str], short_folder: Path) -> Iterator[str]:
    """The address of a Redis-protocol server for the whole run."""
    require("valkey")
    with servers.running_valkey(short_folder) as url:
        yield url


@pytest.fixture
def redis_url(valkey: str) -> str:
    """The address of an empty Redis-protocol server."""
    import redis  # noqa: PLC0415 - most tests need none

    with redis.Redis.from_url(valkey) as client:
        client.flushall()
    return valkey


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file of the present version."""
    path = tmp_path_factory.mktemp("template") / "pbem.sqlite3"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def emptied(postgresql: servers.PostgreSQL) -> Iterator["Emptied"]:
    """The PostgreSQL database that tests have one after the other."""
    from tests.emptied import Emptied  # noqa: PLC0415 - most tests need none

    emptied = Emptied(postgresql.url(postgresql.create()))
    yield emptied
    emptied.close()


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A fresh SQLite database of the present version."""
    path = tmp_path / "pbem.sqlite3"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgresql_url(emptied: "Emptied") -> Iterator[str]:
    """A PostgreSQL database of the present version with nothing in it that a test before has left."""
    yield emptied.url
    emptied.empty()


@pytest.fixture
def empty_postgresql_url(postgresql: servers.PostgreSQL) -> Iterator[str]:
    """A PostgreSQL database with nothing in it."""
    name = postgresql.create()
    yield postgresql.url(name)
    postgresql.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with nothing in it, of each sort."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    return str(request.getfixturevalue("empty_postgresql_url"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh database of the present version, of each sort."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
def database(database_url: str, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A fresh database of the present version, of each sort, opened."""
    if database_url.startswith("sqlite"):
        yield from _opened(database_url)
    else:
        yield request.getfixturevalue("emptied").database


@pytest.fixture
def sqlite(sqlite_url: str) -> Iterator[Database]:
    """A fresh SQLite database of the present version, opened: for tests that say why they are of this sort alone."""
    yield from _opened(sqlite_url)


def _opened(url: str) -> Iterator[Database]:
    opened = Database(url)
    yield opened
    opened.close()


def _migrate(url: str) -> None:
    from pbem.storage.migrate import migrate  # noqa: PLC0415 - most tests need none

    database = Database(url)
    migrate(database)
    database.close()


def pytest_collection_finish() -> None:
    """From here on a process makes and forgets the same small things over and over, as a worker does."""
    relax()
    gc.set_threshold(YOUNG, 50, 100)


def pytest_report_header() -> str:
    """The seed of today's random games, so that a failure can be played again."""
    from tests.engine.fuzzing import first_seed  # noqa: PLC0415 - after the environment is cleaned

    return f"random games: FUZZ_SEED={first_seed()}"


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else str(report.longrepr)


def _count(report: pytest.TestReport | pytest.CollectReport) -> None:
    """With TESTS_REQUIRE set a test that is not run is one that failed."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get(REQUIRE):
        report.outcome = "failed"
        report.longrepr = f"not run, and {REQUIRE} is set: {_reason(report)}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """See `_count`."""
    report = yield
    _count(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """See `_count`."""
    report = yield
    _count(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was not run and why."""
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", []))
    terminalreporter.section("not run")
    for reason, tests in sorted(reasons.items()):
        terminalreporter.line(f"{tests:>4}  {reason}")
    if not reasons:
        terminalreporter.line("nothing was left out")
