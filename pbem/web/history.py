"""A game's course step by step, each with an address: what everyone knew then, and all hands when it is over."""

from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlmodel import Session

from engine.contract import Event, Rules
from engine.table import Table
from pbem.games.drawing import moved
from pbem.games.earlier import table_after
from pbem.games.history import Step, steps
from pbem.games.position import position
from pbem.games.rules import setup_of
from pbem.reports import board
from pbem.reports.environments import TEXT
from pbem.reports.game import GameWords, game_words
from pbem.reports.render import told
from pbem.web.pages import me, page, service, signed_in
from pbem.web.spectating import Spectator, spectator

routes = Blueprint("history", __name__)


@routes.get("/games/<code>/history")
@signed_in
def newest(code: str) -> ResponseReturnValue:
    """The step that is asked for by the slider, else the newest."""
    seen = spectator(code)
    with service().reading() as reading:
        last = len(_told(reading, seen))
    wanted = request.args.get("step", last, int)
    return (
        redirect(f"/games/{code}/history/{min(max(wanted, 1), last)}")
        if last
        else page("history", game=seen.game, mine=seen.seat is not None, last=0)
    )


@routes.get("/games/<code>/history/<int:number>")
@signed_in
def show(code: str, number: int) -> Response:
    """One step, as far as reports have told of the game."""
    seen = spectator(code)
    game = seen.game
    words = me().words
    with service().reading() as reading:
        course = _told(reading, seen)
        if not 1 <= number <= len(course) or game.id is None:
            abort(404)
        stands = position(reading, game.id)
        step = course[number - 1]
        table = table_after(reading, stands, step.entry)
    said = game_words(game.rules, setup_of(game), words.language)
    public = table.rules.view(table.state, None)
    drawn = said.structs(moved(table.rules, _of_stage(course[:number]), ()))
    turn, _, stage = step.stage_key.partition("-")
    return page(
        "history",
        game=game,
        mine=seen.seat is not None,
        number=number,
        last=len(course),
        turn=turn,
        stage=said.name("stage", stage) if stage else "",
        told=told(said, said.structs([event.seen_by(None) for event in step.events]), seen.number),
        position=said.position(public, drawn),
        picture=Markup(board.svg(said, public, drawn)),
        hands=_hands(said, table.rules, table) if game.status == "over" else [],
    )


def _told(reading: Session, seen: Spectator) -> list[Step]:
    """What may be looked at: while it goes on no more than reports have told of."""
    game = seen.game
    if not game.next_entry:
        return []
    return steps(reading, game, game.next_entry if game.status == "over" else seen.told)


def _of_stage(course: list[Step]) -> list[Event]:
    """The public events of the last step's stage as far as it."""
    key = course[-1].stage_key
    return [event for step in course if step.stage_key == key for event in step.events]


def _hands(said: GameWords, rules: Rules, table: Table) -> list[tuple[str, str]]:
    """By side what only it knew."""
    if not said.has("own.txt.j2"):
        return []
    seats = range(rules.setup.seats)
    return [
        (said.seat(seat), said.own("own.txt.j2", TEXT, rules.view(table.state, seat), seat).strip()) for seat in seats
    ]
