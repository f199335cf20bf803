"""The application: its pages, what guards them, and what it says when something goes wrong."""

import re
from hashlib import blake2b

import structlog
from flask import Flask, Response, abort, g, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFProtect  # type: ignore[import-untyped]
from sqlalchemy.exc import InternalError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from engine.errors import EngineError, UnknownRules, UnknownVersion
from pbem import logs
from pbem.context import Service
from pbem.door import Aside, Celeried, Closed
from pbem.errors import Busy, Refused
from pbem.games.titles import is_code
from pbem.settings import Settings, settings
from pbem.web import (
    absence,
    account,
    addresses,
    calendar,
    changing,
    choosing,
    creating,
    desk,
    files,
    goingback,
    guards,
    guide,
    health,
    history,
    home,
    hooks,
    importing,
    joining,
    keeping,
    leaving,
    metrics,
    notes,
    observing,
    offers,
    openings,
    people,
    press,
    reports,
    seat,
    signin,
    site,
    table,
    tokens,
    unsubscribe,
    voting,
    whatifs,
)
from pbem.web.api import routes as api
from pbem.web.pages import EXTENSION, fault, refused, without_rules

log = structlog.get_logger()

MAX_FORM_BYTES = 100_000
RETRY_SECONDS = 10
"""After which one who was told that the service is busy may come again."""
PAGES = (
    home,
    signin,
    account,
    addresses,
    tokens,
    absence,
    leaving,
    calendar,
    joining,
    offers,
    openings,
    observing,
    seat,
    choosing,
    creating,
    importing,
    keeping,
    whatifs,
    reports,
    press,
    notes,
    history,
    table,
    voting,
    desk,
    changing,
    goingback,
    site,
    people,
    files,
    guide,
    health,
    metrics,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
NOT_FOUND = frozenset({"no_game", "no_seat", "no_account", "no_what_if", "not_for_you"})


def create_app(service: Service | None = None) -> Flask:
    """The application on a service; on the one that the settings name where none is given (after any fork)."""
    if service is None:
        logs.configure(settings().log_level, as_json=settings().log_json)
        service = _opened(settings())
    app = _Flask("pbem.web", static_folder=None, template_folder=None)
    ours = service.settings
    app.config.update(
        SECRET_KEY=_key(service.identity.keys[0]),
        SECRET_KEY_FALLBACKS=[_key(key) for key in service.identity.keys[1:]],
        SESSION_COOKIE_NAME="pbem",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=ours.url.startswith("https:"),
        PERMANENT_SESSION_LIFETIME=ours.session_days * 86400,
        SESSION_REFRESH_EACH_REQUEST=False,
        MAX_CONTENT_LENGTH=MAX_FORM_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_FORM_BYTES,
        MAX_FORM_PARTS=50,
        WTF_CSRF_TIME_LIMIT=None,  # a form may lie open for days: the session is what ends
        WTF_CSRF_SSL_STRICT=False,  # proxies may tell another host than the browser; token and SameSite guard
    )
    app.extensions[EXTENSION] = service
    _answer_plain_paths(app)
    _name_games(app)
    if ours.trusted_proxies:
        believed = ours.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=believed, x_proto=believed)  # type: ignore[method-assign]
    for page in PAGES:
        app.register_blueprint(page.routes)
    forms = CSRFProtect(app)  # behind the pages, of which one makes room for a file before the form is read
    for outside in (hooks, unsubscribe, api):
        app.register_blueprint(outside.routes)
        forms.exempt(outside.routes)  # they bring secrets of their own, and no session
    app.after_request(guards.add_headers)
    guards.limit_rates(app, ours.redis_url)
    _tell_errors(app)
    return app


class _Flask(Flask):
    def log_exception(self, exc_info: object) -> None:
        """The kind and the place alone: paths hold links, texts of exceptions may hold hidden things."""
        kind = exc_info[0] if isinstance(exc_info, tuple) else None
        log.error("page_failed", endpoint=request.endpoint, kind=getattr(kind, "__name__", ""))


def _answer_plain_paths(app: Flask) -> None:
    """Nothing of ours has a control character in its address; PostgreSQL can't even be asked for a NUL."""

    @app.before_request
    def no_control_character_in_the_path() -> None:
        if _CONTROL.search(request.path):
            abort(404)


def _name_games(app: Flask) -> None:
    """Lines that are written for a game's page name the game."""

    @app.before_request
    def name() -> None:
        code = (request.view_args or {}).get("code")
        if isinstance(code, str) and is_code(code):
            structlog.contextvars.bind_contextvars(game_code=code)

    @app.teardown_request
    def leave(_error: BaseException | None) -> None:
        structlog.contextvars.unbind_contextvars("game_code")


def _tell_errors(app: Flask) -> None:
    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if not api.is_called():
            return fault(status)
        made = api.fault(status)
        made.headers.extend([each for each in error.get_headers() if each[0] == "Allow"])
        return made

    @app.errorhandler(Refused)
    def refusal(error: Refused) -> ResponseReturnValue:
        return fault(404) if error.code in NOT_FOUND else refused(error)

    @app.errorhandler(UnknownRules)
    @app.errorhandler(UnknownVersion)
    def unknown_rules(error: EngineError) -> ResponseReturnValue:
        log.warning("page_without_rules", endpoint=request.endpoint)
        return api.without_rules() if api.is_called() else without_rules()

    @app.errorhandler(Busy)
    def busy(error: Busy) -> ResponseReturnValue:
        return _unavailable()

    @app.errorhandler(OperationalError)
    @app.errorhandler(InternalError)  # a transaction that PostgreSQL has ended
    @app.errorhandler(PoolTimeout)
    def without_database(error: SQLAlchemyError) -> ResponseReturnValue:
        log.error("database_unavailable", endpoint=request.endpoint, kind=type(error).__name__)
        g.setdefault("visitor", None)  # the page that says so looks nobody up
        return _unavailable()

    @app.before_request
    def no_nul_in_what_is_given() -> None:
        if request.blueprint not in ("hooks", "api") and (_has_nul(request.args) or _has_nul(request.form)):
            abort(400)


def _has_nul(given: MultiDict[str, str]) -> bool:
    return any("\0" in value for _, value in given.items(multi=True))


def _unavailable() -> Response:
    """Nothing was done, and trying again is worth while."""
    made = api.fault(503) if api.is_called() else fault(503)
    made.headers["Retry-After"] = str(RETRY_SECONDS)
    return made


def _opened(ours: Settings) -> Service:
    return Service.opened(ours, Aside(Celeried(ours.redis_url)) if ours.redis_url else Closed())


def _key(key: bytes) -> bytes:
    """What sessions are signed with: a key of its own, so that no cookie can pass for a reply address."""
    return blake2b(key, digest_size=32, person=b"pbem web session").digest()
