"""Accounts, their addresses, and links by mail to sign in with."""

import secrets
from datetime import timedelta
from hashlib import sha256

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.mail.addresses import canonical
from pbem.mail.letters import sendable
from pbem.persontext import one_line
from pbem.storage.models import Account, Address, SignInLink, Unwanted
from pbem.storage.sessions import columns
from pbem.words import Words

MAX_NAME = 60
"""Characters of a person's name: it stands in letters and lists beside others."""


def normal(address: str) -> str:
    """An address as it is kept. Raises Refused `bad_address`."""
    address = canonical(address)
    try:
        sendable(address)
    except ValueError as error:
        raise Refused("bad_address", given=address[:60]) from error
    return address


def account_of(session: Session, address: str) -> Account | None:
    """The account that has the address."""
    return session.exec(select(Account).join(Address).where(col(Address.address) == canonical(address))).one_or_none()


def ensure_account(session: Session, settings_language: str, settings_zone: str, address: str, name: str) -> Account:
    """The account that has the address, made where there is none. Raises Refused `bad_address`, `long_name`."""
    address = normal(address)
    found = account_of(session, address)
    if found is not None:
        return found
    name = one_line(name)
    if len(name) > MAX_NAME:
        raise Refused("long_name", given=len(name), most=MAX_NAME)
    account = Account(
        name=name or address.partition("@")[0][:MAX_NAME],
        language=settings_language,
        zone=settings_zone,
        created=clock.now(),
    )
    session.add(account)
    session.flush()
    assert account.id is not None
    session.add(Address(account_id=account.id, address=address, created=clock.now()))
    session.flush()
    return account


def main_address(session: Session, account_id: int) -> str:
    """Where an account's letters go."""
    return session.exec(
        select(Address.address)
        .where(col(Address.account_id) == account_id)
        .order_by(col(Address.main).desc(), col(Address.id))
        .limit(1)
    ).one()


_ADDRESSES = select(Address.address).where(col(Address.account_id) == bindparam("account"))


def addresses(session: Session, account_id: int) -> frozenset[str]:
    """All addresses of an account: a mail from any of them is the player's."""
    return frozenset(columns(session, _ADDRESSES, {"account": account_id}).scalars())


DECLINED = "declined"
"""Why an address is not invited any more."""


def never_again(session: Session, address: str, why: str) -> None:
    """Remember that an address is not to be invited any more; `why`: declined, complained."""
    if session.get(Unwanted, address) is None:
        session.add(Unwanted(address=address, why=why, at=clock.now()))


def invite_again(service: Service, address: str) -> bool:
    """Forget that an address is not to be invited; whether it was so."""
    with service.writing() as session:
        found = session.get(Unwanted, canonical(address))
        if found is not None:
            session.delete(found)
    return found is not None


def check_wanted(session: Session, address: str) -> None:
    """Raises Refused `unwanted` for an address that is not to be invited any more, `blocked` for that of a blocked
    account."""
    if session.get(Unwanted, canonical(address)) is not None:
        raise Refused("unwanted", address=canonical(address))
    account = account_of(session, address)
    if account is not None and account.blocked is not None:
        raise Refused("blocked", name=account.name)


def create_account(service: Service, address: str, name: str = "", *, moderator: bool = False) -> int:
    """An account for the address; an account that has it already is left as it is, but may become moderator."""
    with service.writing() as session:
        account = ensure_account(session, service.settings.language, service.settings.time_zone, address, name)
        account.moderator = account.moderator or moderator
        session.add(account)
        assert account.id is not None
        return account.id


def change_account(service: Service, account_id: int, *, name: str, language: str, zone: str) -> None:
    """Name, language and time zone. Raises Refused `bad_language`, `bad_zone`, `no_account`."""
    try:
        Words.of(language, zone)
    except LookupError as error:
        raise Refused("bad_language" if "Zone" not in type(error).__name__ else "bad_zone") from error
    except ValueError as error:
        raise Refused("bad_zone") from error
    with service.writing() as session:
        account = session.get(Account, account_id)
        if account is None:
            raise Refused("no_account")
        account.name, account.language, account.zone = one_line(name) or account.name, language, zone
        session.add(account)


def end_sessions(service: Service, account_id: int) -> None:
    """End all web sessions of the account. Raises Refused `no_account`."""
    with service.writing() as session:
        account = session.get(Account, account_id, with_for_update=True)
        if account is None:
            raise Refused("no_account")
        account.generation += 1
        session.add(account)


SIGN_IN = "sign-in"
"""The purpose of a link that was asked for to sign in."""
INVITED = "invited"
"""The purpose of a link in an invitation: it signs in too, and leads to the seat."""
INVITED_FOR = timedelta(days=30)
"""How long the link in an invitation can be used: as long as a game may gather."""


def make_link(service: Service, session: Session, account_id: int, *, purpose: str = SIGN_IN, target: str = "") -> str:
    """A new link's secret, for use once within the settings' minutes; only its hash is kept."""
    secret, link = new_link(account_id, purpose, target, timedelta(minutes=service.settings.link_minutes))
    session.add(link)
    return secret


def new_link(account_id: int, purpose: str, target: str, lasts: timedelta) -> tuple[str, SignInLink]:
    """A link's secret and its row, which is to be stored; the row holds only the secret's hash."""
    secret = secrets.token_urlsafe(24)
    now = clock.now()
    row = SignInLink(
        digest=_digest(secret), account_id=account_id, purpose=purpose, target=target, created=now, expires=now + lasts
    )
    return secret, row


def peek_link(service: Service, secret: str) -> SignInLink:
    """What an unused link is for, without using it up. Raises Refused `link_void`."""
    with service.reading() as session:
        link = session.exec(select(SignInLink).where(col(SignInLink.digest) == _digest(secret))).one_or_none()
    if link is None or link.used is not None or link.expires < clock.now():
        raise Refused("link_void")
    return link


def use_link(session: Session, secret: str) -> SignInLink:
    """Use a link up, in the transaction of what it is for: once it is used, nobody would do that any more.

    Raises Refused `link_void` for one that is used, expired or made up.
    """
    link = session.exec(
        select(SignInLink).where(col(SignInLink.digest) == _digest(secret)).with_for_update()
    ).one_or_none()
    if link is None or link.used is not None or link.expires < clock.now():
        raise Refused("link_void")
    link.used = clock.now()
    session.add(link)
    return link


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
