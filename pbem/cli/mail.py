"""What became of mails and letters, and who may be invited again."""

import click
import msgspec

from pbem.accounts import invite_again
from pbem.cli.groups import Group
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show
from pbem.cli.words import _
from pbem.errors import Refused
from pbem.games.position import game_row
from pbem.mail.addresses import canonical
from pbem.mail.log import FATES, Entry, Wanted, entries
from pbem.storage.models import Inbound


@click.group(cls=Group, help=_("What became of mails and letters."))
def mail() -> None:
    """What became of mails and letters."""


@mail.command("log", help=_("What came in and what went out, the newest first, with what became of each."))
@click.option("--game", "code", default="", help=_("Of the game CODE alone."))
@click.option("--seat", type=int, default=None, help=_("Of one seat alone, by its number from 0."))
@click.option("--to", "address", default="", help=_("To one address alone; then only what went out."))
@click.option("--fate", type=click.Choice(FATES), default=None, help=_("What has met that fate alone."))
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, help=_("How many of each at most."))
@as_json
def listed(code: str, seat: int | None, address: str, fate: str | None, limit: int, as_json: bool) -> None:
    """What became of mails and letters."""
    with opened() as service, service.reading() as session:
        wanted = Wanted(game_row(session, code).id if code else None, seat, canonical(address), fate or "", limit)
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
