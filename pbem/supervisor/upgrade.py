"""Bring the database to the present version, after a backup."""

from pathlib import Path

from pbem import clock, private
from pbem.settings import Settings
from pbem.storage import migrate
from pbem.storage.backup import copy_sqlite, remove_sqlite
from pbem.storage.sessions import Database


def upgrade_beside_others(settings: Settings) -> Path | None:
    """The same while processes of the release before may be at work. Raises migrate.StopFirst too."""
    database = Database(settings.database)
    try:
        migrate.refuse_beside_others(database)
    finally:
        database.close()
    return upgrade(settings)


def upgrade(settings: Settings) -> Path | None:
    """Migrate the database where it is older; the backup made before, None where none was needed.

    An SQLite file is copied as of one moment, whoever is writing. A PostgreSQL server has its operator's own backups.
    Raises migrate.NewerDatabase and changes nothing.
    """
    database = Database(settings.database)
    try:
        backup = None
        if database.sqlite and migrate.version(database) is not None and migrate.outdated(database):
            backup = back_up(Path(database.url.database or ""), settings)
        migrate.migrate(database)
    finally:
        database.close()
    return backup


def back_up(path: Path, settings: Settings) -> Path:
    """Copy an SQLite file into the data folder's backups, and keep the newest few."""
    folder = settings.data_dir / "backups"
    private.folder(folder)
    copy = folder / f"{path.stem}-{clock.now():%Y%m%dT%H%M%S%f}.sqlite3"
    draft = copy.with_name(f".{copy.name}.part")  # half a copy, of a full disk say, is none and displaces none
    try:
        copy_sqlite(path, draft)
        draft.rename(copy)
    finally:
        remove_sqlite(draft)
    for old in sorted(folder.glob(f"{path.stem}-*.sqlite3"))[: -settings.backups]:
        old.unlink()
    return copy
