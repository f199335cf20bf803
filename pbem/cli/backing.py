"""A backup of the service, and the way back."""

import os
from pathlib import Path

import click

from pbem.cli.opened import read_settings
from pbem.cli.words import _
from pbem.storage.backup import back_up
from pbem.storage.backup import restore as take_back
from pbem.supervisor import datadir

_FOLDER = click.argument("folder", type=click.Path(path_type=Path))


@click.command("backup", help=_("Copy the database as of this moment, and the keys, into a new folder; at any time."))
@_FOLDER
def backup(folder: Path) -> None:
    """Copy the database and the keys."""
    settings = read_settings()
    back_up(settings, folder)
    click.echo(_("The backup is in %(folder)s. Whoever has it can read all hands and addresses.") % {"folder": folder})


@click.command("restore", help=_("Put a backup into a service that has no database and no keys yet."))
@_FOLDER
def restore(folder: Path) -> None:
    """Put a backup in place."""
    settings = read_settings()
    lock = datadir.claim(settings.data_dir, seconds=0)
    try:
        take_back(settings, folder)
    finally:
        os.close(lock)
    click.echo(_("The service is as it was when the backup was made. Start it with `pbem up`."))
