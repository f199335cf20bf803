"""Open seats of a game: what there is, who waits, and buttons to join, to wait, and to leave again."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from engine.numerals import whole_number
from pbem.errors import Refused
from pbem.games import lifecycle
from pbem.games.gathering import (
    GATHERS,
    Newcomer,
    come,
    free_seats,
    leave,
    seat_of,
    waiting_count,
    waiting_place,
)
from pbem.games.position import game_row, seat_rows
from pbem.games.rules import setup_of
from pbem.games.seating import DRAW
from pbem.observing.observers import may_come
from pbem.reports.game import game_words
from pbem.storage.models import Account, Game
from pbem.web.pages import back_to, me, page, service, signed_in

routes = Blueprint("openings", __name__)

MOST = 50
"""Games that are listed."""


@routes.get("/games/<code>/open")
@signed_in
def show(code: str) -> ResponseReturnValue:
    """What there is; not found for a game that takes nobody uninvited."""
    game = _open(code)
    assert game.id is not None
    said = game_words(game.rules, setup_of(game), me().words.language)
    with service().reading() as reading:
        seats = seat_rows(reading, game.id)
        host = reading.get(Account, game.moderator_id) if game.moderator_id is not None else None
        waiting, place = waiting_count(reading, game), waiting_place(reading, game, me().id)
        observable = may_come(reading, game, me().id)
    mine = seat_of(seats, me().id)
    return page(
        "openings",
        game=game,
        rules=said.title(),
        played_with=said.played_with(me().words),
        host=host.name if host is not None else service().settings.sender_name,
        free=[(number, said.seat(number)) for number in free_seats(game, seats)],
        drawn=game.seating == DRAW,
        waiting=waiting,
        place=place,
        is_in=mine is not None,
        has_begun=game.status != "inviting",
        max_word=lifecycle.MAX_WORD,
        observable=observable,
    )


@routes.post("/games/<code>/open/join")
@signed_in
def join(code: str) -> ResponseReturnValue:
    """Takes a free seat, or a place behind those who wait."""
    game = _open(code)
    assert game.id is not None
    given = request.form.get("side", "")
    side = whole_number(given, 3)
    if given and side is None:
        abort(400)
    newcomer = Newcomer(me().id, side, request.form.get("word", ""))
    number = come(service(), game.id, newcomer)
    if number is None:
        return back_to(f"/games/{game.code}/open", "waits")
    return back_to(f"/games/{game.code}", "joined")


@routes.post("/games/<code>/leave")
@signed_in
def go(code: str) -> ResponseReturnValue:
    """Gives up a seat of a game that has not begun, or a place among those who wait."""
    with service().reading() as reading:
        game = game_row(reading, code)
    assert game.id is not None
    try:
        leave(service(), game.id, me().id)
    except Refused as refused:
        if refused.code == "not_waiting":
            abort(404)
        raise
    return back_to("/", "left")


def listed(reading: Session, account_id: int) -> list[tuple[Game, int, int, int | None]]:
    """The listed games that take whoever comes: free seats, how many wait, and which place the visitor has.

    Not those in which the visitor has a seat.
    """
    query = select(Game).where(col(Game.listed).is_(True), col(Game.seating) != "", col(Game.status).in_(GATHERS))
    found = []
    for game in reading.exec(query.order_by(col(Game.status) != "inviting", col(Game.id).desc()).limit(MOST)):
        assert game.id is not None
        seats = seat_rows(reading, game.id)
        if seat_of(seats, account_id) is None:
            place = waiting_place(reading, game, account_id)
            found.append((game, len(free_seats(game, seats)), waiting_count(reading, game), place))
    return found


def _open(code: str) -> Game:
    with service().reading() as reading:
        game = game_row(reading, code)
    if not game.seating or game.status not in GATHERS:
        abort(404)
    return game
