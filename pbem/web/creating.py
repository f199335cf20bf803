"""A new game from a template, for moderators of the site: a title, its guests, and the rest as the template says."""

from dataclasses import replace

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from pbem.accounts import main_address
from pbem.errors import Refused
from pbem.games import lifecycle
from pbem.games.lifecycle import Guest
from pbem.games.titles import MOST_TITLE
from pbem.gametemplates import BadTemplate, names, read_template, said
from pbem.web.pages import back_to, limited, me, page, service, signed_in
from pbem.web.site import only_moderators

routes = Blueprint("creating", __name__)

MOST_GUESTS = 5_000
"""Characters."""


@routes.get("/new")
@signed_in
def form() -> ResponseReturnValue:
    """The templates to choose from."""
    only_moderators()
    return page("new", names=list(names(service().settings)), most=MOST_GUESTS, most_title=MOST_TITLE, wrong=[])


@routes.post("/new")
@signed_in
def make() -> ResponseReturnValue:
    """Makes the game, invites its guests, and leads to its desk; what is wrong with a template is told."""
    account = only_moderators()
    assert account.id is not None
    settings = service().settings
    lines = limited(request.form.get("players", ""), MOST_GUESTS).splitlines()
    guests = [Guest.written(line) for line in lines if line.strip()]
    try:
        base = read_template(settings, request.form.get("template", "")).plan
    except BadTemplate as bad:
        wrong = said(bad, me().words)
        return page("new", 409, names=list(names(settings)), most=MOST_GUESTS, most_title=MOST_TITLE, wrong=wrong)
    with service().reading() as reading:
        address = main_address(reading, account.id)
    if len(guests) > base.free:
        raise Refused("bad_seats", seats=len(guests) + len(base.standins), known=base.free + len(base.standins))
    title = limited(" ".join(request.form.get("title", "").split()), MOST_TITLE)
    plan = replace(base, guests=guests, free=base.free - len(guests), moderator=address, title=title or base.title)
    code = lifecycle.create_game(service(), plan)
    return back_to(f"/games/{code}/desk", "made" if not guests or _invited(code) else "made_uninvited")


def _invited(code: str) -> bool:
    """Whether the guests are invited; the desk does it later where there were too many invitations today."""
    try:
        lifecycle.invite(service(), code)
    except Refused as refused:
        if refused.code != "too_many_invitations":
            raise
        return False
    return True
