"""The moderator's desk: how a game stands for whoever leads it, and a form for each command."""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, abort, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from engine.numerals import whole_number
from pbem import clock, commands
from pbem.accounts import main_address
from pbem.commands import BY_NAME, COMMANDS, Command
from pbem.errors import Refused
from pbem.games.due import PLAYED
from pbem.games.gathering import GATHERS, Manner, change_manner
from pbem.games.leading import stands_now
from pbem.games.lifecycle import Guest, invite
from pbem.games.notices import leading_letter
from pbem.games.policy import NAMES, policy_of
from pbem.games.position import MOVED, game_row
from pbem.games.rules import module_of, setup_of
from pbem.games.schedule import schedule_of, written
from pbem.games.seating import SEATINGS
from pbem.games.telling import told
from pbem.letters import put
from pbem.observing.observers import known_observers
from pbem.reports.data import Report
from pbem.reports.game import game_words
from pbem.reports.letters import part
from pbem.reports.render import acknowledgement_params, report_params
from pbem.reports.ruled import rulings_told
from pbem.rulings.authority import MAX_REASON, Actor, check_length
from pbem.rulings.goingback import ASKED
from pbem.rulings.life import start_game
from pbem.rulings.looking import Shown
from pbem.rulings.messages import LONGEST, send_message
from pbem.rulings.record import rulings_of
from pbem.rulings.returning import Left, lines_left
from pbem.sheets.submitting import Taken
from pbem.storage.models import Account, Game, Ruling
from pbem.voting.asking import ask_players
from pbem.voting.kinds import may_be_asked
from pbem.web.pages import back_to, limited, me, page, seat_if_any, service, signed_in
from pbem.web.points import points_told
from pbem.words import Words

routes = Blueprint("desk", __name__)

MAX_TEXT = 20_000
MOST_SHOWN = 40
"""Characters of what can't be read that are shown."""
REPORT = "report/report.j2"


@routes.get("/games/<code>/desk")
@signed_in
def show(code: str) -> ResponseReturnValue:
    """Public facts, who is waited for, the rulings, and the commands; for the game's moderator alone."""
    game = led(code)
    words = me().words
    said = game_words(game.rules, setup_of(game), words.language)
    with service().reading() as reading:
        stands = stands_now(reading, game, words, reading.get_one(Account, me().id))
        back = points_told(reading, game, said, words)
        watching = [(row.id, name) for row, name in known_observers(reading, game)]
        left = [(each.line, _left(each, words)) for each in reversed(lines_left(reading, game))]
    rulings = [told(ruling) for ruling in reversed(rulings_of(service(), code))]
    return page(
        "desk",
        game=game,
        stands=stands,
        plays=seat_if_any(code, me().id) is not None,
        levels=list(module_of(game).bots),
        commands=[(each, each.help(words)) for each in COMMANDS if _can_be_given(game, each)],
        votable={each.name for each in COMMANDS if may_be_asked(each)},
        listed={commands.ENTRY: back, commands.LINE: left, commands.VERSION: [], commands.OBSERVER: watching},
        points=back,
        options={kind: _choices(kind) for kind in commands.CHOICES},
        rulings=rulings_told(rulings, said, words),
        settings=_settings(game),
        gathers=game.status in GATHERS,
        seatings=SEATINGS,
        gather_help=commands.gather_help(words),
        seen=f"{game.stage_number}/{game.next_ruling}",
        most=MAX_TEXT,
        most_reason=MAX_REASON,
        most_message=LONGEST,
    )


@routes.post("/games/<code>/desk-letter")
@signed_in
def write(code: str) -> ResponseReturnValue:
    """Sends the letter whose reply address is the one for commands by mail."""
    game = led(code)
    with service().writing() as writing:
        account = writing.get_one(Account, me().id)
        put(writing, leading_letter(service(), writing, game, account, f"{clock.now():%Y%m%d%H%M}"))
    return back_to(f"/games/{game.code}/desk", "desk_letter_sent")


@routes.post("/games/<code>/desk-message")
@signed_in
def message(code: str) -> ResponseReturnValue:
    """Writes to one player or to all; the same text once, however often the form arrives."""
    game = led(code)
    to = request.form.get("to", "")
    with service().reading() as reading:
        actor = Actor("", main_address(reading, me().id))
    send_message(service(), game.code, None if to == "all" else _seat(to), _lines(request.form.get("text", "")), actor)
    return back_to(f"/games/{game.code}/desk", "written")


@routes.post("/games/<code>/desk-invite")
@signed_in
def invite_all(code: str) -> ResponseReturnValue:
    """Invites those who have not been written to, such as when there were too many invitations on the day before."""
    game = led(code)
    invite(service(), game.code)
    return back_to(f"/games/{game.code}/desk", "invited")


@routes.post("/games/<code>/desk-start")
@signed_in
def begin(code: str) -> ResponseReturnValue:
    """Begins the game with those who have joined."""
    game = led(code)
    start_game(service(), game.code, actor_given(bound=False))
    return back_to(f"/games/{game.code}/desk", "begins")


@routes.post("/games/<code>/desk-gather")
@signed_in
def gather(code: str) -> ResponseReturnValue:
    """Changes how the game takes players: open seats, listed or not, and when it begins."""
    game = led(code)
    form = request.form
    starts_at = None if game.status != "inviting" else _start(form.get("start_at", ""))
    change_manner(service(), game.code, Manner(form.get("seating", ""), bool(form.get("listed")), starts_at))
    return back_to(f"/games/{game.code}/desk", "gathers")


