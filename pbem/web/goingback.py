"""Going back and returning at the desk: before and after, as all may see it, and only then the act."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from pbem import commands
from pbem.commands import BY_NAME, Command
from pbem.rulings.comparing import Comparison, back_compared, return_compared
from pbem.rulings.goingback import Back
from pbem.storage.models import Game, Ruling
from pbem.web.desk import actor_given, asked_players, given_to, led, ruled
from pbem.web.pages import me, page, service, signed_in

routes = Blueprint("goingback", __name__)

ROLL_BACK, RETURN = BY_NAME["roll-back"], BY_NAME["return"]


@routes.post("/games/<code>/desk/roll-back")
@signed_in
def compare_back(code: str) -> ResponseReturnValue:
    """What it would come to; or the players are asked."""
    game, given = led(code), given_to(ROLL_BACK)
    if request.form.get("ask"):
        return asked_players(game, ROLL_BACK, given)
    back = Back(given[commands.ENTRY], given[commands.CHANCE], given[commands.SHEETS])
    return _shown(game, ROLL_BACK, back_compared(service(), game.code, back, actor_given(), me().words))


@routes.post("/games/<code>/desk/return")
@signed_in
def compare_return(code: str) -> ResponseReturnValue:
    """What it would come to; or the players are asked."""
    game, given = led(code), given_to(RETURN)
    if request.form.get("ask"):
        return asked_players(game, RETURN, given)
    found = return_compared(service(), game.code, given[commands.LINE], actor_given(), me().words)
    return _shown(game, RETURN, found)


@routes.post("/games/<code>/desk/roll-back/do")
@signed_in
def go_back(code: str) -> ResponseReturnValue:
    """Set the game back, if it stands as it was shown."""
    return _done(led(code), ROLL_BACK)


@routes.post("/games/<code>/desk/return/do")
@signed_in
def go_there(code: str) -> ResponseReturnValue:
    """Return to the line, if the game stands as it was shown."""
    return _done(led(code), RETURN)


def _shown(game: Game, command: Command, found: Comparison) -> ResponseReturnValue:
    fields = {kind: request.form.get(kind, "") for kind in command.parameters}
    seen = f"{found.now.stage_number}/{found.now.next_ruling}/{found.now.next_entry - 1}"
    reason = actor_given(bound=False).reason
    return page("goingback", game=game, name=command.name, fields=fields, found=found, seen=seen, reason=reason)


def _done(game: Game, command: Command) -> ResponseReturnValue:
    ruling = command.act(service(), game.code, given_to(command), actor_given())
    assert isinstance(ruling, Ruling)
    return ruled(game, ruling)
