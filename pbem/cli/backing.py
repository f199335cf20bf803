"""A backup of the service, and the way back."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from pbem.cli.opened import newer, read_settings
from pbem.cli.words import _
from pbem.storage import migrate
from pbem.storage.backup import NotBackedUp, back_up
from pbem.storage.backup import restore as take_back
from pbem.supervisor import datadir

_FOLDER = click.argument("folder", type=click.Path(path_type=Path))


@click.command("backup", help=_("Copy the database as of this moment, and the keys, into a new folder; at any time."))
@_FOLDER
def backup(folder: Path) -> None:
    """Copy the database and the keys."""
    settings = read_settings()
    with _told():
        back_up(settings, folder)
    click.echo(_("The backup is in %(folder)s. Whoever has it can read all hands and addresses.") % {"folder": folder})


@click.command("restore", help=_("Put a backup into a service that has no database and no keys yet."))
@_FOLDER
def restore(folder: Path) -> None:
    """Put a backup in place."""
    settings = read_settings()
    with _told():
        lock = datadir.claim(settings.data_dir, seconds=0)
        try:
            take_back(settings, folder)
        finally:
            os.close(lock)
    click.echo(_("The service is as it was when the backup was made. Start it with `pbem up`."))


@contextmanager
def _told() -> Iterator[None]:
    """What went wrong, as a sentence."""
    try:
        yield
    except NotBackedUp as error:
        raise click.ClickException(_said(error)) from error
    except migrate.NewerDatabase as error:
        raise click.ClickException(newer(error)) from error
    except datadir.InUse as error:
        text = _("A service with the process number %(pid)s uses the data folder: stop it first.")
        raise click.ClickException(text % {"pid": error}) from error
    except FileNotFoundError as error:
        text = _("There is no file %(file)s: the service has not been set up here yet.")
        raise click.ClickException(text % {"file": error.filename}) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error


def _said(error: NotBackedUp) -> str:
    return {
        "exists": _("%(what)s is there already: name a folder that is new."),
        "no_backup": _("%(what)s is no backup: one has the file `keys`, and `pbem.sqlite3` or `pbem.dump`."),
        "other_kind": _(
            "The backup in %(what)s is of the other sort of database: set PBEM_DATABASE_URL for one of PostgreSQL, and "
            "leave it out for one of SQLite."
        ),
        "not_empty": _("There is a database in %(what)s already, and it is left alone: restore into an empty one."),
        "keys_there": _("There are keys in %(what)s already, and they are left alone: move them away first."),
        "no_program": _("The program %(what)s of PostgreSQL is not on the path: install its client programs."),
        "program_failed": _("It did not work. %(what)s"),
    }[error.code] % {"what": error.detail}
