"""Games that do not come together: when nobody has come for long enough they are called off, and all are told."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import main_address
from pbem.context import Service
from pbem.games.notices import compose, overseers, readers, thread
from pbem.games.policy import policy_of
from pbem.games.position import players_of, seat_rows
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.storage.models import Account, Game, Letter, Standby
from pbem.storage.sessions import locked_game


def called_off_at(session: Session, game: Game) -> datetime | None:
    """When the game is called off, if nobody comes until then; None for one that has begun, or begins on a date."""
    days = policy_of(game).gather_days
    if game.status != "inviting" or game.id is None or game.starts_at is not None or not days:
        return None
    moments = [moment for seat in seat_rows(session, game.id) for moment in (seat.invited, seat.joined)]
    return max(filter(None, [game.created, *moments])) + timedelta(days=days)


def call_off_if_due(service: Service, game_id: int) -> bool:
    """Call the game off where its time has come; whether it was."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        at = called_off_at(session, game)
        if at is None or at > clock.now():
            return False
        letters = _letters(service, session, game)
    with service.writing() as session:
        now = locked_game(session, game_id)
        if now.version == game.version:
            now.status, now.ended = "cancelled", clock.now()
            now.version += 1
            session.add(now)
            put(session, *letters)
    return True


def _letters(service: Service, session: Session, game: Game) -> list[Letter]:
    """To all who have a seat, are invited to one, wait for one, or lead the game: one to each."""
    assert game.id is not None
    waiting = session.exec(select(Standby.account_id).where(col(Standby.game_id) == game.id))
    told = {to.address: to for to in (*overseers(service, session, game), *readers(players_of(session, game.id)))}
    for number in waiting:
        to = Recipient.of(session.get_one(Account, number), main_address(session, number))
        told.setdefault(to.address, to)
    letters = []
    for to in told.values():
        envelope = Envelope("ungathered", f"ungathered/{game.code}/{to.address}", Purpose.NOTICE, game, thread(game))
        params = {"title": game.title, "days": policy_of(game).gather_days}
        letters.append(finish(service, envelope, to, compose("ungathered", to.words, params)))
    return letters
