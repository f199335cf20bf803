"""`pbem game …`: from the invitation to the rulings."""

from pathlib import Path
from typing import Any

import click
from sqlmodel import col

from engine import registry
from pbem.cli import life, message, record, ruling, templating, whatif
from pbem.cli.components import told_in_words
from pbem.cli.gamerows import doubles, game_as_row, game_rows, known_otherwise, seat_rows
from pbem.cli.groups import Group
from pbem.cli.opened import opened
from pbem.cli.planning import planned
from pbem.cli.shown import as_json, print_json, show, show_one
from pbem.cli.words import _
from pbem.games import lifecycle
from pbem.games.lifecycle import Plan
from pbem.games.position import game_row
from pbem.gametemplates import read_template
from pbem.persontext import escaped_line
from pbem.records.verifying import verify
from pbem.rulings.authority import Actor
from pbem.rulings.life import start_game
from pbem.setups import choices
from pbem.storage.models import Game


@click.group(
    cls=Group,
    help=_("Games: create, invite, start, look at, rule on. Each ruling asks for --reason and is told to all."),
)
def game() -> None:
    """Games."""


twice_option = click.option("--twice", is_flag=True, help=ruling.TWICE)

for command in (
    *ruling.COMMANDS,
    *life.COMMANDS,
    *templating.COMMANDS,
    message.message,
    record.export,
    record.import_,
    whatif.copy,
):
    game.add_command(command)


@game.command("rules", help=_("The rules that are installed, with the options of each."))
@as_json
def rules(as_json: bool) -> None:
    """The rules that are installed."""
    rows: list[dict[str, Any]] = []
    for name in registry.names():
        module = registry.load(name)
        options = [f"{option}={choices(values)}" for option, values in module.options().items()]
        row: dict[str, Any] = {
            "rules": name,
            "seats": list(module.seat_numbers),
            "sides": list(module.seat_names),
            "paces": list(module.paces),
            "standins": list(module.bots),
            "options": options,
        }
        rows.append(row | {"components": module.components is not None})
    if as_json:
        print_json(rows)
        return
    headings = {"rules": _("rules"), "seats": _("seats"), "sides": _("sides"), "paces": _("paces")}
    headings |= {"standins": _("stand-ins"), "components": _("component sets")}
    for row in rows:
        show_one(row, headings, form=False)
        for option in row["options"]:
            click.echo(f"  --option {option}")


@game.command(
    "new",
    help=_(
        "Make a game of RULES, or from a template, for the players named in the order of the sides; print its code."
    ),
)
@click.argument("rules", required=False, default="")
@click.option("--template", default="", metavar="NAME", help=_("Else as it says: `pbem game templates`."))
@click.option(
    "--player", "players", multiple=True, metavar="[NAME=]ADDRESS", help=_("One for each side that is not open.")
)
@click.option(
    "--standin",
    "standins",
    multiple=True,
    metavar="SIDE=LEVEL",
    help=_("A side for a stand-in, such as green=steady; the players take the other sides."),
)
@life.open_options
@click.option("--anonymous", is_flag=True, help=_("Tell the players only at the end who plays which side."))
@click.option("--pace", help=_("How eagerly the game waits: `pbem game rules`; else strict."))
@click.option("--hours", type=float, help=_("Time for a stage; else PBEM_STAGE_HOURS."))
@click.option("--settle", type=float, help=_("Minutes of wait after the last seat is ready; else PBEM_SETTLE_MINUTES."))
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help=_("An option of the rules; may be repeated.")
)
@click.option(
    "--components", type=click.Path(path_type=Path), help=_("A component file to play with: `pbem components check`.")
)
@click.option("--moderator", default="", metavar="ADDRESS", help=_("Who moderates it beside the operator."))
@click.option(
    "--absence",
    help=_(
        "When a player is away: put the deadline off (wait), go on by standing orders and defaults (standing), or let a"
        " stand-in of a level play meanwhile."
    ),
)
@life.policy_option
@life.schedule_option
@twice_option
@click.option("--title", default="", help=_("What the game is called in subjects; else its code."))
@click.option("--code", default="", help=_("The code to use; else one is drawn."))
@as_json
def new(rules: str, template: str, as_json: bool, **given: Any) -> None:
    """Make a game."""
    if bool(rules) == bool(template):
        raise click.UsageError(_("Name either the rules or a template."))
    with opened() as service:
        with told_in_words():
            base = read_template(service.settings, template).plan if template else Plan(rules, (), pace="strict")
            plan = planned(service, base, given)
        made = lifecycle.create_game(service, plan)
        with service.reading() as session:
            known = known_otherwise(session, plan.guests)
    for guest, name in known:
        params = {"address": guest.address, "name": escaped_line(name), "given": escaped_line(guest.name)}
        click.echo(_("Mind: %(address)s has an account already, as %(name)s and not as %(given)s.") % params, err=True)
    show_one({"code": made}, {"code": _("code")}, as_json)


