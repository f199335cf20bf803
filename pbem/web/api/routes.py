"""The API's routes: its calls, the document of them, and what is said when one fails."""

from functools import cache

from flask import Blueprint, Response, json, request

from pbem import refusals
from pbem.errors import Refused
from pbem.games.names import unknown_told
from pbem.web.api import access, games, orders, press, problems, reports
from pbem.web.api.document import ROOT, document
from pbem.web.api.problems import Refusal

routes = Blueprint("api", __name__, url_prefix=ROOT)
CALLS = (*games.calls, *reports.calls, *orders.calls, *press.calls)
GIVEN_PATH = "/api/"

for call in CALLS:
    routes.add_url_rule(call.path, call.name, call.view, methods=[call.method])


@routes.get("/openapi.json")
def described() -> Response:
    """What the API is, for programs that make programs of it."""
    return Response(_document(), content_type="application/json")


@routes.errorhandler(Refusal)
def refusal(error: Refusal) -> Response:
    """A call that the API itself does not carry out."""
    made = problems.response(access.words(), error)
    if error.status == 401:
        made.headers["WWW-Authenticate"] = "Bearer"
    return made


@routes.errorhandler(Refused)
def refused(error: Refused) -> Response:
    """What the service refuses."""
    return problems.because(access.words(), 409, error.code, refusals.said(error, access.words()))


def without_rules() -> Response:
    """What is said of a game whose rules are not installed here."""
    return problems.because(access.words(), 503, "not_installed", unknown_told(access.words()))


def is_called() -> bool:
    """Whether the request is one to the API, also where it has nothing there."""
    return request.path.startswith(GIVEN_PATH)


def fault(status: int) -> Response:
    """What is said of a fault that HTTP has a status for."""
    return problems.plain(access.words(), status)


@cache
def _document() -> str:
    return json.dumps(document(CALLS), indent=1)
