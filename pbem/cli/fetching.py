import click

from pbem.cli.opened import opened, published
from pbem.cli.processes import logging_as_set, told_to_stop
from pbem.cli.words import _
from pbem.mail.mailbox import fetch as fetch_mail
from pbem.supervisor.ready import say_ready


@click.command("fetch", help=_("Fetch mail from the mailbox of the settings: one of the processes of `pbem up`."))
def fetch() -> None:
    """Fetch mail."""
    settings = logging_as_set()
    if not settings.imap_host:
        raise click.ClickException(_("No mailbox is configured: PBEM_IMAP_HOST is empty."))
    with opened() as service:
        fetch_mail(published(service), told_to_stop(), say_ready)
