"""A person's own word that their data is to be deleted: asked for on a page, confirmed from where their letters go."""

from datetime import timedelta
from hashlib import sha256

from sqlmodel import col, func, select

from pbem import clock
from pbem.accounts import main_address, new_link, peek_link
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.site.deleting import delete_own
from pbem.storage.models import Account, SignInLink

LEAVES = "delete-account"
"""The purpose of a link that deletes."""
LEAVE_WITHIN = timedelta(hours=24)
ASKED_A_DAY = 3


def ask_to_leave(service: Service, account_id: int) -> None:
    """Send a link by which the account is deleted. Nothing is changed yet. Raises Refused `too_many`."""
    now = clock.now()
    with service.reading() as session:
        account = session.get_one(Account, account_id)
        asked = col(SignInLink.purpose) == LEAVES, col(SignInLink.created) > now - timedelta(days=1)
        mine = select(func.count()).where(col(SignInLink.account_id) == account_id, *asked)
        if session.exec(mine).one() >= ASKED_A_DAY:
            raise Refused("too_many")
        to = Recipient.of(account, main_address(session, account_id))
    secret, link = new_link(account_id, LEAVES, "", LEAVE_WITHIN)
    params = {
        "player": account.name,
        "url": f"{service.settings.url}/leave/{secret}",
        "hours": LEAVE_WITHIN // timedelta(hours=1),
    }
    envelope = Envelope("leaving", f"leaving/{sha256(link.digest).hexdigest()[:32]}", Purpose.NOTICE)
    letter = finish(service, envelope, to, compose("leaving", to.words, params))
    with service.writing() as session:
        session.add(link)
        put(session, letter)


def leaving(service: Service, secret: str) -> SignInLink:
    """The link, unused. Raises Refused `link_void`."""
    link = peek_link(service, secret)
    if link.purpose != LEAVES:
        raise Refused("link_void")
    return link


def leave(service: Service, secret: str) -> None:
    """Delete the account that the link is for, and the link with it. Raises Refused `link_void`, `no_account`."""
    delete_own(service, leaving(service, secret).account_id)
