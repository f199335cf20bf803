import click

from pbem.cli.opened import opened, published
from pbem.cli.processes import logging_as_set, told_to_stop
from pbem.cli.words import _
from pbem.mail.listener import listen as take_mail
from pbem.supervisor.ports import taken
from pbem.supervisor.ready import say_ready


@click.command("listen", help=_("Take mail in by SMTP or LMTP: one of the processes of `pbem up`."))
def listen() -> None:
    """Take mail in."""
    settings = logging_as_set()
    with opened() as service:
        try:
            take_mail(published(service), told_to_stop(), lambda _port: say_ready())
        except OSError as error:
            raise taken(settings.mail_host, settings.mail_port, "MAIL_PORT", error) from error
