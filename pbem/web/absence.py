"""When one is away, in all of one's games."""

import secrets

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from pbem.errors import Refused
from pbem.games.absence import come_back, go_away, tell_games
from pbem.games.away import NoAbsence, absence_from
from pbem.storage.models import Account
from pbem.web.pages import back_to, me, service, signed_in

routes = Blueprint("absence", __name__)


@routes.post("/account/absence")
@signed_in
def enter() -> ResponseReturnValue:
    """From the first day to the end of the last, in one's own time zone; the others in one's games are told."""
    first, last = (request.form.get(name, "") for name in ("first", "last"))
    try:
        gone = absence_from(first, last, me().words.zone)
    except NoAbsence as problem:
        raise Refused(problem.code, **problem.params) from problem
    with service().writing() as writing:
        account = writing.get_one(Account, me().id)
        go_away(writing, me().id, gone)
    tell_games(service(), account, _key())
    return back_to("/account", "away")


@routes.post("/account/back")
@signed_in
def end() -> ResponseReturnValue:
    """Ends the absence that runs, or takes back those to come; the others are told."""
    with service().writing() as writing:
        account = writing.get_one(Account, me().id)
        come_back(writing, me().id)
    tell_games(service(), account, _key())
    return back_to("/account", "back_again")


def _key() -> str:
    return f"page/{secrets.token_hex(12)}"
