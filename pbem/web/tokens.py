"""Tokens for one's own programs: made, shown once, revoked."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from pbem.tokens import make_token, revoke_token
from pbem.web.pages import back_to, me, page, service, signed_in

routes = Blueprint("tokens", __name__)

MAX_GIVEN = 200
"""Characters of a name that are looked at."""


@routes.post("/account/tokens")
@signed_in
def make() -> ResponseReturnValue:
    """Makes one, and shows it this once."""
    name = request.form.get("name", "")[:MAX_GIVEN]
    secret = make_token(service(), me().id, name, request.form.get("scope", ""))
    return page("token", secret=secret, name=name)


@routes.post("/account/tokens/revoke")
@signed_in
def revoke() -> ResponseReturnValue:
    """Makes one void."""
    revoke_token(service(), me().id, request.form.get("name", "")[:MAX_GIVEN])
    return back_to("/account", "token_revoked")
