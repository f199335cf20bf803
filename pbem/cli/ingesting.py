import os
import sys
from collections.abc import Sequence

import click

from pbem import clock
from pbem.cli.opened import opened, published
from pbem.cli.processes import logging_as_set
from pbem.cli.words import _
from pbem.mail.intake import Arrived, plain, take_in


@click.command(
    "ingest",
    help=_(
        "Take in the mail that comes on standard input, from a mail server's pipe. Ends with 0 once it is stored, with "
        "75 where it could not be (the server then tries again), with 65 where it is too long."
    ),
)
@click.option("--to", "recipients", multiple=True, help=_("A recipient of the envelope; else $ORIGINAL_RECIPIENT."))
@click.option("--from", "sender", default=None, help=_("The envelope's sender; else $SENDER."))
def ingest(recipients: tuple[str, ...], sender: str | None) -> None:
    """Take in a mail."""
    try:
        code = _ingest(recipients or (os.environ.get("ORIGINAL_RECIPIENT", ""),), sender)
    except Exception as error:  # whatever it is: the mail stays with who hands it over
        click.echo(_("The mail could not be stored (%(kind)s): try again.") % {"kind": type(error).__name__}, err=True)
        code = os.EX_TEMPFAIL
    raise SystemExit(code)


def _ingest(recipients: Sequence[str], sender: str | None) -> int:
    settings = logging_as_set()
    raw = sys.stdin.buffer.read(settings.max_message_bytes + 1)
    if len(raw) > settings.max_message_bytes:
        click.echo(_("The mail has more than %(most)s bytes.") % {"most": settings.max_message_bytes}, err=True)
        return os.EX_DATAERR
    given = os.environ.get("SENDER") if sender is None else sender
    mail_from = "" if given is None else plain(given) or "<>"
    to = tuple(plain(each) for each in recipients if each)
    with opened() as service:
        take_in(published(service), Arrived(raw, clock.now(), mail_from, to, "pipe"))
    return os.EX_OK
