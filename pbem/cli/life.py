"""What keeps a game alive, among `pbem game …`: what happens when no orders come."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import click

from pbem.cli.opened import opened
from pbem.cli.pairs import pairs
from pbem.cli.ruling import why
from pbem.cli.shown import as_json, print_json, show_one
from pbem.cli.words import WORDS, _
from pbem.context import Service
from pbem.games import archiving
from pbem.games.gathering import Manner, change_manner
from pbem.games.policy import NAMES, policy_of
from pbem.games.position import game_row
from pbem.games.schedule import schedule_of, written
from pbem.games.seating import SEATINGS
from pbem.reports.silence import observing_told, press_told, silence_told
from pbem.rulings import life
from pbem.rulings.authority import Actor

T = TypeVar("T", bound=Callable[..., Any])
FULL = "full"
"""What is written for a game that begins when all have joined."""
SEATING = _("How open seats are given: each chooses a side, or all are drawn at the start.")
STARTS = _("Begin then, as in 2026-12-03T18:00, with those who have joined; `full`: when all have.")

policy_option = click.option(
    "--policy",
    "policy",
    multiple=True,
    metavar="NAME=VALUE",
    help=_("What happens when no orders come, such as nmr=wait; see `pbem game policy`. May be repeated."),
)


schedule_option = click.option(
    "--schedule",
    "schedule",
    multiple=True,
    metavar="NAME=VALUE",
    help=_("When stages may end, such as days=mon-fri or at=18:00; see `pbem game schedule`. May be repeated."),
)


def open_options(command: T) -> T:
    """The options for open seats, of a new game: `free`, `seating`, `listed`, `starts_at`."""
    for option in reversed(
        (
            click.option("--open", "free", type=int, default=0, help=_("How many seats are open to whoever comes.")),
            click.option("--seating", type=click.Choice(SEATINGS), help=SEATING),
            click.option("--listed", is_flag=True, help=_("Show open seats to everybody who signs in.")),
            click.option("--start-at", "starts_at", default="", metavar="WHEN", help=STARTS),
        )
    ):
        command = option(command)
    return command


def moment(service: Service, text: str) -> datetime | None:
    """A moment as written on the command line, in the service's time zone; None for nothing. Raises BadParameter."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise click.BadParameter(_("Write it as 2026-12-03T18:00."), param_hint="--start-at") from error
    return found if found.tzinfo else found.replace(tzinfo=ZoneInfo(service.settings.time_zone))


@click.command("gather", help=_("Change how a game takes players: open seats, listed or not, and when it begins."))
@click.argument("code")
@click.option("--seating", type=click.Choice(("none", *SEATINGS)), help=SEATING)
@click.option("--listed/--unlisted", default=None, help=_("Whether open seats are shown to everybody who signs in."))
@click.option("--start-at", "starts_at", metavar="WHEN", help=STARTS)
@as_json
def gather(code: str, seating: str | None, listed: bool | None, starts_at: str | None, as_json: bool) -> None:
    """Change how a game takes players."""
    with opened() as service:
        with service.reading() as session:
            game = game_row(session, code)
        manner = Manner(
            game.seating if seating is None else seating.replace("none", ""),
            game.listed if listed is None else listed,
            game.starts_at if starts_at is None else moment(service, "" if starts_at == FULL else starts_at),
        )
        change_manner(service, code, manner)
    row = {"seating": manner.seating or "none", "listed": manner.listed, "start_at": manner.starts_at}
    show_one(row, {"seating": _("seating"), "listed": _("listed"), "start_at": _("begins")}, as_json)


@click.command(
    "policy",
    help=_(
        "Show what happens when no orders come, and what press is allowed; with NAME=VALUE change it, which is a ruling"
        " and needs --reason."
    ),
)
@click.argument("code")
@click.argument("policy", nargs=-1, metavar="[NAME=VALUE]…")
@why(required=False)
@as_json
def policy(code: str, policy: tuple[str, ...], reason: str, address: str, as_json: bool) -> None:
    """Show or change what happens when no orders come."""
    with opened() as service:
        if policy:
            life.change_policy(service, code, pairs(policy, "NAME=VALUE"), Actor(reason, address))
        with service.reading() as session:
            game = game_row(session, code)
    found = policy_of(game)
    values = {name: getattr(found, name) for name in NAMES}
    if as_json:
        print_json(values)
        return
    for sentence in silence_told(found, WORDS, overseen=game.moderator_id is not None):
        click.echo(sentence)
    click.echo(press_told(found, WORDS))
    click.echo(observing_told(found, WORDS, takes_all=bool(game.seating)))
    click.echo()
    for name, value in values.items():
        click.echo(f"{name}={value}")


@click.command(
    "schedule",
    help=_("Show when stages may end; with NAME=VALUE change it, which is a ruling and needs --reason."),
)
@click.argument("code")
@click.argument("schedule", nargs=-1, metavar="[NAME=VALUE]…")
@click.option(
    "--deadline",
    type=click.Choice(life.DEADLINES),
    default=life.KEEP,
    show_default=True,
    help=_("Whether the deadline of now stays, or is set anew."),
)
@click.option("--stage", type=int, help=_("Do nothing where the game has another stage than this by number."))
@why(required=False)
@as_json
def schedule(
    code: str, schedule: tuple[str, ...], deadline: str, stage: int | None, reason: str, address: str, as_json: bool
) -> None:
    """Show or change when stages may end."""
    with opened() as service:
        if schedule:
            given = pairs(schedule, "NAME=VALUE")
            life.change_schedule(service, code, given, Actor(reason, address, stage), deadline)
        with service.reading() as session:
            values = written(schedule_of(game_row(session, code)))
    show_one(values, {name: name for name in values}, as_json)


@click.command("archive", help=_("Put a game that is over away: it is kept whole, and in no list but `--archived`."))
@click.argument("code")
@click.option("--restore", "back", is_flag=True, help=_("Take it back into the lists instead."))
@click.option("--as", "address", default="", metavar="ADDRESS", help=_("As this moderator."))
def archived(code: str, back: bool, address: str) -> None:
    """Put a game away."""
    with opened() as service:
        (archiving.restore if back else archiving.archive)(service, code, Actor("", address))
    said = _("%(game)s stands in the lists again.") if back else _("%(game)s is put away.")
    click.echo(said % {"game": code})


COMMANDS = (policy, schedule, gather, archived)
