"""The page of the site's moderators: all games by urgency, with a link to each desk."""

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from pbem.site.overview import overview
from pbem.storage.models import Account
from pbem.web.pages import me, page, service, signed_in

routes = Blueprint("site", __name__)


def only_moderators() -> Account:
    """The visitor's account, if it moderates the site; not found for anybody else."""
    with service().reading() as reading:
        account = reading.get_one(Account, me().id)
    if not account.moderator:
        abort(404)
    return account


@routes.get("/site")
@signed_in
def show() -> ResponseReturnValue:
    """Every game that is not over: who is waited for and since when, letters that fail, seats in trouble."""
    only_moderators()
    with service().reading() as reading:
        found = overview(reading, me().words)
    return page("site", site_=found)
