"""Blocking an account: no way in by page or mail, while its seats stay its own."""

from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.leading import is_masked
from pbem.games.names import Names
from pbem.games.notices import compose, overseers, thread
from pbem.games.position import LEFT
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.rulings.authority import Actor, plays
from pbem.site.record import BLOCKED, UNBLOCKED, governor, not_oneself, put_on_record, subject
from pbem.storage.models import Account, Game, Letter, Seat


def block(service: Service, account_id: int, actor: Actor) -> None:
    """End its sessions and take nothing from it any more; who leads its games is told.

    Raises Refused `no_account`, `no_reason`, `long_reason`, `not_of_site`, `own_account`, `blocked_already`.
    """
    with service.writing() as session:
        by, account = governor(session, actor), subject(session, account_id)
        not_oneself(by, account)
        if account.blocked is not None:
            raise Refused("blocked_already")
        account.blocked = clock.now()
        account.generation += 1
        session.add(account)
        put_on_record(session, by, actor, BLOCKED, account, {})
        put(session, *_letters(service, session, account, actor.reason))


def unblock(service: Service, account_id: int, actor: Actor) -> None:
    """Let it in again; who leads its games is told. Raises as `block`, and Refused `not_blocked`."""
    with service.writing() as session:
        by, account = governor(session, actor), subject(session, account_id)
        if account.blocked is None:
            raise Refused("not_blocked")
        account.blocked = None
        session.add(account)
        put_on_record(session, by, actor, UNBLOCKED, account, {})
        put(session, *_letters(service, session, account, actor.reason))


def _name(session: Session, game: Game, account: Account, to: Recipient) -> str:
    """The player's name, unless the reader plays in the game as well and may not know it yet."""
    reader = session.get(Account, to.account_id) if to.account_id is not None else None
    return to.words.gettext("a player") if is_masked(game) and plays(session, game, reader) else account.name


def _letters(service: Service, session: Session, account: Account, reason: str) -> list[Letter]:
    """To whoever leads the games in which the account has a seat and that are not over."""
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Seat.account_id) == account.id, col(Seat.resigned).is_(None))
        .where(col(Game.status).not_in(LEFT))
    ).all()
    made = []
    for game, seat in rows:
        for to in overseers(service, session, game):
            if to.account_id == account.id:
                continue
            params = {
                "title": game.title,
                "side": Names(game, to.words).seat(seat),
                "player": _name(session, game, account, to),
                "blocked": account.blocked is not None,
                "reason": reason.strip(),
            }
            key = f"blockedseat/{game.code}/{seat.number}/{clock.now().isoformat()}/{to.address}"
            envelope = Envelope("blockedseat", key, Purpose.NOTICE, game, thread(game))
            made.append(finish(service, envelope, to, compose("blockedseat", to.words, params)))
    return made
