"""Commands that run the service, and that make it ready to be run."""

import click

from pbem import keys
from pbem.cli.processes import logging_as_set
from pbem.cli.words import _
from pbem.storage import migrate as migrations
from pbem.supervisor.up import up as run_service
from pbem.supervisor.upgrade import upgrade, upgrade_beside_others


@click.command("up", help=_("Run the service: mail, web, workers, and a broker of its own where none is configured."))
def up() -> None:
    """Run the service."""
    run_service(logging_as_set())


@click.command(
    "migrate",
    help=_(
        "Make the keys and bring the database up to date, after a copy of it. Processes of the release before may go "
        "on working; where they can't, nothing is done without --stopped."
    ),
)
@click.option("--stopped", is_flag=True, help=_("Nothing else works with the database now."))
def migrate(stopped: bool) -> None:
    """Bring the database up to date."""
    settings = logging_as_set()
    keys.ensure(settings.keys)
    copy = upgrade(settings) if stopped else upgrade_beside_others(settings)
    if copy is not None:
        click.echo(_("The database as it was is kept in %(file)s.") % {"file": copy})
    click.echo(_("The database is of version %(version)s.") % {"version": migrations.newest()})
