"""The service, opened for one command."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
from pydantic import ValidationError

from pbem.cli.misconfigured import invalid_said, unknown_said
from pbem.cli.words import _
from pbem.context import Service
from pbem.door import Celeried
from pbem.settings import CONFIG, Settings, UnknownSettings, settings
from pbem.storage import migrate
from pbem.tomlfiles import read_text, read_toml


def read_settings() -> Settings:
    """The settings; what is wrong with them is told by name, never by value."""
    try:
        return settings()
    except FileNotFoundError as error:
        raise click.ClickException(_("There is no file %(file)s.") % {"file": error}) from error
    except UnknownSettings as error:
        raise click.ClickException(unknown_said(error)) from error
    except ValidationError as error:
        raise click.ClickException(invalid_said(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        file = Path(os.environ[CONFIG])
        (read_toml if file.suffix == ".toml" else read_text)(file)  # raises with the line
        raise


@contextmanager
def opened() -> Iterator[Service]:
    """The service on its database.

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
    finally:
        service.close()


def published(service: Service) -> Service:
    """The service with a way to tell workers of what has come."""
    url = service.settings.redis_url
    return replace(service, door=Celeried(url)) if url else service
