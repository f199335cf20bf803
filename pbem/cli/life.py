"""What keeps a game alive, among `pbem game …`: what happens when no orders come."""

import click

from pbem.cli.opened import opened
from pbem.cli.pairs import pairs
from pbem.cli.ruling import why
from pbem.cli.shown import as_json, print_json
from pbem.cli.words import WORDS, _
from pbem.games.policy import NAMES, policy_of
from pbem.games.position import game_row
from pbem.reports.silence import silence_told
from pbem.rulings import life
from pbem.rulings.authority import Actor

policy_option = click.option(
    "--policy",
    "policy",
    multiple=True,
    metavar="NAME=VALUE",
    help=_("What happens when no orders come, such as nmr=wait; see `pbem game policy`. May be repeated."),
)


@click.command(
    "policy",
    help=_("Show what happens when no orders come; with NAME=VALUE change it, which is a ruling and needs --reason."),
)
@click.argument("code")
@click.argument("settings", nargs=-1, metavar="[NAME=VALUE]…")
@why(required=False)
@as_json
def policy(code: str, settings: tuple[str, ...], reason: str, address: str, as_json: bool) -> None:
    """Show or change what happens when no orders come."""
    with opened() as service:
        if settings:
            life.change_policy(service, code, pairs(settings, "NAME=VALUE"), Actor(reason, address))
        with service.reading() as session:
            game = game_row(session, code)
    found = policy_of(game)
    values = {name: getattr(found, name) for name in NAMES}
    if as_json:
        print_json(values)
        return
    for sentence in silence_told(found, WORDS, overseen=game.moderator_id is not None):
        click.echo(sentence)
    click.echo()
    for name, value in values.items():
        click.echo(f"{name}={value}")


COMMANDS = (policy,)
