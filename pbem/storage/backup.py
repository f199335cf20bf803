"""A backup: the database as of one moment, whoever is writing, and the keys, in one folder; and the way back.

A PostgreSQL database is written and read by its own programs, `pg_dump` and `pg_restore`, which must be on the path.
"""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import URL

from pbem import private
from pbem.settings import Settings
from pbem.storage import migrate
from pbem.storage.sessions import Database, normal_url

SQLITE, DUMP, KEYS = "pbem.sqlite3", "pbem.dump", "keys"
_BESIDE = ("-wal", "-shm", "-journal")
"""Ends of the names of files that SQLite keeps beside a database. Those of one that was killed stay, and are taken for
those of whichever database has its name next."""
_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "options": "PGOPTIONS",
    "connect_timeout": "PGCONNECT_TIMEOUT",
}
"""The words of a PostgreSQL address as its programs take them from the environment, where nobody else sees them."""


class NotBackedUp(Exception):
    """No backup was made, or none taken back, and nothing is changed. `code` says why, `detail` of what."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


def back_up(settings: Settings, folder: Path) -> None:
    """Write a backup into a new folder that only its owner may read, whole or not at all.

    Raises NotBackedUp `exists`, `not_set_up`, `no_program`, `program_failed`, OSError, sqlite3.Error.
    """
    if folder.exists():
        raise NotBackedUp("exists", str(folder))
    url = normal_url(settings.database)
    is_sqlite = url.get_backend_name() == "sqlite"
    for needed in (settings.keys, *([Path(url.database or "")] if is_sqlite else [])):
        if not needed.exists():
            raise NotBackedUp("not_set_up", str(needed))
    draft = folder.with_name(f".{folder.name}.part")
    draft.mkdir(mode=0o700, parents=True)
    try:
        if is_sqlite:
            copy_sqlite(Path(url.database or ""), draft / SQLITE)
        else:
            private.touch(draft / DUMP)
            _run(url, "pg_dump", "--format=custom", "--no-owner", f"--file={draft / DUMP}")
        _copy_keys(settings.keys, draft / KEYS)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def restore(settings: Settings, folder: Path) -> None:
    """Put a backup where there is no database and there are no keys yet.

    Raises NotBackedUp `no_backup`, `other_kind` for a backup of the other sort of database, `not_empty`, `keys_there`,
    `left_over`, `damaged`, `no_program`, `program_failed`; NewerDatabase; OSError, sqlite3.Error.
    """
    url = normal_url(settings.database)
    is_sqlite = url.get_backend_name() == "sqlite"
    kept = folder / (SQLITE if is_sqlite else DUMP)
    if not (folder / KEYS).is_file() or not ((folder / SQLITE).is_file() or (folder / DUMP).is_file()):
        raise NotBackedUp("no_backup", str(folder))
    if not kept.is_file():
        raise NotBackedUp("other_kind", str(folder))
    if settings.keys.exists():
        raise NotBackedUp("keys_there", str(settings.keys))
    if is_sqlite:
        _restore_sqlite(kept, Path(url.database or ""))
    else:
        _restore_postgresql(kept, url)
    _copy_keys(folder / KEYS, settings.keys)


def copy_sqlite(path: Path, copy: Path) -> None:
    """Copy a database as of one moment into a new file that only its owner may read."""
    with private.new_file(copy):
        pass
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def remove_sqlite(path: Path) -> None:
    """Delete a database with what SQLite keeps beside it, as far as there is any of it."""
    for each in (path, *_beside(path)):
        each.unlink(missing_ok=True)


def _restore_sqlite(kept: Path, path: Path) -> None:
    if path.exists():
        raise NotBackedUp("not_empty", str(path))
    left = [str(each) for each in _beside(path) if each.exists()]
    if left:
        raise NotBackedUp("left_over", ", ".join(left))
    draft = path.with_name(f".{path.name}.part")
    remove_sqlite(draft)
    try:
        _check_whole(kept)
        copy_sqlite(kept, draft)
        _check_version(Database(f"sqlite:///{draft}"))
        draft.rename(path)
    finally:
        remove_sqlite(draft)


def _beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in _BESIDE]


def _check_whole(kept: Path) -> None:
    """Raises NotBackedUp `damaged`, also for a file in which nothing was ever kept."""
    try:
        with closing(sqlite3.connect(kept)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as error:
        raise NotBackedUp("damaged", str(kept)) from error
    if found != ("ok",) or tables == (0,):
        raise NotBackedUp("damaged", str(kept))


def _restore_postgresql(kept: Path, url: URL) -> None:
    database = Database(url.render_as_string(hide_password=False))
    try:
        if migrate.version(database) is not None:
            raise NotBackedUp("not_empty", url.database or "")
    finally:
        database.close()
    _run(
        url,
        "pg_restore",
        "--no-owner",
        "--single-transaction",
        f"--dbname={url.database}",
        str(kept),
    )
    _check_version(Database(url.render_as_string(hide_password=False)))


def _check_version(database: Database) -> None:
    """Raises NewerDatabase."""
    try:
        migrate.outdated(database)
    finally:
        database.close()


def _copy_keys(path: Path, copy: Path) -> None:
    with private.new_file(copy) as file:
        file.write(path.read_bytes())


def _run(url: URL, program: str, *words: str) -> None:
    """Run a program of PostgreSQL; what it says on an error may hold an address, but no data."""
    found = shutil.which(program)
    if found is None:
        raise NotBackedUp("no_program", program)
    given = {"host": url.host, "port": url.port, "user": url.username, "password": url.password, **url.query}
    ours = {_VARIABLES[name]: str(value) for name, value in given.items() if value is not None and name in _VARIABLES}
    environment = {**os.environ, **ours, "PGDATABASE": url.database or ""}
    ran = subprocess.run([found, *words], env=environment, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise NotBackedUp("program_failed", f"{program}: {ran.stderr.strip()[:500]}")
