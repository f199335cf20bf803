"""The page of one's seat: the newest report, what is asked, the order form and what it answers."""

import secrets
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlmodel import Session

from engine.numerals import whole_number
from pbem import clock
from pbem.games.calendars import feed_url
from pbem.games.notes import MOST, notes_of
from pbem.games.rules import setup_of
from pbem.mail.catchingup import catch_up, submit_in_turn
from pbem.mail.ledger import lost_report, server_said
from pbem.reports.data import Acknowledgement, decode_report
from pbem.reports.game import game_words
from pbem.reports.letters import part
from pbem.reports.render import acknowledgement_params
from pbem.sheets.messages import messages_of
from pbem.sheets.received import Post
from pbem.sheets.submitting import check
from pbem.storage.models import Game, Report, Seat
from pbem.web.joining import missed_page, waiting_page
from pbem.web.pages import back_to, me, my_seat, not_taken, page, seat_in, service, signed_in
from pbem.web.reports import BEFORE, Shown, in_parts, newest_report
from pbem.web.standing import Standing, standing
from pbem.web.voting import vote_of

routes = Blueprint("seat", __name__)

MAX_TEXT = 20_000
"""Characters of an order form; the reader's own bounds are narrower."""
MAX_MARK = 120
MESSAGES = 3
"""Messages that are shown beside the orders: the newest."""


@routes.get("/games/<code>")
@signed_in
def show(code: str) -> ResponseReturnValue:
    """One's seat, or the invitation to it; for a guest who did not answer it in time, that the game has begun."""
    return seat_page(code)


@routes.post("/games/<code>")
@signed_in
def show_again(code: str) -> ResponseReturnValue:
    """One's seat, with the text of a form that leads back to it. Nothing is kept."""
    return seat_page(code, text_given())


def seat_page(code: str, text: str | None = None) -> ResponseReturnValue:
    """One's seat with that text in its form, or with what is asked now."""
    with service().reading() as reading:
        found = seat_in(reading, code, me().id)
        shown = _seen(reading, *found) if found is not None and found[0].status not in BEFORE else None
    if found is None:
        return missed_page(code)
    if shown is None:
        return waiting_page(*found)
    return page(
        "seat",
        **shown,
        text="\n".join(shown["now_"].form) if text is None else text,
        key=new_key(),
        most=MAX_TEXT,
        most_notes=MOST,
        feed=feed_url(service(), me().account),
    )


def _seen(reading: Session, game: Game, seat: Seat) -> dict[str, Any]:
    """What there is of a seat in a game that has begun."""
    now = standing(reading, game, seat, me().words)
    newest, earlier = newest_report(reading, game, seat)
    lost = lost_report(reading, game, seat)
    said = game_words(game.rules, setup_of(game), me().words.language)
    return {
        "game": game,
        "now_": now,
        "vote": vote_of(reading, game, seat, now.seats, me().words),
        "parts": _shown(newest, game, now) if newest is not None else None,
        "picture": newest.picture if newest is not None else "",
        "earlier": earlier,
        "lost": server_said(lost) if lost is not None else "",
        "notes": notes_of(reading, seat),
        "messages": messages_of(reading, game, seat, said, MESSAGES),
    }


def _shown(newest: Report, game: Game, now: Standing) -> Shown:
    """The newest report, with the deadline as it is now, which may have been moved since; what it asked may be answered
    since."""
    report = msgspec.structs.replace(decode_report(newest.data), deadline=game.deadline)
    if report.occasion == "question" and now.state != "asked":
        report = msgspec.structs.replace(report, occasion="stage")
    return in_parts(report, me().words)


@routes.get("/games/<code>/orders")
@routes.get("/games/<code>/choose")
@signed_in
def orders(code: str) -> ResponseReturnValue:
    """The answer to a form is not kept: back to the seat."""
    my_seat(code)
    return redirect(f"/games/{code}")


