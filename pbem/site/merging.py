"""Making one account of two of the same person."""

from sqlalchemy import update
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import main_address
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.rulings.authority import Actor
from pbem.site.holdings import hand_over, held
from pbem.site.record import MERGED, governor, put_on_record, subject
from pbem.storage.models import Account, Address, Game


def merge(service: Service, account_id: int, other_id: int, actor: Actor) -> None:
    """Give everything of the other account to the first, which keeps its name, its main address and its settings.

    Both are told, at the addresses that they had. Raises Refused `no_account`, `no_reason`, `long_reason`,
    `not_of_site`, `same_account`, `blocked` where one of them is, and `same_game` (with `game`) where both have or
    had a seat in one game: they are two players there, and would see each other's secrets.
    """
    with service.writing() as session:
        by = governor(session, actor)
        if account_id == other_id:
            raise Refused("same_account")
        kept, other = (subject(session, number) for number in sorted((account_id, other_id)))
        if kept.id != account_id:
            kept, other = other, kept
        for account in (kept, other):
            if account.blocked is not None:
                raise Refused("blocked", name=account.name)
        shared = _shared(session, account_id, other_id)
        if shared is not None:
            raise Refused("same_game", game=shared)
        before = (main_address(session, account_id), main_address(session, other_id))
        session.connection().execute(update(Address).where(col(Address.account_id) == other_id).values(main=False))
        hand_over(session, other_id, account_id)
        kept.moderator = kept.moderator or other.moderator
        empty(other)
        session.add_all([kept, other])
        put_on_record(session, by, actor, MERGED, kept, {"other": other_id})
        for address in before:
            _tell(service, session, kept, address, before[0])


def empty(account: Account) -> None:
    """Take all that is a person's out of the row; who had signed in is signed in no more."""
    account.name, account.language, account.zone, account.moderator = "", "en", "UTC", False
    account.mails, account.mails_at, account.quiet_from, account.quiet_to = "each", 480, 0, 0
    account.remind_hours, account.calendar, account.feed = 0, False, account.feed + 1
    account.generation += 1
    account.blocked, account.deleted = None, clock.now()


def _shared(session: Session, one: int, other: int) -> str | None:
    """The code of a game in which both have a seat, or had one."""
    both = {each.game_id for each in held(session, one)} & {each.game_id for each in held(session, other)}
    query = select(Game.code).where(col(Game.id).in_(both), col(Game.status) != "cancelled").order_by(col(Game.id))
    return session.exec(query.limit(1)).first()


def _tell(service: Service, session: Session, account: Account, address: str, main: str) -> None:
    to = Recipient.of(account, address)
    params = {
        "player": account.name,
        "what": "merged",
        "address": main,
        "url": f"{service.settings.url}/account",
    }
    key = f"addresses/merged/{account.id}/{clock.now().isoformat()}/{address}"
    envelope, made = Envelope("addresses", key, Purpose.NOTICE), compose("addresses", to.words, params)
    put(session, finish(service, envelope, to, made))
