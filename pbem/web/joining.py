"""An invitation: a page with buttons, to join with a word for the draws, or to decline."""

from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from pbem.games import lifecycle
from pbem.games.due import PLAYED
from pbem.games.gathering import waiting_place
from pbem.games.gatheringletters import BEGAN_WITHOUT
from pbem.games.position import game_row, name_shown, players_of, seat_rows
from pbem.games.rules import setup_of
from pbem.games.seating import DRAW, is_open
from pbem.reports.game import game_words
from pbem.rulings.authority import plays
from pbem.storage.models import Account, Game, Letter, Seat
from pbem.web.pages import back_to, me, my_seat, page, service, signed_in

routes = Blueprint("joining", __name__)


@routes.post("/games/<code>/join")
@signed_in
def join(code: str) -> ResponseReturnValue:
    """Take the seat; a second time changes nothing."""
    game, seat = my_seat(code)
    if seat.joined is None:
        assert game.id is not None
        lifecycle.join(service(), game.id, seat.number, request.form.get("word", ""))
    return back_to(f"/games/{code}", "joined")


@routes.post("/games/<code>/decline")
@signed_in
def decline(code: str) -> ResponseReturnValue:
    """Leave the seat to somebody else."""
    game, seat = my_seat(code)
    if seat.joined is not None:
        return back_to(f"/games/{code}", "joined_already")
    assert game.id is not None
    lifecycle.decline(service(), game.id, seat.number)
    return back_to("/", "declined")


def waiting_page(game: Game, seat: Seat) -> Response:
    """What there is before the game begins: the invitation, or who has joined so far."""
    assert game.id is not None
    with service().reading() as reading:
        seats, players = seat_rows(reading, game.id), players_of(reading, game.id)
        host = reading.get(Account, game.moderator_id) if game.moderator_id is not None else None
    said = game_words(game.rules, setup_of(game), me().words.language)
    sides = [
        (
            "" if game.seating == DRAW and not each.standin else said.seat(each.number),
            name_shown(game, players.get(each.number)),
            each.joined is not None,
            each.public_word,
            bool(each.standin),
        )
        for each in seats
    ]
    return page(
        "invitation" if seat.joined is None else "gathering",
        game=game,
        rules=said.title(),
        played_with=said.played_with(me().words),
        host=host.name if host is not None else service().settings.sender_name,
        side="" if game.seating == DRAW else said.seat(seat.number),
        sides=sides,
        missing=sum(map(is_open, seats)),
        max_word=lifecycle.MAX_WORD,
    )


def missed_page(code: str) -> ResponseReturnValue:
    """That the game has begun without a guest who was told so; who leads it comes to the desk; not found for others."""
    with service().reading() as reading:
        game = game_row(reading, code)
        if game.moderator_id == me().id:
            return redirect(f"/games/{game.code}/desk")
        told = col(Letter.kind) == BEGAN_WITHOUT, col(Letter.account_id) == me().id
        missed = reading.exec(select(Letter.id).where(col(Letter.game_id) == game.id, *told).limit(1)).first()
        if missed is None or game.status not in PLAYED or plays(reading, game, reading.get(Account, me().id)):
            abort(404)
        place = waiting_place(reading, game, me().id)
    return page("missed", game=game, place=place)
