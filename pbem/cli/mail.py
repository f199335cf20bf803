"""Commands that take mail in, and that tell what became of it."""

import os
import sys
from collections.abc import Sequence

import click
import msgspec

from pbem import clock, logs
from pbem.accounts import invite_again
from pbem.cli.opened import opened, published, read_settings
from pbem.cli.running import told_to_stop
from pbem.cli.shown import as_json, show
from pbem.cli.words import _
from pbem.errors import Refused
from pbem.games.position import game_row
from pbem.mail.addresses import canonical
from pbem.mail.intake import Arrived, plain, take_in
from pbem.mail.log import Entry, Wanted, entries
from pbem.mail.mailbox import fetch as fetch_mail
from pbem.storage.models import Inbound
from pbem.supervisor.ready import say_ready


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
    settings = read_settings()
    logs.configure(settings.log_level, as_json=settings.log_json)
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


@click.command("fetch", help=_("Fetch mail from the mailbox of the settings: one of the processes of `pbem up`."))
def fetch() -> None:
    """Fetch mail."""
    settings = read_settings()
    logs.configure(settings.log_level, as_json=settings.log_json)
    if not settings.imap_host:
        raise click.ClickException(_("No mailbox is configured: PBEM_IMAP_HOST is empty."))
    with opened() as service:
        fetch_mail(published(service), told_to_stop(), say_ready)


@click.group(help=_("What became of mails and letters."))
def mail() -> None:
    """What became of mails and letters."""


@mail.command("log", help=_("What came in and what went out, the newest first, with what became of each."))
@click.option("--game", "code", default="", help=_("Of the game CODE alone."))
@click.option("--seat", type=int, default=None, help=_("Of one seat alone, by its number from 0."))
@click.option("--to", "address", default="", help=_("To one address alone; then only what went out."))
@click.option("--fate", default="", help=_("What has met that fate alone, such as bounced, queued, refused."))
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, help=_("How many of each at most."))
@as_json
def listed(code: str, seat: int | None, address: str, fate: str, limit: int, as_json: bool) -> None:
    """What became of mails and letters."""
    with opened() as service, service.reading() as session:
        wanted = Wanted(game_row(session, code).id if code else None, seat, canonical(address), fate, limit)
        rows = [row_of(each) for each in entries(session, wanted)]
    headings = {"at": _("when"), "way": _("way"), "number": "#", "game": _("game"), "seat": _("seat")}
    headings |= {"address": _("address"), "kind": _("kind"), "fate": _("fate"), "said": _("what was said")}
    show(rows, headings, as_json)


@mail.command("show", help=_("The mail of NUMBER as it came, if it belongs to no seat."))
@click.argument("number", type=int)
def shown(number: int) -> None:
    """One mail as it came."""
    with opened() as service, service.reading() as session:
        found = session.get(Inbound, number)
        if found is None:
            raise Refused("no_mail", number=number)
        if found.game_id is not None:
            raise Refused("hidden_mail", number=number)
    click.echo(found.raw, nl=False)


@mail.command("allow", help=_("Let ADDRESS, which had declined or complained, be invited again."))
@click.argument("address")
def allow(address: str) -> None:
    """Let an address be invited again."""
    with opened() as service:
        if not invite_again(service, address):
            raise Refused("not_unwanted", address=address)
    click.echo(_("%(address)s can be invited again.") % {"address": address})


def row_of(entry: Entry) -> dict[str, object]:
    """An entry of the log as a row."""
    row: dict[str, object] = msgspec.structs.asdict(entry)
    return {**row, "at": entry.at.strftime("%Y-%m-%d %H:%M:%S"), "seat": "" if entry.seat is None else entry.seat}
