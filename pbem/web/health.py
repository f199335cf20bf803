"""Whether the process answers, and whether it can serve: for supervisors and proxies."""

from flask import Blueprint, Response
from sqlalchemy.exc import SQLAlchemyError

from pbem.storage import migrate
from pbem.web.pages import service

routes = Blueprint("health", __name__)


@routes.get("/healthz")
def alive() -> Response:
    """The process answers."""
    return _said("ok")


@routes.get("/readyz")
def ready() -> Response:
    """The database is there, and of a version that this code works with."""
    try:
        outdated = migrate.outdated(service().database)
    except (SQLAlchemyError, migrate.NewerDatabase):
        return _said("unavailable", 503)
    return _said("outdated", 503) if outdated else _said("ready")


def _said(word: str, status: int = 200) -> Response:
    return Response(word + "\n", status, content_type="text/plain; charset=utf-8")
