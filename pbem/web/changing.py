"""Changing the state at the desk, without a script: a look, then step by step, then before and after, then the act."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from pbem.errors import Refused
from pbem.refusals import said
from pbem.rulings.changesteps import compared, step
from pbem.rulings.changing import MOST_TEXT, Wanted, change_state, look_to_change, looked_at, tried
from pbem.storage.models import Game
from pbem.web.choosing import MAX_PATH, path_given
from pbem.web.desk import actor_given, led, number_given, ruled
from pbem.web.pages import me, page, service, signed_in

routes = Blueprint("changing", __name__)


@routes.post("/games/<code>/desk/change")
@signed_in
def begin(code: str) -> ResponseReturnValue:
    """The look, of which all are told at once, and the first step."""
    game = led(code)
    look_to_change(service(), game.code, actor_given())
    return _step(game, "", "")


@routes.post("/games/<code>/desk/change/step")
@signed_in
def go_on(code: str) -> ResponseReturnValue:
    """The next step, behind the changes that are whole."""
    return _step(led(code), _text(), path_given())


@routes.post("/games/<code>/desk/change/compare")
@signed_in
def compare(code: str) -> ResponseReturnValue:
    """Before and after; or the steps again, with what is wrong with the changes."""
    game, text, actor = led(code), _text(), actor_given(bound=False)
    stands = looked_at(service(), game.code, actor)
    try:
        found = compared(tried(stands, text), me().words)
    except Refused as refused:
        return _step(game, text, "", said(refused, me().words))
    return page("compared", game=game, found=found, text=text, reason=actor.reason, version=stands.game.version)


@routes.post("/games/<code>/desk/change/do")
@signed_in
def make(code: str) -> ResponseReturnValue:
    """Make the changes, if the game is as it was shown."""
    game = led(code)
    wanted = Wanted(_text(), number_given(request.form.get("version", "")))
    return ruled(game, change_state(service(), game.code, wanted, actor_given(bound=False)))


def _step(game: Game, text: str, path: str, problem: str = "") -> ResponseReturnValue:
    """The page of a step. Where it makes a change whole, its line is added and the next change begins."""
    if len(path) > MAX_PATH:
        abort(413)
    actor = actor_given(bound=False)
    stands = looked_at(service(), game.code, actor)
    try:
        found = step(stands, text, path)
        if found is not None and found.whole:
            text = "\n".join([*text.split("\n"), found.line]).strip()
            found = step(stands, text, "")
    except Refused as refused:
        problem, found = problem or said(refused, me().words), step(stands, "", "")
    if found is None:
        abort(400)
    return page("change", game=game, step=found, text=text, reason=actor.reason, problem=problem, most=MOST_TEXT)


def _text() -> str:
    text = request.form.get("text", "").replace("\r\n", "\n")
    if len(text) > MOST_TEXT:
        abort(413)
    return text
