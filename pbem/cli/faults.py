"""What can go wrong for an operator, said in a sentence or two: the one place for all commands."""

import errno
import sqlite3
from collections.abc import Callable
from typing import Any

from sqlalchemy.exc import DatabaseError, DBAPIError

from pbem import refusals
from pbem.cli.words import WORDS, _
from pbem.errors import Busy, Refused
from pbem.keys import LEAST, BadKeys
from pbem.settings import settings
from pbem.storage.backup import NotBackedUp
from pbem.storage.migrate import NewerDatabase, StopFirst
from pbem.storage.sessions import AWAY, normal_url
from pbem.supervisor.broker import SocketPathTooLong
from pbem.supervisor.datadir import InUse
from pbem.supervisor.watch import DidNotStart

INSUFFICIENT_PRIVILEGE = "42501"
"""PostgreSQL's code for it."""


def said(error: Exception) -> str | None:
    """What went wrong, and what to do; None for a fault of the program."""
    for kind, say in _SAYS:
        if isinstance(error, kind):
            return say(error)
    return None


def _refused(refused: Refused) -> str:
    """Why, and the option that lifts it, which other ways have not."""
    why = refusals.said(refused, WORDS)
    return why + " " + _("--twice lets an address hold several.") if refused.code == "same_player" else why


def _busy(_busy: Busy) -> str:
    return _("The game is busy: try again.")


def _newer(error: NewerDatabase) -> str:
    return _(
        "The database is of version %(version)s, which a newer release made. This release would damage it and leaves "
        "it alone: install the newer release, or point PBEM_DATA_DIR or PBEM_DATABASE_URL at another database."
    ) % {"version": error}


def _too_early(error: StopFirst) -> str:
    if not error.args:
        return _(
            "The migration takes away what processes of the release before use, and no release can be run before it "
            "that would not need the same. Stop all processes on all machines, run `pbem migrate --stopped`, and start "
            "the new release."
        )
    return _(
        "The migration takes away what processes of the release before use. Either run a release whose database is of "
        "version %(version)s everywhere first, or stop all processes on all machines and run `pbem migrate --stopped`."
    ) % {"version": error}


def _in_use(error: InUse) -> str:
    text = _("The folder %(folder)s is in use by the service with the process number %(pid)s: stop that first.")
    return text % {"folder": settings().data_dir, "pid": error}


def _too_long(error: SocketPathTooLong) -> str:
    text = _("The path %(path)s is too long for a socket: choose a PBEM_DATA_DIR with a shorter one.")
    return text % {"path": error}


def _did_not_start(error: DidNotStart) -> str:
    text = _("The process “%(name)s” did not start: see what it says above. Everything else was stopped again.")
    return text % {"name": error}


def _not_backed_up(error: NotBackedUp) -> str:
    return {
        "exists": _("%(what)s is there already: name a folder that is new."),
        "not_set_up": _("There is no file %(what)s: the service has not been set up here yet."),
        "no_backup": _("%(what)s is no backup: one has the file `keys`, and `pbem.sqlite3` or `pbem.dump`."),
        "damaged": _("%(what)s is damaged or no database: nothing was changed. Take another backup."),
        "other_kind": _(
            "The backup in %(what)s is of the other sort of database: set PBEM_DATABASE_URL for one of PostgreSQL, and "
            "leave it out for one of SQLite."
        ),
        "not_empty": _("There is a database in %(what)s already, and it is left alone: restore into an empty one."),
        "left_over": _(
            "There is %(what)s, left of a database that was here: SQLite would write it over the restored one. Move it "
            "away too, to where that database went."
        ),
        "keys_there": _("There are keys in %(what)s already, and they are left alone: move them away first."),
        "no_program": _("The program %(what)s of PostgreSQL is not on the path: install its client programs."),
        "program_failed": _("It did not work. %(what)s"),
    }[error.code] % {"what": error.detail}


def _bad_keys(error: BadKeys) -> str:
    return {
        "open": _("Others may read the keys in %(file)s: let their owner alone do so (chmod 600), or make new ones."),
        "form": _("%(file)s, line %(line)s: this is no key; write each as at least %(least)s figures from 0 to f."),
        "empty": _("There is no key in %(file)s: take it from a backup, or delete the file and run `pbem migrate`."),
    }[error.code] % {"file": error.file, "line": error.line, "least": 2 * LEAST}


def _database(error: Exception) -> str | None:
    """Of a database that is away, shut or damaged; None for what a statement of ours did wrong."""
    of_database = isinstance(error, (*AWAY, sqlite3.Error)) or type(error) is DatabaseError
    if isinstance(error, DBAPIError):  # without a statement it is the connection that failed
        of_database |= error.statement is None or getattr(error.orig, "sqlstate", None) == INSUFFICIENT_PRIVILEGE
    if not of_database:
        return None
    url = normal_url(settings().database)
    said = str(error.orig if isinstance(error, DBAPIError) else error).strip().partition("\n")[0]
    problem = said.replace(url.password, "…") if url.password else said
    if url.get_backend_name() == "sqlite":
        text = _(
            "The database %(where)s can't be used (%(problem)s). See whether this user may write it and its folder, "
            "and whether there is room; one that is damaged comes back from a backup with `pbem restore`."
        )
        return text % {"where": url.database, "problem": problem}
    text = _(
        "The database at %(where)s can't be used (%(problem)s). See whether its server runs and lets us in, and "
        "PBEM_DATABASE_URL."
    )
    where = f"{url.host or ''}{f':{url.port}' if url.port else ''}/{url.database or ''}"
    return text % {"where": where, "problem": problem}


def _there_already(error: FileExistsError) -> str:
    return _("There is a file %(file)s already.") % {"file": error.filename}


def _file(error: OSError) -> str | None:
    """Of a file or folder; None where it is about none, or nobody reads what we write any more."""
    if error.filename is None or error.errno == errno.EPIPE:
        return None
    text = _("%(file)s can't be read, made or written (%(problem)s): name another place, or let this user do so.")
    return text % {"file": error.filename, "problem": error.strerror}


_SAYS: tuple[tuple[type[Exception], Callable[[Any], str | None]], ...] = (
    (Refused, _refused),
    (Busy, _busy),
    (NewerDatabase, _newer),
    (StopFirst, _too_early),
    (InUse, _in_use),
    (SocketPathTooLong, _too_long),
    (DidNotStart, _did_not_start),
    (NotBackedUp, _not_backed_up),
    (BadKeys, _bad_keys),
    (FileExistsError, _there_already),
    (OSError, _file),
    (Exception, _database),
)
