"""A choice made step by step on pages, without a script: each step is a form, and nothing is kept before it is sent."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from engine.contract import Asked
from pbem.games.position import position
from pbem.games.rules import setup_of
from pbem.reports.game import game_words
from pbem.sheets.choosing import Step, step
from pbem.web.pages import back_to, me, my_seat, page, service, signed_in
from pbem.web.seat import MAX_TEXT, mark, new_key

routes = Blueprint("choosing", __name__)

MAX_PATH = 400
BLANK = "____"


@routes.post("/games/<code>/choose")
@signed_in
def choose(code: str) -> ResponseReturnValue:
    """The next step, or the form with the line of a choice that is whole."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{code}", "no_orders_now")
    text, path = request.form.get("text", "").replace("\r\n", "\n"), path_given()
    if len(text) > MAX_TEXT or len(path) > MAX_PATH or game.id is None:
        abort(413)
    words = me().words
    with service().reading() as reading:
        stands = position(reading, game.id)
    found = step(stands, seat.number, path, words.language) if mark() == f"{game.line}/{game.stage_key}" else None
    if found is None:
        return back_to(f"/games/{code}", "choice_gone")
    if found.whole:
        return page(
            "chosen", game=game, line=found.line, text=_with(text, found), stage=mark(), key=new_key(), most=MAX_TEXT
        )
    asks = game_words(game.rules, setup_of(game), words.language).asks(Asked(found.kind))
    return page("choose", game=game, step=found, asks=asks, text=text, stage=mark())


def path_given() -> str:
    """The way so far, with the number that was typed."""
    path, number = request.form.get("path", ""), request.form.get("number", "").strip()
    return ".".join(part for part in (path, number) if part)


def _with(text: str, found: Step) -> str:
    """The form's text with the order, in place of the first line with a blank for such a one, else at the end."""
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    for place, line in enumerate(lines):
        start, blank, _ = line.partition(BLANK)
        if blank and found.line.startswith(start):
            return "\n".join([*lines[:place], found.line, *lines[place + 1 :]])
    return "\n".join([*lines, found.line])
