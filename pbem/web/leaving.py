"""Having one's data deleted: asked for on the page of the account, done by the link in a letter."""

from flask import Blueprint, session
from flask.typing import ResponseReturnValue

from pbem.errors import Refused
from pbem.site.leaving import ask_to_leave, leave, leaving
from pbem.web.pages import back_to, me, page, service, signed_in

routes = Blueprint("leaving", __name__)


@routes.post("/account/delete")
@signed_in
def ask() -> ResponseReturnValue:
    """Sends the link to where letters go; nothing is deleted yet."""
    ask_to_leave(service(), me().id)
    return back_to("/account", "leaving_asked")


@routes.get("/leave/<secret>")
def show(secret: str) -> ResponseReturnValue:
    """A button: following the link changes nothing, for mail scanners follow links."""
    try:
        leaving(service(), secret)
    except Refused:
        return page("leave", 410, secret="")
    return page("leave", secret=secret)


@routes.post("/leave/<secret>")
def do(secret: str) -> ResponseReturnValue:
    """Deletes the account, once."""
    try:
        leave(service(), secret)
    except Refused:
        return page("leave", 410, secret="")
    session.clear()
    return back_to("/sign-in", "left_for_good")
