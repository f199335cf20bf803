"""What a moderator keeps of a game: its record as a file, whole while it goes on, and the archive."""

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from pbem.accounts import main_address
from pbem.games.archiving import archive, restore
from pbem.records.writing import record, whole_record
from pbem.rulings.authority import Actor
from pbem.web.desk import actor_given, led
from pbem.web.pages import back_to, me, service, signed_in

routes = Blueprint("keeping", __name__)


@routes.get("/games/<code>/desk-record")
@signed_in
def download(code: str) -> ResponseReturnValue:
    """The record of a game that is over."""
    game = led(code)
    return as_file(game.code, record(service(), game.code))


@routes.post("/games/<code>/desk-export")
@signed_in
def export(code: str) -> ResponseReturnValue:
    """The whole record of a game that goes on: a look, told to all players before it is shown."""
    game = led(code)
    return as_file(game.code, whole_record(service(), game.code, actor_given()))


@routes.post("/games/<code>/archive")
@signed_in
def put_away(code: str) -> ResponseReturnValue:
    """Puts the game away, or back into the lists."""
    game = led(code)
    with service().reading() as reading:
        actor = Actor("", main_address(reading, me().id))
    if request.form.get("act") == "restore":
        restore(service(), game.code, actor)
        return back_to(f"/games/{game.code}/desk", "restored")
    archive(service(), game.code, actor)
    return back_to(f"/games/{game.code}/desk", "archived")


def as_file(code: str, content: bytes) -> Response:
    """A record as what a browser saves."""
    headers = {"Content-Disposition": f'attachment; filename="{code}.jsonl"'}
    return Response(content, mimetype="application/jsonl", headers=headers)
