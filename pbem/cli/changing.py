"""`pbem game change`: what a change of the state comes to is shown before it is done."""

import click
import msgspec

from pbem.cli.opened import opened
from pbem.cli.shown import print_json
from pbem.cli.words import WORDS, _
from pbem.commands import BY_NAME
from pbem.context import Service
from pbem.rulings.authority import Actor
from pbem.rulings.changesteps import Comparison, compared
from pbem.rulings.changing import Wanted, change_state, look_to_change, tried

COMMAND = BY_NAME["change"]


@click.command(COMMAND.name, help=COMMAND.help(WORDS))
@click.argument("code")
@click.option(
    "--change", "changes", multiple=True, required=True, metavar="CHANGE", help=_("One change; may be repeated.")
)
@click.option("--yes", is_flag=True, help=_("Do it without being asked."))
@click.option("--stage", type=int, help=_("Do nothing where the game has another stage than this by number."))
@click.option("--reason", required=True, help=_("Told to all players."))
@click.option("--as", "address", default="", metavar="ADDRESS", help=_("Rule as this moderator."))
@click.option("--json", "as_json", is_flag=True, help=_("Print JSON instead of a table."))
def change(
    code: str, changes: tuple[str, ...], yes: bool, stage: int | None, reason: str, address: str, as_json: bool
) -> None:
    """Show before and after, and do it after a word."""
    text = "\n".join(changes)
    with opened() as service:
        found, version = _seen(service, code, text, Actor(reason, address, stage))
        if as_json:
            print_json(msgspec.to_builtins(found))
        else:
            _show(found)
        if not yes:
            click.confirm(_("Shall it be so?"), abort=True, err=True)
        change_state(service, code, Wanted(text, version), Actor(reason, address, stage))
    if not as_json:
        click.echo(f"{code}: {COMMAND.done(WORDS)}")


def _seen(service: Service, code: str, text: str, actor: Actor) -> tuple[Comparison, int]:
    """What the changes come to, after a look that all players are told of; and the game's version."""
    stands = look_to_change(service, code, actor, text)
    return compared(tried(stands, text), WORDS), stands.game.version


def _show(found: Comparison) -> None:
    for sentence in found.told:
        click.echo(sentence)
    for heading, lines in found.differs:
        click.echo(f"\n{heading}:")
        for line in lines:
            click.echo(f"  {line}")
