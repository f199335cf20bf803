"""The one click by which invitations end, or an observer's letters (RFC 8058): for whom one went to, from whomever."""

from contextlib import suppress

from flask import Blueprint, Response, abort
from flask.typing import ResponseReturnValue

from pbem.accounts import DECLINED, never_again
from pbem.errors import Refused
from pbem.games.lifecycle import decline
from pbem.games.offering import decline_offer
from pbem.games.standbys import OFFER
from pbem.habits import OBSERVED
from pbem.letters import STOPPABLE
from pbem.mail.intake import seat_of, speaks
from pbem.observing.observers import stop_letters
from pbem.storage.models import Game, Letter, Seat
from pbem.web.pages import page, service

routes = Blueprint("unsubscribe", __name__, url_prefix="/unsubscribe")


@routes.get("/<token>")
def ask(token: str) -> ResponseReturnValue:
    """A button: following the link changes nothing."""
    letter, _ = _letter(token)
    return _page(letter, token, done=False)


@routes.post("/<token>")
def end(token: str) -> ResponseReturnValue:
    """Declines the invitation, if it is open, and all that might come. Mail providers post here too, without a form."""
    letter, seat = _letter(token)
    if letter.kind == OBSERVED and letter.game_id is not None and letter.account_id is not None:
        stop_letters(service(), letter.game_id, letter.account_id)
        return _page(letter, token, done=True)
    if seat is not None and seat.joined is None and seat.account_id == letter.account_id:
        try:
            decline(service(), seat.game_id, seat.number)
        except Refused:
            seat = None  # the game has begun or was given up: there is nothing to decline
    if letter.kind == OFFER and letter.game_id is not None and letter.account_id is not None:
        with suppress(Refused):  # it lapsed, or was answered
            decline_offer(service(), letter.game_id, letter.account_id)
    with service().writing() as session:
        never_again(session, letter.recipient, DECLINED)
    return _page(letter, token, done=True)


def _page(letter: Letter, token: str, *, done: bool) -> Response:
    title = ""
    if letter.kind == OBSERVED and letter.game_id is not None:
        with service().reading() as session:
            title = session.get_one(Game, letter.game_id).title
    return page("unsubscribe", address=letter.recipient, token=token, observed=title, done=done)


def _letter(token: str) -> tuple[Letter, Seat | None]:
    """The letter, and its seat while it is the same guest's; not found for any other token."""
    mark = service().identity.read(token) if len(token) < 100 else None
    if mark is None:
        abort(404)
    with service().reading() as session:
        letter = session.get(Letter, mark.letter)
        if letter is None or letter.kind not in STOPPABLE:
            abort(404)
        seat = seat_of(session, letter)
        return letter, seat if speaks(seat, mark.generation) else None
