"""The service, opened for one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import click
from pydantic import ValidationError

from pbem import refusals
from pbem.cli.words import WORDS, _
from pbem.context import Service
from pbem.door import Celeried
from pbem.errors import Busy, Refused
from pbem.settings import Settings, settings
from pbem.storage import migrate


def read_settings() -> Settings:
    """The settings; what is wrong with them is told by name, never by value."""
    try:
        return settings()
    except FileNotFoundError as error:
        raise click.ClickException(_("There is no file %(file)s.") % {"file": error}) from error
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_input=False)]
        raise click.ClickException("\n".join([_("These settings can't be used:"), *wrong])) from error


@contextmanager
def opened() -> Iterator[Service]:
    """The service on its database; a refusal becomes a sentence.

    Nudges are not published from here: the sweep finds what a command leaves to do within a second.
    """
    try:
        service = Service.opened(read_settings())
    except FileNotFoundError as error:
        raise click.ClickException(
            _("The service has not been set up here yet: run `pbem up` or `pbem migrate`.")
        ) from error
    try:
        if migrate.outdated(service.database):
            raise click.ClickException(_("The database is older than this version: run `pbem up` or `pbem migrate`."))
        yield service
    except migrate.NewerDatabase as error:
        raise click.ClickException(newer(error)) from error
    except Refused as refused:
        raise click.ClickException(_refusal(refused)) from refused
    except Busy as busy:
        raise click.ClickException(_("The game is busy: try again.")) from busy
    finally:
        service.close()


def _refusal(refused: Refused) -> str:
    """Why, and the option that lifts it, which other ways have not."""
    why = refusals.said(refused, WORDS)
    return why + " " + _("--twice lets an address hold several.") if refused.code == "same_player" else why


def published(service: Service) -> Service:
    """The service with a way to tell workers of what has come."""
    url = service.settings.redis_url
    return replace(service, door=Celeried(url)) if url else service


def newer(error: migrate.NewerDatabase) -> str:
    """What to say of a database that is too new."""
    return _(
        "The database is of version %(version)s, which a newer release made. This release would damage it and leaves "
        "it alone: install the newer release, or point PBEM_DATA_DIR or PBEM_DATABASE_URL at another database."
    ) % {"version": error}


def too_early(error: migrate.StopFirst) -> str:
    """What to say of a migration that others would not survive."""
    return _(
        "The migration takes away what processes of the release before use. Either run a release whose database is of "
        "version %(version)s everywhere first, or stop all processes on all machines and run `pbem migrate --stopped`."
    ) % {"version": error}
