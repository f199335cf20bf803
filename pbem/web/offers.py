"""A seat of a running game that is offered to the visitor: what everyone can see of the game, and two buttons."""

from datetime import timedelta

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from pbem.errors import Refused
from pbem.games.offering import decline_offer, offer_of
from pbem.games.position import position
from pbem.games.rules import setup_of
from pbem.games.succession import accept
from pbem.reports.game import game_words
from pbem.storage.models import Account, Game, Standby
from pbem.web.pages import back_to, me, page, service, signed_in

routes = Blueprint("offers", __name__)


@routes.get("/games/<code>/offer")
@signed_in
def show(code: str) -> ResponseReturnValue:
    """What is offered; not found for anybody else."""
    game, row = _mine(code)
    assert game.id is not None
    assert row.seat is not None
    assert row.asked is not None
    said = game_words(game.rules, setup_of(game), me().words.language)
    with service().reading() as reading:
        host = reading.get(Account, game.moderator_id) if game.moderator_id is not None else None
        stands = position(reading, game.id)
    stage = stands.rules.stage(stands.table.state, game.pace)
    return page(
        "offer",
        game=game,
        rules=said.title(),
        played_with=said.played_with(me().words),
        host=host.name if host is not None else service().settings.sender_name,
        side=said.seat(row.seat),
        reason=row.reason,
        turn=stage.turn,
        stage=said.name("stage", stage.name),
        position=said.position(stands.rules.view(stands.table.state, None), ()),
        answer_by=row.asked + timedelta(hours=service().settings.offer_hours),
    )


@routes.post("/games/<code>/offer/join")
@signed_in
def join(code: str) -> ResponseReturnValue:
    """Takes the seat."""
    game, _ = _mine(code)
    assert game.id is not None
    accept(service(), game.id, me().id)
    return back_to(f"/games/{code}", "taken_over")


@routes.post("/games/<code>/offer/decline")
@signed_in
def decline(code: str) -> ResponseReturnValue:
    """Leaves it to others."""
    game, _ = _mine(code)
    assert game.id is not None
    decline_offer(service(), game.id, me().id)
    return back_to("/", "declined")


def _mine(code: str) -> tuple[Game, Standby]:
    with service().reading() as reading:
        try:
            game, row = offer_of(reading, code, me().id)
        except Refused:
            abort(404)
    if game.status != "playing":
        abort(404)
    return game, row
