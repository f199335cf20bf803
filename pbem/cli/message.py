"""`pbem game message`: the moderator writes to the players."""

import click

from pbem.cli.gamerows import seat_number
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show_one
from pbem.cli.typed import standard_input
from pbem.cli.words import _
from pbem.rulings.authority import Actor
from pbem.rulings.messages import send_message

ALL = "all"


@click.command("message", help=_("Write to the player of a seat, or to all players."))
@click.argument("code")
@click.argument("to", metavar="SEAT|all")
@click.option("--text", help=_("The message; without it, standard input is read."))
@click.option("--as", "address", default="", metavar="ADDRESS", help=_("Write as this moderator."))
@as_json
def message(code: str, to: str, text: str | None, address: str, as_json: bool) -> None:
    """Write to players."""
    with opened() as service:
        number = None if to.lower() == ALL else seat_number(service, code, to)
        sent = send_message(service, code, number, standard_input() if text is None else text, Actor("", address))
    show_one({"players": sent}, {"players": _("players written to")}, as_json)
