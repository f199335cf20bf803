"""Personal tokens: keys with which a person's own programs read, or play, by the API as the person does on pages."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import main_address
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.storage.models import Account, ApiToken, Letter

READ, PLAY = "read", "play"
SCOPES = (READ, PLAY)
"""What a token is good for: `play` is for all that `read` is for, and for sending."""
SIGN = "pbem_"
"""What every token begins with, so that it is known where it got out."""
MOST = 20
"""Tokens of one account."""
MAX_NAME = 60
USED_EVERY = timedelta(minutes=1)
"""How exactly the last use is kept: not each is worth a write."""


@dataclass(frozen=True)
class Bearer:
    """Whom a token stands for, and what it is good for."""

    account: Account
    scope: str


def make_token(service: Service, account_id: int, name: str, scope: str) -> str:
    """A new token, which is shown this once: its hash alone is kept. It has 256 random bits. A letter tells of it.

    Raises Refused `no_account`, `bad_scope`, `token_name`, `token_taken`, `too_many_tokens`.
    """
    if scope not in SCOPES:
        raise Refused("bad_scope", given=scope, known=", ".join(SCOPES))
    name = _named(name)
    secret = SIGN + secrets.token_urlsafe(32)
    token = ApiToken(account_id=account_id, name=name, scope=scope, digest=_digest(secret), created=clock.now())
    with service.reading() as session:
        owner = session.get(Account, account_id)
        if owner is None or owner.deleted is not None:
            raise Refused("no_account")
        letter = _letter(service, session, token, "made")
    with service.writing() as session:
        account = session.get(Account, account_id, with_for_update=True)
        if account is None or account.deleted is not None:
            raise Refused("no_account")
        names = [each.name for each in tokens_of(session, account_id)]
        if name in names:
            raise Refused("token_taken", name=name)
        if len(names) >= MOST:
            raise Refused("too_many_tokens", most=MOST)
        session.add(token)
        put(session, letter)
    return secret


def tokens_of(session: Session, account_id: int) -> Sequence[ApiToken]:
    """The tokens of an account, oldest first."""
    mine = select(ApiToken).where(col(ApiToken.account_id) == account_id)
    return session.exec(mine.order_by(col(ApiToken.id))).all()


def revoke_token(service: Service, account_id: int, name: str) -> None:
    """Make a token void at once, as its owner. Raises Refused `no_token`."""
    with service.writing() as session:
        session.delete(_own(session, account_id, name))


def revoke_for(service: Service, account_id: int, name: str) -> None:
    """Make somebody's token void at once, as the operator: a letter tells its owner. Raises Refused `no_token`."""
    with service.reading() as session:
        letter = _letter(service, session, _own(session, account_id, name), "revoked")
    with service.writing() as session:
        session.delete(_own(session, account_id, name))
        put(session, letter)


def _own(session: Session, account_id: int, name: str) -> ApiToken:
    mine = col(ApiToken.account_id) == account_id, col(ApiToken.name) == name
    found = session.exec(select(ApiToken).where(*mine)).one_or_none()
    if found is None:
        raise Refused("no_token", name=name)
    return found


def _letter(service: Service, session: Session, token: ApiToken, what: str) -> Letter:
    to = Recipient.of(session.get_one(Account, token.account_id), main_address(session, token.account_id))
    params = {
        "player": to.name,
        "what": what,
        "token": token.name,
        "scope": token.scope,
        "url": f"{service.settings.url}/account#tokens",
    }
    envelope = Envelope("token", f"token/{what}/{sha256(token.digest).hexdigest()[:32]}", Purpose.NOTICE)
    return finish(service, envelope, to, compose("token", to.words, params))


def bearer(service: Service, secret: str) -> Bearer | None:
    """Who a token stands for; None for one that is none, is void, or is of an account that may not come in."""
    if not secret.startswith(SIGN):
        return None
    query = select(ApiToken, Account).join(Account, col(Account.id) == col(ApiToken.account_id))
    with service.reading() as session:
        found = session.exec(query.where(col(ApiToken.digest) == _digest(secret))).one_or_none()
    if found is None:
        return None
    token, account = found
    if account.blocked is not None or account.deleted is not None:
        return None
    _note_use(service, token)
    return Bearer(account, token.scope)


def _note_use(service: Service, token: ApiToken) -> None:
    now = clock.now()
    if token.used is not None and token.used > now - USED_EVERY:
        return
    with service.writing() as session:
        row = session.get(ApiToken, token.id)
        if row is not None:  # else it was revoked meanwhile
            row.used = now
            session.add(row)


def _named(name: str) -> str:
    """A name as it is kept. Raises Refused `token_name`."""
    name = " ".join("".join(each if each.isprintable() else " " for each in name).split())
    if not 1 <= len(name) <= MAX_NAME:
        raise Refused("token_name", most=MAX_NAME)
    return name


def _digest(secret: str) -> bytes:
    """A hash without salt is enough: the secret can't be guessed."""
    return sha256(secret.encode("utf-8", "replace")).digest()
