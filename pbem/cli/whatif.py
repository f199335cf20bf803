"""`pbem game copy`: a what-if of a game, for one account."""

import click

from pbem.accounts import account_of
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show_one
from pbem.cli.words import _
from pbem.errors import Refused
from pbem.rulings.authority import Actor
from pbem.whatifs.copying import CHANCES, FRESH, copy_game


@click.command(
    "copy",
    help=_(
        "Copy a game as a what-if, which ADDRESS plays alone on pages, all sides of it. Of a game that is over for who "
        "was in it, observed or moderates it; of one that goes on for its moderator, with --reason: all players are "
        "told of the look."
    ),
)
@click.argument("code")
@click.option("--for", "address", required=True, metavar="ADDRESS", help=_("Whose what-if it is."))
@click.option("--entry", type=int, help=_("As it stood after this journal entry (`pbem game points`); else the last."))
@click.option(
    "--chance",
    type=click.Choice(CHANCES),
    default=FRESH,
    show_default=True,
    help=_("What is drawn in it: anew, or, where the game is over, as it would have been."),
)
@click.option("--reason", default="", help=_("Told to all players."))
@as_json
def copy(code: str, address: str, entry: int | None, chance: str, reason: str, as_json: bool) -> None:
    """Copy a game as a what-if."""
    with opened() as service:
        with service.reading() as session:
            account = account_of(session, address)
        if account is None or account.id is None:
            raise Refused("no_account")
        made = copy_game(service, code, entry, chance, account.id, Actor(reason, address))
        url = f"{service.settings.url}/what-ifs/{made}"
    show_one({"code": made, "page": url}, {"code": _("code"), "page": _("page")}, as_json)