def _start(text: str) -> datetime | None:
    """A date on the moderator's own clock; None for an empty one. Raises Refused `bad_start`."""
    if not text.strip():
        return None
    try:
        found = datetime.fromisoformat(text.strip())
        return (found if found.tzinfo else found.replace(tzinfo=me().words.zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Refused("bad_start", given=text[:MOST_SHOWN]) from error


def _settings(game: Game) -> dict[str, dict[str, Any]]:
    """By kind of parameter the settings as they are."""
    policy = policy_of(game)
    return {
        commands.SCHEDULE: dict(written(schedule_of(game))),
        commands.POLICY: {name: getattr(policy, name) for name in NAMES},
    }


def _left(left: Left, words: Words) -> str:
    params = {"line": left.line, "fork": left.fork, "last": left.last}
    return words.gettext("line %(line)s (leaves after entry %(fork)s, ends with entry %(last)s)") % params


def _choices(kind: str) -> list[tuple[str, str]]:
    return [(each, each) for each in commands.CHOICES[kind]]


@routes.get("/games/<code>/desk/<path:page>")
@signed_in
def again(code: str, page: str) -> ResponseReturnValue:
    """What a form answered is not kept: back to the desk."""
    return redirect(f"/games/{led(code).code}/desk")


@routes.post("/games/<code>/desk/<name>")
@signed_in
def rule(code: str, name: str) -> ResponseReturnValue:
    """Carries a command out, once however often the form arrives."""
    game = led(code)
    command = BY_NAME.get(name)
    if command is None or command.compared:
        abort(404)
    given = given_to(command)
    if request.form.get("ask"):
        return asked_players(game, command, given)
    answer = command.act(service(), game.code, given, actor_given())
    if isinstance(answer, Taken) and answer.acknowledgement is not None:
        params = acknowledgement_params(answer.acknowledgement, me().words)
        body: Markup = part(me().words, "mail/acknowledgement.j2", "body", params)
        return page("ruled", game=game, body=body, proposed=False)
    if isinstance(answer, Shown):
        return page(
            "looked",
            game=game,
            reports=[_report(each, me().words) for each in answer.reports],
            version=answer.version,
            seen=f"{game.stage_number}/{game.next_ruling + 1}",
            most_reason=MAX_REASON,
        )
    if isinstance(answer, Ruling):
        return ruled(game, answer)
    return back_to(f"/games/{game.code}/desk", "ruled")


def asked_players(game: Game, command: Command, given: dict[str, Any]) -> ResponseReturnValue:
    """Puts a command to the players, who vote on it."""
    ask_players(service(), game.code, command, given, actor_given())
    return back_to(f"/games/{game.code}/desk", "players_asked")


def _report(report: Report, words: Words) -> Markup:
    """A report as its seat would get it."""
    return part(words, REPORT, "body", {**report_params(report, words), "guide": "", "story": None, "watch": None})


def ruled(game: Game, ruling: Ruling) -> ResponseReturnValue:
    """The page that says what was done, as the players are told."""
    said = game_words(game.rules, setup_of(game), me().words.language)
    body = rulings_told([told(ruling)], said, me().words)[0]
    return page("ruled", game=game, body=body, proposed=ruling.act == ASKED)


def _can_be_given(game: Game, command: Command) -> bool:
    if game.status == MOVED:
        return command.takes_back
    return game.status in PLAYED or (command.early and game.status == "inviting")


def led(code: str) -> Game:
    """The game, for its moderator or one of the site; not found for anybody else."""
    with service().reading() as reading:
        game = game_row(reading, code)
        account = reading.get_one(Account, me().id)
    if not account.moderator and game.moderator_id != me().id:
        abort(404)
    return game


def actor_given(*, bound: bool = True) -> Actor:
    """Who rules, why, and on what they saw, where the form is `bound` to that."""
    reason = request.form.get("reason", "")
    check_length(reason)
    with service().reading() as reading:
        address = main_address(reading, me().id)
    stage, ruling, entry = _seen() if bound else (None, None, None)
    return Actor(" ".join(reason.split()), address, stage, ruling, entry)


def _seen() -> tuple[int, int, int | None]:
    """The numbers of the stage, of the next ruling, and of the journal's last entry where the page showed that."""
    given = request.form.get("seen", "").split("/")
    seen = [number for number in map(whole_number, given) if number is not None]
    if len(seen) not in (2, 3) or len(seen) != len(given):
        abort(400)
    stage, ruling, *entry = seen
    return stage, ruling, entry[0] if entry else None


def given_to(command: Command) -> dict[str, Any]:
    """What a form gives a command, read. Raises Refused for what can't be."""
    return {kind: _READ[kind](request.form.get(kind, "")) for kind in command.parameters}


def _seat(text: str) -> int:
    number = whole_number(text, 3)
    if number is None:
        raise Refused("no_seat")
    return number


def number_given(text: str) -> int:
    """A whole number that a form gave. Raises Refused `no_number`."""
    number = whole_number(text)
    if number is None:
        raise Refused("no_number", given=text[:20])
    return number


def _hours(text: str) -> float:
    try:
        hours = float(text.strip())
    except ValueError as error:
        raise Refused("bad_number", given=text[:20]) from error
    if not math.isfinite(hours):
        raise Refused("bad_number", given=text[:20])
    return hours


def _lines(text: str) -> str:
    return limited(text, MAX_TEXT).replace("\r\n", "\n")


_READ: Mapping[str, Callable[[str], Any]] = {
    commands.SEAT: _seat,
    commands.HOURS: _hours,
    commands.LINES: _lines,
    commands.LEVEL: str,
    commands.ENTRY: number_given,
    commands.LINE: number_given,
    commands.VERSION: number_given,
    commands.CHANCE: str,
    commands.SHEETS: str,
    commands.PLAYER: Guest.written,
    commands.OBSERVER: number_given,
    commands.SCHEDULE: _lines,
    commands.POLICY: _lines,
    commands.DEADLINE: str,
}
