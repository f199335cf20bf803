"""`pbem account token …`: keys for people's own programs."""

import click

from pbem import tokens
from pbem.cli.groups import Group
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show, show_one
from pbem.cli.words import _
from pbem.site.record import number_of


@click.group(cls=Group, help=_("Tokens with which a person's own programs read or play."))
def token() -> None:
    """Tokens for a person's own programs."""


@token.command("make", help=_("Make a token called NAME for the account of ADDRESS. It is shown this once."))
@click.argument("address")
@click.argument("name")
@click.option("--scope", type=click.Choice(tokens.SCOPES), default=tokens.READ, help=_("What it is good for."))
@as_json
def make(address: str, name: str, scope: str, as_json: bool) -> None:
    """Make a token."""
    with opened() as service:
        with service.reading() as session:
            number = number_of(session, address)
        secret = tokens.make_token(service, number, name, scope)
    show_one({"token": secret, "scope": scope}, {"token": _("token"), "scope": _("good for")}, as_json)


@token.command("list", help=_("The tokens of the account of ADDRESS, by name and last use."))
@click.argument("address")
@as_json
def listed(address: str, as_json: bool) -> None:
    """The tokens of an account."""
    with opened() as service, service.reading() as session:
        found = tokens.tokens_of(session, number_of(session, address))
    rows = [{"name": each.name, "scope": each.scope, "made": each.created, "used": each.used} for each in found]
    show(rows, {"name": _("name"), "scope": _("good for"), "made": _("made"), "used": _("last used")}, as_json)


@token.command("revoke", help=_("Make the token called NAME of the account of ADDRESS void."))
@click.argument("address")
@click.argument("name")
def revoke(address: str, name: str) -> None:
    """Make a token void."""
    with opened() as service:
        with service.reading() as session:
            number = number_of(session, address)
        tokens.revoke_for(service, number, name)
    click.echo(_("The token is void."))