@game.command("invite", help=_("Mail an invitation to everyone who has not joined."))
@click.argument("code")
@click.option("--note", default="", help=_("Words of your own for the letter."))
def invite(code: str, note: str) -> None:
    """Invite everyone who has not joined."""
    with opened() as service:
        number = lifecycle.invite(service, code, note)
        with service.reading() as session:
            doubled = doubles(session, code)
    for address, seats in doubled.items():
        params = {"address": escaped_line(address), "seats": ", ".join(seats)}
        click.echo(_("Mind: %(address)s is invited to several seats: %(seats)s.") % params, err=True)
    click.echo(_("Invitations written: %(number)s.") % {"number": number})


@game.command("start", help=_("Begin with those who have joined; the other seats take defaults."))
@click.argument("code")
@ruling.why(required=True)
def start(code: str, reason: str, address: str) -> None:
    """Begin."""
    with opened() as service:
        start_game(service, code, Actor(reason, address))
    click.echo(_("%(game)s begins.") % {"game": code})


@game.command("list", help=_("All games but those that were put away; --archived: those."))
@click.option("--archived", is_flag=True, help=_("The games of the archive."))
@as_json
def listed(archived: bool, as_json: bool) -> None:
    """All games."""
    among = col(Game.archived)
    with opened() as service, service.reading() as session:
        rows = game_rows(session, among.is_not(None) if archived else among.is_(None))
    if not as_json:
        rows = [row if row["installed"] else row | {"rules": _("%(rules)s (not installed)") % row} for row in rows]
    headings = {"code": _("code"), "rules": _("rules"), "status": _("status"), "stage": _("stage")}
    show(rows, headings | {"deadline": _("deadline"), "waiting": _("waiting for")}, as_json)


@game.command("show", help=_("One game: its state, its seats and its rulings; with --secrets all that is hidden too."))
@click.argument("code")
@click.option("--secrets", is_flag=True, help=_("Look at hidden things: every player is told of it at once."))
@ruling.why(required=False)
@as_json
def shown(code: str, secrets: bool, reason: str, address: str, as_json: bool) -> None:
    """One game."""
    with opened() as service:
        hidden = ruling.looked_at(service, code, reason, address) if secrets else None
        with service.reading() as session:
            row = game_as_row(session, game_row(session, code))
            seats = seat_rows(session, code)
        rulings = ruling.ruling_rows(service, code)
    if as_json:
        print_json(row | {"seats": seats, "rulings": rulings} | ({"hidden": hidden} if hidden is not None else {}))
        return
    show_one(row, {name: name for name in row}, form=False)
    click.echo()
    show(seats, {name: name for name in seats[0]}, form=False)
    if rulings:
        click.echo()
        show(rulings, ruling.headings(), form=False)
    if hidden is not None:
        click.echo()
        print_json(hidden)


@game.command(
    "verify",
    help=_("Play the journal again by secret and sealed sheets; compare every choice, draw and hash."),
)
@click.argument("code")
@click.option("--head", default=None, help=_("The head that stands in the latest report, to compare as well."))
@as_json
def verified(code: str, head: str | None, as_json: bool) -> None:
    """Play the journal again."""
    record.check_head(head)
    with opened() as service:
        found = verify(service, code)
    problem = found.problem or ("other_head" if head and not found.head.startswith(head.lower()) else "")
    row = {"entries": found.entries, "head": found.head, "problem": problem, "entry": found.entry}
    if as_json:
        print_json(row)
    else:
        show_one(row, {"entries": _("entries"), "head": _("head")}, form=False)
        click.echo(_verdict(problem, found.entry))
    if problem:
        raise SystemExit(1)


def _verdict(problem: str, entry: int) -> str:
    """What a replay came to, in a sentence."""
    if not problem:
        return _("The journal is sound: every choice, draw, hash and ruling is as secret and sealed orders make it.")
    if problem == "other_head":
        return _("The journal is sound, but its head is not the one that was given.")
    said = {
        "unreadable": _("The entry %(entry)s can't be read: it was damaged or altered."),
        "ruling": _("The ruling at the entry %(entry)s is not as the journal has it."),
        "draw": _("The sides were not drawn as the secret and the players' words draw them (entry %(entry)s)."),
        "head": _("The head after the entry %(entry)s is not the one that stands in the game."),
        "version": _("The entry %(entry)s is of another version of the rules than the game."),
        "line": _("Play began anew at the entry %(entry)s, and no undoing, roll-back or return is on record for it."),
        "changed": _(
            "The ruling at the entry %(entry)s changed the position by hand, and says that it did something else."
        ),
        "seal": _("A sheet that was sealed is not the one that is kept (entry %(entry)s)."),
        "unbound": _("The entry %(entry)s has no seals, and earlier ones have."),
        "unopened": _("The entry %(entry)s was made by sheets that are not kept."),
        "order": _("The entry %(entry)s does not follow from the orders that were sealed."),
        "default": _("The entry %(entry)s calls a choice the default, and it is not."),
    }
    other = _("The entry %(entry)s is not what the secret and the orders make of it (%(problem)s).")
    return said.get(problem, other) % {"entry": entry, "problem": problem}
