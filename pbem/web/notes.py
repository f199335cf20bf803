"""A player's notes to themselves, kept beside the seat."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from pbem.games.notes import MOST, keep_notes
from pbem.web.pages import back_to, my_seat, service, signed_in

routes = Blueprint("notes", __name__)

MAX_TEXT = 2 * MOST
"""Characters of the form, before line ends are counted as one."""


@routes.post("/games/<code>/notes")
@signed_in
def keep(code: str) -> ResponseReturnValue:
    """Keeps them, however the game stands."""
    _, seat = my_seat(code)
    before, text = (_given(name) for name in ("before", "notes"))
    both = keep_notes(service(), seat, before, text)
    return back_to(f"/games/{code}#notes", "notes_joined" if both else "notes_kept")


def _given(name: str) -> str:
    text = request.form.get(name, "")
    if len(text) > MAX_TEXT:
        abort(413)
    return text.replace("\r\n", "\n").strip("\n")
