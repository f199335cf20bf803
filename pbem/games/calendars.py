"""Deadlines as calendars have them: a private feed of all that a player has to meet, and invitations for one by one.

An event keeps its UID for as long as its seat has its player: the next deadline moves it, with a higher SEQUENCE.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from hmac import compare_digest

from sqlmodel import Session, col, select

from engine.numerals import whole_number
from pbem.context import Service
from pbem.storage.models import Account, Game, Seat

REQUEST, CANCEL = "REQUEST", "CANCEL"


@dataclass(frozen=True)
class Due:
    """A deadline of a seat's, with the number by which a later version of it is told from an earlier one."""

    game: Game
    seat: Seat
    at: datetime
    sequence: int


def feed_url(service: Service, account: Account) -> str:
    """The private address of an account's feed."""
    assert account.id is not None
    made = _token(service.identity.keys[0], account.id, account.feed)
    return f"{service.settings.url}/calendar/{account.id}-{made}.ics"


def renew_feed(service: Service, account_id: int) -> None:
    """Make the present address void: from now on there is another."""
    with service.writing() as session:
        account = session.get_one(Account, account_id, with_for_update=True)
        account.feed += 1
        session.add(account)


def feed(service: Service, session: Session, token: str) -> bytes | None:
    """The calendar at that address; None where it is none of ours, or void."""
    given, _, mac = token.partition("-")
    number = whole_number(given)
    account = session.get(Account, number) if number is not None else None
    if account is None or account.id is None or account.blocked is not None:
        return None
    right = [_token(key, account.id, account.feed) for key in service.identity.keys]
    if not mac.isascii() or not any(compare_digest(each, mac) for each in right):
        return None
    from pbem.games.calendarfiles import published  # noqa: PLC0415 - see there

    return published(service, account, _open(session, account.id))


def _open(session: Session, account_id: int) -> list[Due]:
    """The open deadlines of an account's games, the earliest first."""
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(
            col(Seat.account_id) == account_id,
            col(Seat.joined).is_not(None),
            col(Seat.resigned).is_(None),
            col(Game.status) == "playing",
            col(Game.aside).is_(False),
        )
        .order_by(col(Game.deadline), col(Game.id), col(Seat.number))
    )
    return [Due(game, seat, game.deadline, game.sequence) for game, seat in rows if game.deadline is not None]


def _token(key: bytes, account_id: int, number: int) -> str:
    """32 hexadecimal digits that nobody can make who does not have the key."""
    said = f"{account_id}/{number}".encode()
    return blake2b(said, key=key[:64], digest_size=16, person=b"pbem feed").hexdigest()
