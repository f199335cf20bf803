"""The rulings among `pbem game …`: each has a reason, is on record, and is told to the players."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeVar

import click
import msgspec

from pbem import commands
from pbem.cli.changing import change
from pbem.cli.gamerows import seat_number
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, print_json, show, show_one
from pbem.cli.typed import standard_input
from pbem.cli.words import WORDS, _
from pbem.commands import Answer, Command
from pbem.context import Service
from pbem.games.earlier import points
from pbem.games.lifecycle import Guest
from pbem.games.notices import spoken
from pbem.games.position import game_row
from pbem.games.telling import told
from pbem.observing.observers import known_observers
from pbem.persontext import escaped
from pbem.reports.data import Acknowledgement
from pbem.reports.render import acknowledgement_letter, report_letter
from pbem.reports.ruled import rulings_told
from pbem.rulings import looking, record
from pbem.rulings.authority import Actor
from pbem.rulings.looking import Shown
from pbem.rulings.returning import lines_left
from pbem.sheets.submitting import Taken
from pbem.storage.models import Ruling
from pbem.voting.asking import ask_players
from pbem.voting.kinds import may_be_asked

TWICE = _("Let an address hold several seats, whose secrets its player then sees.")
T = TypeVar("T", bound=Callable[..., Any])


def why(*, required: bool) -> Callable[[T], T]:
    """The options that every ruling has: `reason` and `address`."""

    def add(command: T) -> T:
        reason = click.option("--reason", help=_("Told to all players."), **_given(required=required))
        by = click.option("--as", "address", default="", metavar="ADDRESS", help=_("Rule as this moderator."))
        return reason(by(command))

    return add


def _given(*, required: bool) -> dict[str, Any]:
    return {"required": True} if required else {"default": ""}  # with a default, none is asked for


def _made(command: Command) -> click.Command:
    """The command line's form of a moderator's command."""
    parameters: list[click.Parameter] = [click.Argument(["code"])]
    for kind in command.parameters:
        parameters.append(_PARAMETERS[kind]())
    if commands.PLAYER in command.parameters:
        parameters.append(click.Option(["--twice"], is_flag=True, help=TWICE))
    if may_be_asked(command):
        asks = _("Do it only if more than half of the other players vote for it by the end of the stage.")
        parameters.append(click.Option(["--ask"], is_flag=True, help=asks))
    parameters += [
        click.Option(["--stage"], type=int, help=_("Do nothing where the game has another stage than this by number.")),
        click.Option(["--reason"], help=_("Told to all players."), **_given(required=not command.early)),
        click.Option(["--as", "address"], default="", metavar="ADDRESS", help=_("Rule as this moderator.")),
        click.Option(["--json", "as_json"], is_flag=True, help=_("Print JSON instead of a table.")),
    ]

    def run(code: str, stage: int | None, reason: str, address: str, as_json: bool, **given: Any) -> None:
        with opened() as service:
            if commands.SEAT in given:
                given[commands.SEAT] = seat_number(service, code, given[commands.SEAT])
            if commands.LINES in given:
                given[commands.LINES] = "\n".join(given[commands.LINES]) or standard_input()
            if commands.PLAYER in given:
                given[commands.PLAYER] = Guest.written(given[commands.PLAYER], twice=given.pop("twice"))
            if commands.LEVEL in given:
                given[commands.LEVEL] = given[commands.LEVEL].lower()
            if given.pop("ask", False):
                ask_players(service, code, command, given, Actor(reason, address, stage))
                click.echo(_("The players are asked."))
                return
            answer = command.act(service, code, given, Actor(reason, address, stage))
            if isinstance(answer, Ruling) and not as_json:
                click.echo(escaped(said_of(service, code, answer)))
                return
        _show_answer(command, code, answer, as_json)

    return click.Command(command.name, params=parameters, callback=run, help=_help(command))


def _help(command: Command) -> str:
    """What it does, and which command lists what it asks for by number."""
    lists = [
        _("`pbem game %(name)s CODE` lists them by number.") % {"name": LISTS[kind]}
        for kind in command.parameters
        if kind in LISTS
    ]
    return " ".join([command.help(WORDS), *lists])


LISTS = {commands.ENTRY: "points", commands.LINE: "lines", commands.OBSERVER: "observers"}


_PARAMETERS: Mapping[str, Callable[[], click.Parameter]] = {
    commands.SEAT: lambda: click.Argument(["seat"]),
    commands.LEVEL: lambda: click.Argument(["level"]),
    commands.PLAYER: lambda: click.Argument(["player"], metavar="[NAME=]ADDRESS"),
    commands.HOURS: lambda: click.Option(["--hours"], type=float, required=True, help=_("By how much.")),
    commands.LINES: lambda: click.Option(
        ["--line", "lines"], multiple=True, help=_("One order; may be repeated. Without it, standard input is read.")
    ),
    commands.ENTRY: lambda: click.Argument(["entry"], type=int),
    commands.LINE: lambda: click.Argument(["line"], type=int),
    commands.VERSION: lambda: click.Option(["--version"], type=int, required=True, help=_("As the preview said.")),
    commands.OBSERVER: lambda: click.Argument(["observer"], type=int),
    commands.CHANCE: lambda: _choice(commands.CHANCE, _("Whether what was drawn since comes again.")),
    commands.SHEETS: lambda: _choice(commands.SHEETS, _("Whether the orders of that stage stand again.")),
}


def _choice(kind: str, help_: str) -> click.Option:
    known = commands.CHOICES[kind]
    return click.Option([f"--{kind}"], type=click.Choice(known), default=known[0], show_default=True, help=help_)


def said_of(service: Service, code: str, ruling: Ruling) -> str:
    """A ruling as its game's players are told of it."""
    with service.reading() as session:
        game = game_row(session, code)
    return rulings_told([told(ruling)], spoken(game, WORDS), WORDS)[0]


