"""The rulings among `pbem game …`: each has a reason, is on record, and is told to the players."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
import msgspec

from pbem import rulings
from pbem.cli.gamerows import seat_number
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, print_json, show, show_one
from pbem.cli.words import WORDS, _
from pbem.context import Service
from pbem.reports.data import Acknowledgement
from pbem.reports.render import acknowledgement_letter
from pbem.rulings import Actor
from pbem.sheets.submitting import Taken

T = TypeVar("T", bound=Callable[..., Any])


def why(*, required: bool) -> Callable[[T], T]:
    """The options that every ruling has: `reason` and `address`."""

    def add(command: T) -> T:
        given: dict[str, Any] = {"required": True} if required else {"default": ""}  # with a default, none is asked for
        reason = click.option("--reason", help=_("Told to all players."), **given)
        by = click.option("--as", "address", default="", metavar="ADDRESS", help=_("Rule as this moderator."))
        return reason(by(command))

    return add


@click.command("extend", help=_("Put the deadline off by --hours (negative: bring it forward)."))
@click.argument("code")
@click.option("--hours", type=float, required=True, help=_("By how much."))
@why(required=True)
@as_json
def extend(code: str, hours: float, reason: str, address: str, as_json: bool) -> None:
    """Put the deadline off."""
    with opened() as service:
        deadline = rulings.extend_deadline(service, code, hours, Actor(reason, address))
    show_one({"deadline": deadline}, {"deadline": _("deadline")}, as_json)


@click.command("end-deadline", help=_("Let the deadline be now: what is missing takes its default."))
@click.argument("code")
@why(required=True)
def end_deadline(code: str, reason: str, address: str) -> None:
    """Let the deadline be now."""
    with opened() as service:
        rulings.end_deadline(service, code, Actor(reason, address))
    click.echo(_("The deadline of %(game)s is now: what is missing takes its default.") % {"game": code})


@click.command("force", help=_("Play on now with what the sheets say, whoever is not ready."))
@click.argument("code")
@why(required=True)
def force(code: str, reason: str, address: str) -> None:
    """Play on now."""
    with opened() as service:
        rulings.force_stage(service, code, Actor(reason, address))
    click.echo(_("%(game)s goes on now with what the sheets say.") % {"game": code})


@click.command("resume", help=_("Take up a game that was set aside, once what was wrong is mended."))
@click.argument("code")
@why(required=True)
def resume(code: str, reason: str, address: str) -> None:
    """Take up a game that was set aside."""
    with opened() as service:
        rulings.resume(service, code, Actor(reason, address))
    click.echo(_("%(game)s is taken up again.") % {"game": code})


@click.command("orders", help=_("Enter orders for SEAT, read from standard input or from --line."))
@click.argument("code")
@click.argument("seat")
@click.option("--line", "lines", multiple=True, help=_("One order; may be repeated."))
@why(required=True)
@as_json
def orders(code: str, seat: str, lines: tuple[str, ...], reason: str, address: str, as_json: bool) -> None:
    """Enter orders for a seat."""
    text = "\n".join(lines) if lines else sys.stdin.read()
    with opened() as service:
        taken = rulings.enter_orders(service, code, seat_number(service, code, seat), text, Actor(reason, address))
    _acknowledge(taken, as_json)


@click.command("admit", help=_("Use the orders of SEAT that came too late, as far as they fit what is open now."))
@click.argument("code")
@click.argument("seat")
@why(required=True)
@as_json
def admit(code: str, seat: str, reason: str, address: str, as_json: bool) -> None:
    """Use late orders."""
    with opened() as service:
        taken = rulings.admit_late(service, code, seat_number(service, code, seat), Actor(reason, address))
    _acknowledge(taken, as_json)


@click.command("standin", help=_("Let a stand-in of LEVEL play SEAT; its player's orders still come first."))
@click.argument("code")
@click.argument("seat")
@click.argument("level")
@why(required=True)
def stand_in(code: str, seat: str, level: str, reason: str, address: str) -> None:
    """Let a stand-in play a seat."""
    with opened() as service:
        rulings.stand_in(service, code, seat_number(service, code, seat), level.lower(), Actor(reason, address))
    click.echo(_("A stand-in plays %(seat)s in %(game)s.") % {"seat": seat, "game": code})


@click.command("give-back", help=_("End what the stand-in does for SEAT: its player is waited for again."))
@click.argument("code")
@click.argument("seat")
@why(required=True)
def give_back(code: str, seat: str, reason: str, address: str) -> None:
    """Give a seat back to its player."""
    with opened() as service:
        rulings.give_back(service, code, seat_number(service, code, seat), Actor(reason, address))
    click.echo(_("No stand-in plays %(seat)s in %(game)s any more.") % {"seat": seat, "game": code})


@click.command("rulings", help=_("All rulings on a game."))
@click.argument("code")
@as_json
def listed(code: str, as_json: bool) -> None:
    """All rulings on a game."""
    with opened() as service:
        rows = ruling_rows(service, code)
    show(rows, headings(), as_json)


COMMANDS = (extend, end_deadline, force, resume, orders, admit, stand_in, give_back, listed)


def ruling_rows(service: Service, code: str) -> list[dict[str, Any]]:
    """The rulings on a game as rows."""
    return [
        {
            "number": each.number,
            "at": each.at,
            "by": each.actor,
            "act": each.act,
            "reason": each.reason,
            "params": msgspec.json.decode(each.params),
            "entry": each.entry,
        }
        for each in rulings.rulings_of(service, code)
    ]


def headings() -> Mapping[str, str]:
    """What the columns of rulings are called."""
    return {"number": "#", "at": _("when"), "by": _("by"), "act": _("act"), "reason": _("reason"), "entry": _("entry")}


def looked_at(service: Service, code: str, reason: str, address: str) -> dict[str, Any]:
    """Everything hidden of a game, after all were told of the look."""
    stands = rulings.look(service, code, Actor(reason, address))
    return {
        "state": msgspec.to_builtins(stands.table.state),
        "sheets": {stands.seats[number].name: msgspec.to_builtins(sheet) for number, sheet in stands.sheets.items()},
    }


def _acknowledge(taken: Taken, form: bool) -> None:
    if form:
        print_json(msgspec.to_builtins(taken))
    elif taken.acknowledgement is not None:
        click.echo(_text(taken.acknowledgement))


def _text(acknowledgement: Acknowledgement) -> str:
    return acknowledgement_letter(acknowledgement, WORDS).text
