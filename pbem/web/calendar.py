"""The private calendar of a player's deadlines, for programs that look at it again and again."""

from flask import Blueprint, Response, abort

from pbem.games.calendars import feed
from pbem.web.pages import service

routes = Blueprint("calendar", __name__, url_prefix="/calendar")


@routes.get("/<token>.ics")
def show(token: str) -> Response:
    """The deadlines of whoever has that address; not found for any other."""
    with service().reading() as reading:
        found = feed(service(), reading, token)
    if found is None:
        abort(404)
    return Response(
        found, content_type="text/calendar; charset=utf-8", headers={"Cache-Control": "private, max-age=300"}
    )