def _show_answer(command: Command, code: str, answer: Answer, as_json: bool) -> None:
    if isinstance(answer, datetime):
        show_one({"deadline": answer}, {"deadline": _("deadline")}, as_json)
    elif isinstance(answer, Taken) and (as_json or answer.acknowledgement is not None):
        _acknowledge(answer, as_json)
    elif isinstance(answer, Shown):
        _show_reports(code, answer, as_json)
    elif isinstance(answer, Ruling):
        print_json({"done": answer.act, **msgspec.json.decode(answer.params)})
    elif as_json:
        print_json({"done": command.name})
    else:
        click.echo(f"{code}: {command.done(WORDS)}")


def _show_reports(code: str, shown: Shown, form: bool) -> None:
    if form:
        print_json({"version": shown.version, "reports": msgspec.to_builtins(shown.reports)})
        return
    for report in shown.reports:
        click.echo(escaped(report_letter(report, WORDS).text))
    if shown.version is not None:
        click.echo(f"pbem game send {code} --version {shown.version} --reason …")


@click.command("commands", help=_("All commands of a moderator, as the table that stands in the guide."))
def commands_table() -> None:
    """All commands of a moderator."""
    click.echo(commands.table(WORDS))


@click.command("points", help=_("Where the stages of a game opened: what it can be set back to."))
@click.argument("code")
@as_json
def points_listed(code: str, as_json: bool) -> None:
    """The openings of stages."""
    with opened() as service, service.reading() as session:
        game = game_row(session, code)
        rows = [{"entry": each.entry, "stage": each.stage_key, "at": each.at} for each in points(session, game)]
    show(rows, {"entry": _("entry"), "stage": _("stage"), "at": _("when")}, as_json)


@click.command("lines", help=_("The lines of a game's journal that were left: what it can return to."))
@click.argument("code")
@as_json
def lines_listed(code: str, as_json: bool) -> None:
    """The lines that were left."""
    with opened() as service, service.reading() as session:
        rows = [asdict(each) for each in lines_left(session, game_row(session, code))]
    show(rows, {"line": _("line"), "fork": _("leaves after entry"), "last": _("ends with entry")}, as_json)


@click.command("observers", help=_("Who observes a game, or is invited to, by number."))
@click.argument("code")
@as_json
def observers_listed(code: str, as_json: bool) -> None:
    """Who observes a game."""
    with opened() as service, service.reading() as session:
        rows = [
            {"number": row.id, "name": name, "since": row.since}
            for row, name in known_observers(session, game_row(session, code))
        ]
    show(rows, {"number": "#", "name": _("name"), "since": _("since")}, as_json)


@click.command("rulings", help=_("All rulings on a game."))
@click.argument("code")
@as_json
def listed(code: str, as_json: bool) -> None:
    """All rulings on a game."""
    with opened() as service:
        rows = ruling_rows(service, code)
    show(rows, headings(), as_json)


MADE = [_made(each) for each in commands.COMMANDS if not each.compared and not each.shows]
COMMANDS = (*MADE, change, commands_table, points_listed, lines_listed, observers_listed, listed)


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
        for each in record.rulings_of(service, code)
    ]


def headings() -> Mapping[str, str]:
    """What the columns of rulings are called."""
    return {"number": "#", "at": _("when"), "by": _("by"), "act": _("act"), "reason": _("reason"), "entry": _("entry")}


def looked_at(service: Service, code: str, reason: str, address: str) -> dict[str, Any]:
    """Everything hidden of a game, after all were told of the look."""
    stands = looking.look(service, code, Actor(reason, address))
    return {
        "state": msgspec.to_builtins(stands.table.state),
        "sheets": {stands.seats[number].name: msgspec.to_builtins(sheet) for number, sheet in stands.sheets.items()},
    }


def _acknowledge(taken: Taken, form: bool) -> None:
    if form:
        print_json(msgspec.to_builtins(taken))
    elif taken.acknowledgement is not None:
        click.echo(escaped(_text(taken.acknowledgement)))


def _text(acknowledgement: Acknowledgement) -> str:
    return acknowledgement_letter(acknowledgement, WORDS).text