@routes.post("/games/<code>/orders")
@signed_in
def send(code: str) -> ResponseReturnValue:
    """Reads the form; `check` keeps nothing, `send` counts once however often it arrives."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return not_taken(f"/games/{code}", "no_orders_now")
    text = text_given()
    if request.form.get("act") == "check":
        return _checked(game, seat, text)
    return _submitted(game, seat, text)


@routes.post("/games/<code>/reading")
@signed_in
def reading(code: str) -> ResponseReturnValue:
    """What would be made of a text that is still being written, as a piece of the page. Nothing is kept."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        abort(409)
    post = _post(game, seat, text_given())
    params = acknowledgement_params(_looked_at(post), me().words)
    parts = [part(me().words, "mail/acknowledgement.j2", name, params) for name in ("found", "changed", "comes")]
    if post.asked != (game.line, game.stage_key):
        closed = me().words.gettext("That stage has closed meanwhile: what you send from this form is late.")
        parts.insert(0, Markup('<p class="due">{}</p>').format(closed))
    return Response("".join(parts), content_type="text/html; charset=utf-8")


@routes.post("/games/<code>/ready")
@signed_in
def ready(code: str) -> ResponseReturnValue:
    """Says that the game need not wait for this seat, or that it shall."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{code}", "no_orders_now")
    said = "ready" if request.form.get("act") == "ready" else "not ready"
    taken = submit_in_turn(service(), _post(game, seat, said)).acknowledgement
    if taken is not None and taken.outcome == "late":
        return back_to(f"/games/{code}", "stage_closed")
    if said == "ready":
        return back_to(f"/games/{code}", "ready")
    is_asked = taken is None or taken.awaited
    return back_to(f"/games/{code}", "not_ready" if is_asked else "not_ready_unasked")


@routes.post("/games/<code>/undo")
@signed_in
def undo(code: str) -> ResponseReturnValue:
    """Takes back what the seat has sent last."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{code}", "no_orders_now")
    return _submitted(game, seat, "undo")


def text_given() -> str:
    """The form's text. Aborts where it is too long."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        abort(413)
    return text


def _submitted(game: Game, seat: Seat, text: str) -> ResponseReturnValue:
    taken = submit_in_turn(service(), _post(game, seat, text))
    if taken.acknowledgement is None:
        if taken.duplicate:
            return back_to(f"/games/{game.code}", "counted_already")
        return not_taken(f"/games/{game.code}", "no_orders_now")
    told = taken.acknowledgement
    unused = "\n".join(each.text for each in told.problems)
    if unused and told.outcome in ("kept", "nothing"):
        return _answer(game, told, kept=True, **_again(game, seat, unused))
    return _answer(game, told, kept=True)


def _checked(game: Game, seat: Seat, text: str) -> ResponseReturnValue:
    told = _looked_at(replace(_post(game, seat, text), asked=None))
    form = _again(game, seat, text)
    return _answer(game, told, kept=False, closed=mark() != form["stage"], **form)


def _again(game: Game, seat: Seat, text: str) -> dict[str, Any]:
    """What a form to go on with has, with that text in it."""
    with service().reading() as reading:
        now = standing(reading, game, seat, me().words)
    return {"now_": now, "text": text, "stage": now.stage, "key": new_key(), "most": MAX_TEXT}


def _answer(game: Game, told: Acknowledgement, *, kept: bool, **form: Any) -> ResponseReturnValue:
    """The acknowledgement, as in a mail; with a form to go on with after a check, or where lines could not be used."""
    body: Markup = part(me().words, "mail/acknowledgement.j2", "body", acknowledgement_params(told, me().words))
    by_mail = told.outcome == "nothing" and bool(told.commands) and not told.done
    return page("answer", game=game, body=body, kept=kept, by_mail=by_mail, **{"now_": None, "closed": False, **form})


def _looked_at(post: Post) -> Acknowledgement:
    """What would be made of it, after all that the player had mailed before. Nothing is kept of it."""
    catch_up(service(), post.game_id, post.seat)
    return check(service(), post)


def _post(game: Game, seat: Seat, text: str) -> Post:
    """What the form says, received now."""
    assert game.id is not None
    given, _, stage_key = mark().partition("/")
    line = whole_number(given)
    if line is None or not stage_key:
        abort(400)
    key = blake2b(f"{request.form.get('key', '')[:MAX_MARK]}\n{text}".encode(), digest_size=16).hexdigest()
    return Post(
        game_id=game.id,
        seat=seat.number,
        text=text,
        source="page",
        key=f"page/{game.code}/{seat.number}/{key}",
        received=clock.now(),
        asked=(line, stage_key),
        generation=seat.generation,
    )


def mark() -> str:
    """Which stage the form was made for: what is sent after that has closed is late."""
    return request.form.get("stage", "")[:MAX_MARK]


def new_key() -> str:
    """What tells two forms apart; the same text from one form is one submission."""
    return secrets.token_urlsafe(12)
