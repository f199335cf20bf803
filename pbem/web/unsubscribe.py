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
from pbem.mail.intake import Holding, answered, speaks
from pbem.observing.observers import stop_letters
from pbem.storage.models import Game, Letter
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
    letter, holding = _letter(token)
    if letter.kind == OBSERVED and letter.game_id is not None and letter.account_id is not None:
        stop_letters(service(), letter.game_id, letter.account_id)
        return _page(letter, token, done=True)
    if holding is not None and holding.joined is None and holding.account_id == letter.account_id:
        assert letter.game_id is not None
        assert letter.seat is not None
        with suppress(Refused):  # the game has begun or was given up: there is nothing to decline
            decline(service(), letter.game_id, letter.seat)
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


def _letter(token: str) -> tuple[Letter, Holding | None]:
    """The letter, and who holds its seat while it is the same guest; not found for any other token."""
    mark = service().identity.read(token) if len(token) < 100 else None
    if mark is None:
        abort(404)
    with service().reading() as session:
        found = answered(session, mark.letter)
    if found is None or found.letter.kind not in STOPPABLE:
        abort(404)
    return found.letter, found.holding if speaks(found.holding, mark.generation) else None
