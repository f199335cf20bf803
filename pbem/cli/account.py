"""`pbem account …` and `pbem login-link`."""

import click
from sqlmodel import col, select

from pbem import accounts
from pbem.cli.groups import Group
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show, show_one
from pbem.cli.words import _
from pbem.errors import Refused
from pbem.storage.models import Account, Address


@click.group(cls=Group, help=_("People: players and moderators."))
def account() -> None:
    """People: players and moderators."""


@account.command("create", help=_("Make an account for ADDRESS."))
@click.argument("address")
@click.option("--name", default="", help=_("The name that others see; else what stands before the @."))
@click.option("--moderator", is_flag=True, help=_("May moderate every game of the site."))
def create(address: str, name: str, moderator: bool) -> None:
    """Make an account."""
    with opened() as service:
        number = accounts.create_account(service, address, name, moderator=moderator)
    click.echo(_("Account %(number)s.") % {"number": number})


@account.command("list", help=_("All accounts."))
@as_json
def listed(as_json: bool) -> None:
    """All accounts."""
    with opened() as service, service.reading() as session:
        found = session.exec(select(Account, Address).join(Address).order_by(col(Account.id), col(Address.id))).all()
    rows = [
        {
            "id": who.id,
            "name": who.name,
            "address": address.address,
            "language": who.language,
            "zone": who.zone,
            "moderator": who.moderator,
        }
        for who, address in found
    ]
    headings = {"id": "#", "name": _("name"), "address": _("address"), "language": _("language")}
    show(rows, headings | {"zone": _("time zone"), "moderator": _("moderator")}, as_json)


@click.command("login-link", help=_("A link by which the account of ADDRESS signs in, for when mail is down."))
@click.argument("address")
@as_json
def login_link(address: str, as_json: bool) -> None:
    """A link to sign in with."""
    with opened() as service:
        with service.writing() as session:
            who = accounts.account_of(session, address)
            if who is None or who.id is None:
                raise Refused("no_account")
            secret = accounts.make_link(service, session, who.id)
        link = f"{service.settings.url}/sign-in/{secret}"
        minutes = service.settings.link_minutes
    show_one(
        {"link": link, "minutes": minutes}, {"link": _("link"), "minutes": _("minutes that it can be used")}, as_json
    )
