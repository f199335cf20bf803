"""What all pages share: who is there, in what words, and how a page is made."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec
from urllib.parse import quote, urlsplit

from flask import Response, abort, current_app, flash, g, get_flashed_messages, redirect, request, session
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf  # type: ignore[import-untyped]
from markupsafe import Markup
from sqlalchemy import bindparam
from sqlmodel import Session, col, select
from werkzeug.exceptions import HTTPException

from pbem import clock, refusals
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.names import unknown_told
from pbem.reports.environments import PAGE, environment
from pbem.storage.models import Account, Game, Seat
from pbem.web import files
from pbem.words import Words, languages

EXTENSION = "pbem"
WHO = "who"
"""Where the session has the account's number and generation."""
MAX_NEXT = 200
TYPED = ("title", "players", "text", "lines", "schedule", "policy", "notes", "reason")
"""The fields of forms in which somebody may have written for a while: what was in them is shown with a refusal."""

_SEAT = (
    select(Game, Seat)
    .join(Seat, col(Seat.game_id) == col(Game.id))
    .where(
        col(Game.code) == bindparam("code"),
        col(Seat.account_id) == bindparam("account"),
        col(Seat.resigned).is_(None),
        col(Game.status) != "cancelled",
    )
    .order_by(col(Seat.number))
)

P = ParamSpec("P")


@dataclass(frozen=True)
class Visitor:
    """Who has signed in."""

    id: int
    name: str
    words: Words
    account: Account
    """Its row as it was when the page was asked for."""


def service() -> Service:
    """The service of this application."""
    found: Service = current_app.extensions[EXTENSION]
    return found


def account_in_session() -> tuple[int, int] | None:
    """The account's number and generation that the signed cookie names, not yet looked up."""
    said = session.get(WHO)
    return (said[0], said[1]) if isinstance(said, list) and len(said) == 2 else None


def visitor() -> Visitor | None:
    """Who has signed in; None for a stranger, or where the account has ended its sessions."""
    if "visitor" not in g:
        g.visitor = _visitor()
    found: Visitor | None = g.visitor
    return found


def me() -> Visitor:
    """Who has signed in, in a page that asks for it (`signed_in`)."""
    found = visitor()
    assert found is not None
    return found


def _visitor() -> Visitor | None:
    named = account_in_session()
    if named is None:
        return None
    with service().reading() as reading:
        account = reading.get(Account, named[0])
    if account is None or account.generation != named[1] or account.blocked is not None:
        session.clear()
        return None
    return Visitor(named[0], account.name, Words.of(account.language, account.zone), account)


def spoken() -> Words:
    """The visitor's words; a stranger's by what the browser prefers."""
    known = visitor()
    if known is not None:
        return known.words
    ours = service().settings
    return Words.of(request.accept_languages.best_match(languages()) or ours.language, ours.time_zone)


def signed_in(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A page for who has signed in; others are asked to, and led back to it."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if visitor() is None:
            back = request.path if request.method == "GET" else "/"
            return redirect(f"/sign-in?next={quote(back)}", 303)
        return view(*args, **kwargs)

    return guarded


def my_seat(code: str) -> tuple[Game, Seat]:
    """The visitor's seat in the game of that code; not found for anybody else's."""
    return seat_of(code, me().id)


def seat_of(code: str, account_id: int) -> tuple[Game, Seat]:
    """An account's seat in the game of that code; not found for anybody else's."""
    found = seat_if_any(code, account_id)
    if found is None:
        abort(404)
    return found


def seat_if_any(code: str, account_id: int) -> tuple[Game, Seat] | None:
    """An account's seat in the game of that code, where it has one."""
    with service().reading() as reading:
        return seat_in(reading, code, account_id)


def seat_in(reading: Session, code: str, account_id: int) -> tuple[Game, Seat] | None:
    """The same in a session that goes on."""
    found = reading.exec(_SEAT, params={"code": code, "account": account_id}).first()
    return (found[0], found[1]) if found is not None else None


def page(template: str, status: int = 200, **params: Any) -> Response:
    """A page of `templates/web` in the visitor's words."""
    words = spoken()
    known = visitor()
    given = {
        "words": words,
        "now": clock.now(),
        "visitor": known.name if known is not None else None,
        "site": service().settings.sender_name,
        "style": files.STYLE_PATH,
        "scripts": files.SCRIPTS,
        "csrf": _csrf,
        "notices": get_flashed_messages,
        **params,
    }
    made = environment(words.language, PAGE).get_template(f"web/{template}.j2").render(given)
    return Response(made, status, content_type="text/html; charset=utf-8")


def back_to(path: str, notice: str = "") -> ResponseReturnValue:
    """Lead to another page after a change; `notice` is a code of `templates/web/notices.j2`."""
    if notice:
        flash(notice)
    return redirect(path, 303)


def not_taken(path: str, notice: str) -> ResponseReturnValue:
    """That a form did nothing: with what was typed in it, which no other page would have; else as `back_to`."""
    typed = _typed()
    if not typed:
        return back_to(path, notice)
    flash(notice)
    return page("refused", 409, reason="", typed=typed, back=path)


def fault(code: int) -> Response:
    """A page that says what went wrong, and nothing of the inside."""
    return page("fault", code if code >= 400 else 500, code=code, typed=_typed(), back=_came_from())


def refused(error: Refused) -> Response:
    """A page that says why the service did not do it, with what was typed: a browser keeps no page that is private."""
    return page("refused", 409, reason=refusals.said(error, spoken()), typed=_typed(), back=_came_from())


def without_rules() -> Response:
    """A page that says that its game's rules are not installed here, with what was typed."""
    return page("refused", 503, reason=unknown_told(spoken()), typed=_typed(), back=_came_from())


def _typed() -> list[str]:
    """What the visitor wrote into the form that was sent, where it can be read."""
    try:
        request.form  # noqa: B018 - it is read here
    except HTTPException:
        return []
    return [text for name in TYPED for text in request.form.getlist(name) if text.strip()]


def _came_from() -> str:
    """The page of ours with the form that was sent; empty where there is none to go back to."""
    came = urlsplit(request.referrer or "")
    if request.method != "POST" or came.netloc != request.host or safe_next(came.path) != came.path:
        return ""
    try:
        current_app.url_map.bind(request.host).match(came.path, method="GET")
    except HTTPException:
        return ""
    return came.path


def limited(text: str, most: int) -> str:
    """The text, if it has that many characters at most. Raises Refused `form_too_long`: nothing is cut."""
    if len(text) > most:
        raise Refused("form_too_long", given=len(text), most=most)
    return text


def safe_next(path: str) -> str:
    """A path of ours to go on to, or that of the first page for anything else."""
    plain = path.isascii() and path.isprintable() and len(path) <= MAX_NEXT
    return path if plain and path.startswith("/") and not path.startswith("//") and "\\" not in path else "/"


def _csrf() -> Markup:
    """The hidden field that every form that changes something must have."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())
