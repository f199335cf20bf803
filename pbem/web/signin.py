"""Signing in by a link in a mail. What is said does not depend on whether an address is known."""

from datetime import timedelta
from hashlib import sha256

from flask import Blueprint, redirect, request, session
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, func, select

from pbem import clock
from pbem.accounts import INVITED, SIGN_IN, account_of, main_address, make_link, peek_link, use_link
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.storage.models import Account, SignInLink
from pbem.web.pages import WHO, back_to, page, safe_next, service, visitor
from pbem.words import Words

routes = Blueprint("signin", __name__)

SIGNS_IN = (SIGN_IN, INVITED)
LINKS_AN_HOUR = 6
"""Links an hour for one account: whoever asks for more is told the same and gets none."""
MAX_ADDRESS = 254


@routes.get("/sign-in")
def ask() -> ResponseReturnValue:
    """Asks for an address."""
    target = safe_next(request.args.get("next", "/"))
    return redirect(target) if visitor() else page("signin", next=target, void=False)


@routes.post("/sign-in")
def send() -> ResponseReturnValue:
    """Sends a link where there is an account, and says the same everywhere."""
    address = request.form.get("address", "")[:MAX_ADDRESS]
    send_link(service(), address, safe_next(request.form.get("next", "/")))
    return redirect("/sign-in/sent", 303)


@routes.get("/sign-in/sent")
def sent() -> ResponseReturnValue:
    """What to do now."""
    return page("sent", minutes=service().settings.link_minutes)


@routes.get("/sign-in/<secret>")
def confirm(secret: str) -> ResponseReturnValue:
    """A button: following the link changes nothing, for mail scanners follow links."""
    try:
        link = peek_link(service(), secret)
    except Refused:
        return _void()
    if link.purpose not in SIGNS_IN:
        return _void()
    with service().reading() as reading:
        account = reading.get(Account, link.account_id)
    assert account is not None
    return page("confirm", secret=secret, player=account.name)


@routes.post("/sign-in/<secret>")
def use(secret: str) -> ResponseReturnValue:
    """Uses the link up and begins a session."""
    try:
        if peek_link(service(), secret).purpose not in SIGNS_IN:
            return _void()
        with service().writing() as writing:
            link = use_link(writing, secret)
    except Refused:
        return _void()
    with service().reading() as reading:
        account = reading.get(Account, link.account_id)
    if account is None or account.blocked is not None:
        return _void()
    session.clear()
    session.permanent = True
    session[WHO] = [account.id, account.generation]
    return redirect(safe_next(link.target), 303)


@routes.post("/sign-out")
def leave() -> ResponseReturnValue:
    """Ends this session."""
    session.clear()
    return back_to("/sign-in", "signed_out")


def send_link(to: Service, address: str, target: str) -> None:
    """A letter with a link to the account that has the address; nothing for any other."""
    with to.reading() as reading:
        account = account_of(reading, address)
        if (
            account is None
            or account.id is None
            or account.blocked is not None
            or _links(reading, account.id) >= LINKS_AN_HOUR
        ):
            return
        recipient = Recipient.of(account, main_address(reading, account.id))
    minutes = to.settings.link_minutes
    with to.writing() as writing:
        secret = make_link(to, writing, account.id, target=target)
        params = {"url": f"{to.settings.url}/sign-in/{secret}", "minutes": minutes, "player": account.name}
        envelope = Envelope("signin", f"signin/{sha256(secret.encode()).hexdigest()[:32]}", Purpose.NOTICE)
        put(writing, finish(to, envelope, recipient, compose("signin", _words(account), params)))


def _links(reading: Session, account_id: int) -> int:
    since = clock.now() - timedelta(hours=1)
    query = select(func.count(col(SignInLink.id))).where(
        col(SignInLink.account_id) == account_id, col(SignInLink.purpose) == SIGN_IN, col(SignInLink.created) > since
    )
    return reading.exec(query).one()


def _words(account: Account) -> Words:
    return Words.of(account.language, account.zone)


def _void() -> ResponseReturnValue:
    return page("signin", 410, next="/", void=True)
