"""Offers of seats as time goes on: one that is not answered lapses, and a seat that is nobody's goes to the next.

What is owed follows from the rows; the sweep comes by at the game's `tend_at` (`pbem.games.tending`).
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import DECLINED, main_address, never_again
from pbem.context import Service, nudge
from pbem.door import TEND
from pbem.errors import Refused
from pbem.games.inbox import mark_read
from pbem.games.position import Player, game_row, holds, position, seat_rows
from pbem.games.standbys import (
    Offer,
    check_newcomer,
    lapsed_letters,
    offer_letter,
    offered_to,
    put_offer,
    take_back,
    turned_down_letters,
)
from pbem.letters import put
from pbem.mail.letters import is_sendable
from pbem.storage.models import Account, Game, Seat, Standby
from pbem.storage.sessions import locked_game


def is_vacant(seat: Seat) -> bool:
    """Whether a seat of a running game may go to whoever waits for one: nobody holds it, nor a planned stand-in."""
    return not holds(seat) and (seat.resigned is not None or not seat.standin)


def next_lapse(service: Service, session: Session, game: Game) -> datetime | None:
    """When the oldest offer of the game lapses."""
    first = select(Standby.asked).where(col(Standby.game_id) == game.id, col(Standby.seat).is_not(None))
    asked = session.exec(first.order_by(col(Standby.asked)).limit(1)).first()
    return asked + timedelta(hours=service.settings.offer_hours) if asked is not None else None


def lapse_one(service: Service, game_id: int) -> bool:
    """End an offer that nobody has answered for too long, and say so; whether there was one."""
    before = clock.now() - timedelta(hours=service.settings.offer_hours)
    late = (
        select(Standby)
        .where(col(Standby.game_id) == game_id, col(Standby.seat).is_not(None), col(Standby.asked) <= before)
        .order_by(col(Standby.id))
        .limit(1)
    )
    with service.reading() as session:
        game, row = session.get_one(Game, game_id), session.exec(late).first()
        if row is None:
            return False
        letters = lapsed_letters(service, session, game, row)
    with service.writing() as session:
        locked_game(session, game_id)
        again = session.get(Standby, row.id)
        if again is not None and (again.seat, again.asked) == (row.seat, row.asked):
            # Who did not answer does not hold up those behind: it is not offered to them again.
            again.waits = False
            take_back(session, again)
            put(session, *letters)
    return True


def offer_next(service: Service, game_id: int) -> bool:
    """Offer a seat that is nobody's to the first who waits for it and can be asked; whether it was."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        found = _next(session, game) if game.status == "playing" and not game.aside and game.next_entry else None
        if found is None:
            return False
        row, seat = found
        account = session.get_one(Account, row.account_id)
        player = Player(account, main_address(session, row.account_id))
        host = session.get(Account, game.moderator_id) if game.moderator_id is not None else None
        name = host.name if host is not None else service.settings.sender_name
        offer = Offer(seat.number, player, name)
        written = offer_letter(service, position(session, game_id), offer)
    with service.writing() as session:
        now = locked_game(session, game_id)
        if now.version == game.version and session.get(Standby, row.id) is not None:
            put_offer(session, now, offer, written)
            now.version += 1
            session.add(now)
    return True


def decline_offer(service: Service, game_id: int, account_id: int, inbound_id: int | None = None) -> None:
    """Leave an offered seat to others. Raises Refused `offer_gone`."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        row = offered_to(session, game_id, account_id)
        letters = turned_down_letters(service, session, game, row, lapsed=False)
        address = main_address(session, account_id)
    with service.writing() as session:
        game = locked_game(session, game_id)
        again = offered_to(session, game_id, account_id)
        mark_read(session, inbound_id)
        if not again.waits:
            never_again(session, address, DECLINED)  # asked unbidden, as by an invitation
        session.delete(again)
        game.tend_at = clock.now()
        session.add(game)
        put(session, *letters)
        nudge(session, TEND, game_id)


def _next(session: Session, game: Game) -> tuple[Standby, Seat] | None:
    """Who waits longest, and the seat that they may have."""
    assert game.id is not None
    rows = session.exec(select(Standby).where(col(Standby.game_id) == game.id).order_by(col(Standby.id))).all()
    offered = {row.seat for row in rows}
    vacant = [seat for seat in seat_rows(session, game.id) if is_vacant(seat) and seat.number not in offered]
    for row in rows:
        for seat in vacant:
            if row.waits and row.seat is None and row.wish in (None, seat.number) and _may(session, game, row, seat):
                return row, seat
    return None


def _may(session: Session, game: Game, row: Standby, seat: Seat) -> bool:
    try:
        check_newcomer(session, game, seat.number, session.get_one(Account, row.account_id))
    except Refused:
        return False
    return is_sendable(main_address(session, row.account_id))


def offer_of(session: Session, code: str, account_id: int) -> tuple[Game, Standby]:
    """The game of that code and what the account is offered in it. Raises Refused `no_game`, `offer_gone`."""
    game = game_row(session, code)
    assert game.id is not None
    return game, offered_to(session, game.id, account_id)
