"""What is settled for accounts, among `pbem account …`: each act has a reason and goes on the site's record."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem import private
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show
from pbem.cli.words import _
from pbem.context import Service
from pbem.rulings.authority import Actor
from pbem.site import blocking, deleting, exporting, merging
from pbem.site.record import number_of, record_of

T = TypeVar("T", bound=Callable[..., Any])


def why(command: T) -> T:
    """The options that each of them has: `reason` and `by`."""
    reason = click.option("--reason", required=True, help=_("Kept on the site's record."))
    by = click.option("--as", "by", default="", metavar="ADDRESS", help=_("Act as this moderator of the site."))
    return reason(by(command))


@click.command("merge", help=_("Make one account of two of the same person: ADDRESS's keeps its name, OTHER's goes."))
@click.argument("address")
@click.argument("other")
@why
def merge(address: str, other: str, reason: str, by: str) -> None:
    """Make one account of two."""
    with opened() as service:
        merging.merge(service, _number(service, address), _number(service, other), Actor(reason, by))
    click.echo(_("The accounts are one. Both addresses are told."))


@click.command("block", help=_("Let the account of ADDRESS neither sign in nor play by mail; it keeps its seats."))
@click.argument("address")
@why
def block(address: str, reason: str, by: str) -> None:
    """Block an account."""
    with opened() as service:
        blocking.block(service, _number(service, address), Actor(reason, by))
    click.echo(_("The account is blocked. The moderators of its games are told."))


@click.command("unblock", help=_("Let the account of ADDRESS in again."))
@click.argument("address")
@why
def unblock(address: str, reason: str, by: str) -> None:
    """Let an account in again."""
    with opened() as service:
        blocking.unblock(service, _number(service, address), Actor(reason, by))
    click.echo(_("The account is let in again. The moderators of its games are told."))


@click.command(
    "export",
    help=_(
        "Write the data of the account of ADDRESS to FILE, as JSON. What games that go on hide is left out: the person "
        "has it by the page of the account."
    ),
)
@click.argument("address")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@why
def export(address: str, file: Path, reason: str, by: str) -> None:
    """Write a person's data to a file that nobody else can read."""
    with opened() as service, private.new_file(file) as new:
        new.write(exporting.data_of(service, _number(service, address), Actor(reason, by)))
    click.echo(_("The data is in %(file)s.") % {"file": file})


@click.command(
    "delete",
    help=_(
        "Delete the data of the account of ADDRESS: its seats are left, name, addresses and letters go, and its games "
        "stay whole. It can't be undone."
    ),
)
@click.argument("address")
@click.option("--yes", is_flag=True, help=_("Don't ask whether it is meant."))
@why
def delete(address: str, yes: bool, reason: str, by: str) -> None:
    """Delete a person's data."""
    with opened() as service:
        number = _number(service, address)
        if not yes:
            click.confirm(_("Delete all data of %(address)s? It can't be undone.") % {"address": address}, abort=True)
        deleting.delete_account(service, number, Actor(reason, by))
    click.echo(_("The data is deleted, and the games are whole."))


@click.command(
    "record", help=_("What was done to accounts, with reasons; to that of ADDRESS alone where one is given.")
)
@click.argument("address", required=False)
@as_json
def record(address: str | None, as_json: bool) -> None:
    """The site's record."""
    with opened() as service, service.reading() as session:
        of = number_of(session, address) if address else None
        rows = [
            {
                "at": row.at,
                "account": row.subject_id,
                "act": row.act,
                "by": "operator" if name is None else name,
                "reason": row.reason,
            }
            for row, name in record_of(session, of)
        ]
    headings = {"at": _("when"), "account": _("account"), "act": _("act"), "by": _("by"), "reason": _("reason")}
    show(rows, headings, as_json)


def _number(service: Service, address: str) -> int:
    with service.reading() as session:
        return number_of(session, address)


COMMANDS = (merge, block, unblock, export, delete, record)
