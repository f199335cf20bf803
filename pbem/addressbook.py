"""A player's addresses: added once whoever reads them has confirmed it, and which of them letters go to.

Where letters go is changed only with a word from where they went until now; each change is told there.
"""

from datetime import timedelta
from hashlib import sha256

from sqlmodel import Session, col, func, select

from pbem import clock
from pbem.accounts import account_of, main_address, new_link, normal, peek_link, use_link
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.inbox import mark_read
from pbem.games.notices import compose
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.addresses import canonical
from pbem.mail.identity import Purpose
from pbem.storage.models import Account, Address, Letter, SignInLink

ADDS, MOVES = "add-address", "main-address"
"""Purposes of links: to take in the address that the link went to, and to send letters to another."""
CONFIRM = "confirm-address"
"""The kind of letter that asks whether letters are to go elsewhere."""
ASKED_AN_HOUR = 6
MOST = 10
"""Addresses of one account."""
CONFIRM_FOR = timedelta(hours=48)


def ask_to_add(service: Service, account_id: int, address: str) -> None:
    """Send a link to the new address. Where it is somebody's already nothing is sent, and that is told to nobody.

    Raises Refused `bad_address`, `too_many`.
    """
    address = normal(address)
    with service.reading() as session:
        account = session.get_one(Account, account_id)
        if _count(session, account_id) >= MOST or _asked(session, account_id) >= ASKED_AN_HOUR:
            raise Refused("too_many")
        if account_of(session, address) is not None:
            return
    secret, link = new_link(account_id, ADDS, address, CONFIRM_FOR)
    to = Recipient.of(account, address)
    params = {"player": account.name, "url": f"{service.settings.url}/address/{secret}"}
    envelope = Envelope("newaddress", f"newaddress/{_short(link)}", Purpose.NOTICE)
    letter = finish(service, envelope, to, compose("newaddress", to.words, params))
    with service.writing() as session:
        session.add(link)
        put(session, letter)


def ask_to_move(service: Service, account_id: int, address: str) -> None:
    """Ask, where letters go now, whether they are to go to another address of the account.

    Raises Refused `no_address`, `too_many`.
    """
    with service.reading() as session:
        account = session.get_one(Account, account_id)
        if _own(session, account_id, address) is None:
            raise Refused("no_address")
        if _asked(session, account_id) >= ASKED_AN_HOUR:
            raise Refused("too_many")
        to = Recipient.of(account, main_address(session, account_id))
    secret, link = new_link(account_id, MOVES, address, CONFIRM_FOR)
    params = {
        "title": "",
        "action": "address",
        "what": address,
        "url": f"{service.settings.url}/address/{secret}",
        "hours": CONFIRM_FOR // timedelta(hours=1),
    }
    envelope = Envelope(CONFIRM, f"{CONFIRM}/{_short(link)}", Purpose.CONFIRMATION)
    letter = finish(service, envelope, to, compose("confirm", to.words, params))
    with service.writing() as session:
        session.add(link)
        put(session, letter)


def pending(service: Service, secret: str) -> SignInLink:
    """What an unused link of these would do. Raises Refused `link_void`."""
    link = peek_link(service, secret)
    if link.purpose not in (ADDS, MOVES):
        raise Refused("link_void")
    return link


def confirm(service: Service, secret: str) -> None:
    """Do what the link was for, once. Raises Refused `link_void`."""
    pending(service, secret)
    with service.writing() as session:
        _do(service, session, use_link(session, secret))


def confirm_by_mail(service: Service, letter: Letter, inbound_id: int) -> None:
    """The same for the letter that asked, by the mail of that number. Raises Refused `link_void`."""
    now = clock.now()
    with service.writing() as session:
        links = session.exec(
            select(SignInLink)
            .where(col(SignInLink.account_id) == letter.account_id, col(SignInLink.purpose) == MOVES)
            .with_for_update()
        ).all()
        link = next((each for each in links if letter.key == f"{CONFIRM}/{_short(each)}"), None)
        if link is None or link.used is not None or link.expires < now:
            raise Refused("link_void")
        link.used = now
        session.add(link)
        mark_read(session, inbound_id)
        _do(service, session, link)


def remove(service: Service, account_id: int, address: str) -> None:
    """Take an address off the account. Raises Refused `no_address`, also for the one that letters go to."""
    with service.writing() as session:
        found = _own(session, account_id, address)
        if found is None or found.address == main_address(session, account_id):
            raise Refused("no_address")
        session.delete(found)
        _tell(service, session, account_id, main_address(session, account_id), "removed", address)


def _do(service: Service, session: Session, link: SignInLink) -> None:
    before = main_address(session, link.account_id)
    if link.purpose == ADDS:
        if account_of(session, link.target) is not None or _count(session, link.account_id) >= MOST:
            raise Refused("link_void")
        row = Address(account_id=link.account_id, address=link.target, main=False, created=clock.now())
        session.add(row)
        _tell(service, session, link.account_id, before, "added", link.target)
        return
    if _own(session, link.account_id, link.target) is None:
        raise Refused("link_void")
    for each in session.exec(select(Address).where(col(Address.account_id) == link.account_id)):
        each.main = each.address == link.target
        session.add(each)
    for address in (before, link.target):
        _tell(service, session, link.account_id, address, "moved", link.target)


def _tell(service: Service, session: Session, account_id: int, to: str, what: str, address: str) -> None:
    recipient = Recipient.of(session.get_one(Account, account_id), to)
    params = {"player": recipient.name, "what": what, "address": address, "url": f"{service.settings.url}/account"}
    mark = sha256(f"{to}/{what}/{address}/{clock.now().isoformat()}".encode()).hexdigest()[:32]
    envelope = Envelope("addresses", f"addresses/{mark}", Purpose.NOTICE)
    made = compose("addresses", recipient.words, params)
    put(session, finish(service, envelope, recipient, made))


def _own(session: Session, account_id: int, address: str) -> Address | None:
    found = col(Address.account_id) == account_id, col(Address.address) == canonical(address)
    return session.exec(select(Address).where(*found)).one_or_none()


def _count(session: Session, account_id: int) -> int:
    return session.exec(select(func.count()).where(col(Address.account_id) == account_id)).one()


def _asked(session: Session, account_id: int) -> int:
    since = clock.now() - timedelta(hours=1)
    asked = col(SignInLink.purpose).in_((ADDS, MOVES)), col(SignInLink.created) > since
    return session.exec(select(func.count()).where(col(SignInLink.account_id) == account_id, *asked)).one()


def _short(link: SignInLink) -> str:
    return sha256(link.digest).hexdigest()[:32]
