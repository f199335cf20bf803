"""Mails that a provider posts to us. Each way is closed until its secret is configured, and all store the raw mail."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any

import structlog
from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from sqlalchemy import delete
from sqlmodel import Session, col

from engine.numerals import whole_number
from pbem import clock
from pbem.mail.intake import Arrived, Beside, plain, take_in
from pbem.storage.models import Setting
from pbem.web.pages import service

log = structlog.get_logger()
routes = Blueprint("hooks", __name__, url_prefix="/hooks")

MOST_RECIPIENTS = 100
FRESH = timedelta(minutes=15)
"""How far the time of a signature may be from ours."""
_USED = "mailgun/"
_NOT_ACCEPTABLE = 406
"""Mailgun does not try again after it."""


class _Replayed(Exception):
    """The signature was used before."""


def _room(view: Callable[[], ResponseReturnValue]) -> Callable[[], ResponseReturnValue]:
    """A mail may be as long as the settings say, and half as long again where it is coded as JSON or a form."""

    @wraps(view)
    def roomy() -> ResponseReturnValue:
        most = service().settings.max_message_bytes * 3 // 2 + 100_000
        request.max_content_length = request.max_form_memory_size = most
        return view()

    return roomy


@routes.post("/postmark")
@_room
def postmark() -> ResponseReturnValue:
    """Postmark's inbound webhook, with the raw mail in its JSON. The login stands in the address that it is given."""
    _asks_for(service().settings.postmark_login, _basic())
    said: Any = request.get_json(silent=True)
    raw = said.get("RawEmail") if isinstance(said, dict) else None
    if not isinstance(raw, str) or not raw:
        return "There is no RawEmail: let Postmark include the raw mail in its JSON.", 422
    recipient = said.get("OriginalRecipient")
    to = (recipient,) if isinstance(recipient, str) else ()
    return _stored(_bytes_of(raw), "", to, "postmark")


def _bytes_of(raw: str) -> bytes:
    """A mail from JSON. Half a character, which JSON can hold and no mail, is no reason to lose the rest."""
    try:
        return raw.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return raw.encode("utf-8", "replace")


@routes.post("/mailgun")
@_room
def mailgun() -> ResponseReturnValue:
    """A route of Mailgun's that posts the raw mail: its address must end with `mime`, as this one's alias does."""
    key = service().settings.mailgun_key
    _asks_for(key, key)
    form = request.form
    stamp, token = form.get("timestamp", ""), form.get("token", "")[:200]
    signature = hmac.new(key.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest()
    if not token or not hmac.compare_digest(signature.encode(), form.get("signature", "").encode()):
        return "The signature is not right.", _NOT_ACCEPTABLE
    seconds = whole_number(stamp, 10)
    if seconds is None or abs(clock.now() - datetime.fromtimestamp(seconds, UTC)) > FRESH:
        return "The signature is too old.", _NOT_ACCEPTABLE
    raw = form.get("body-mime", "")
    if not raw:
        return "There is no body-mime: let the route's address end with mime.", _NOT_ACCEPTABLE
    to = tuple(form.get("recipient", "").split(","))
    try:
        return _stored(raw.encode("utf-8", "replace"), form.get("sender", ""), to, "mailgun", _once(token))
    except _Replayed:
        return "This was taken before.", _NOT_ACCEPTABLE


routes.add_url_rule("/mailgun/mime", "mailgun_mime", mailgun, methods=["POST"])


@routes.post("/raw")
@_room
def raw_mail() -> ResponseReturnValue:
    """A raw mail as the body, its recipients as `?to=`, its sender as `?from=`."""
    _asks_for(service().settings.hook_secret, request.headers.get("Authorization", "").removeprefix("Bearer "))
    raw = request.get_data(cache=False)
    if not raw:
        return "There is no mail in the body.", 422
    return _stored(raw, request.args.get("from", ""), tuple(request.args.getlist("to")), "raw")


def _asks_for(secret: str, given: str) -> None:
    """Not found where the way is closed; forbidden without its secret."""
    if not secret:
        abort(404)
    if not hmac.compare_digest(secret.encode(), given.encode("utf-8", "replace")):
        abort(403)


def _basic() -> str:
    kind, _, coded = request.headers.get("Authorization", "").partition(" ")
    try:
        return base64.b64decode(coded, validate=True).decode("utf-8", "replace") if kind.lower() == "basic" else ""
    except binascii.Error:
        return ""


def _once(token: str) -> Beside:
    """Writes down that a token was used, and forgets those that are too old to be used again."""
    name = _USED + hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()

    def write(session: Session) -> None:
        if session.get(Setting, name) is not None:
            raise _Replayed
        old = f"{(clock.now() - 2 * FRESH).timestamp():015.0f}"
        session.execute(delete(Setting).where(col(Setting.name).startswith(_USED), col(Setting.value) < old))
        session.add(Setting(name=name, value=f"{clock.now().timestamp():015.0f}"))

    return write


def _stored(
    raw: bytes, sender: str, to: tuple[str, ...], source: str, beside: Beside | None = None
) -> ResponseReturnValue:
    """Stored, or to be sent again."""
    if len(raw) > service().settings.max_message_bytes:
        return "The mail is too long.", 413
    mail = Arrived(raw, clock.now(), plain(sender), tuple(plain(each) for each in to if each)[:MOST_RECIPIENTS], source)
    try:
        take_in(service(), mail, beside)
    except _Replayed:
        raise
    except Exception as error:  # whatever it is: the provider keeps the mail and tries again
        log.error("mail_not_stored", source=source, kind=type(error).__name__)  # noqa: TRY400
        return "It could not be stored: try again.", 503
    return "stored", 200
