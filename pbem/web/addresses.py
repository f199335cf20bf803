"""One's mail addresses: added and confirmed, and which of them letters go to."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from pbem.addressbook import ADDS, ask_to_add, ask_to_move, confirm, pending, remove
from pbem.errors import Refused
from pbem.web.pages import back_to, me, page, service, signed_in

routes = Blueprint("addresses", __name__)

MAX_ADDRESS = 254


@routes.post("/account/addresses")
@signed_in
def add() -> ResponseReturnValue:
    """Sends a link to the new address, and says the same whether it is somebody's already."""
    ask_to_add(service(), me().id, request.form.get("address", "")[:MAX_ADDRESS])
    return back_to("/account", "address_asked")


@routes.post("/account/addresses/main")
@signed_in
def move() -> ResponseReturnValue:
    """Asks the present address whether letters are to go to another."""
    ask_to_move(service(), me().id, request.form.get("address", "")[:MAX_ADDRESS])
    return back_to("/account", "move_asked")


@routes.post("/account/addresses/remove")
@signed_in
def take_off() -> ResponseReturnValue:
    """Takes an address off the account."""
    remove(service(), me().id, request.form.get("address", "")[:MAX_ADDRESS])
    return back_to("/account", "address_removed")


@routes.get("/address/<secret>")
def ask(secret: str) -> ResponseReturnValue:
    """A button: following the link changes nothing, for mail scanners follow links."""
    try:
        link = pending(service(), secret)
    except Refused:
        return page("address", 410, secret="", address="", adds=False)
    return page("address", secret=secret, address=link.target, adds=link.purpose == ADDS)


@routes.post("/address/<secret>")
def use(secret: str) -> ResponseReturnValue:
    """Does what the link is for, once."""
    try:
        confirm(service(), secret)
    except Refused:
        return page("address", 410, secret="", address="", adds=False)
    return back_to("/account", "addresses_changed")
