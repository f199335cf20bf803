"""Who observes a game: whoever may and wants to, or whom its moderator invites; who plays in it does not."""

from itertools import pairwise
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select, update

from pbem import clock
from pbem.accounts import main_address
from pbem.context import Service, nudge
from pbem.door import OBSERVE
from pbem.errors import Refused
from pbem.games.inbox import mark_read
from pbem.games.policy import ANYBODY, NOBODY, OPEN, policy_of
from pbem.games.position import Player
from pbem.letters import put
from pbem.observing.horizon import letter_moments, moments
from pbem.observing.letters import BEGUN, Welcome, ended_letter, welcome_letter, withdraw
from pbem.storage.models import Account, Game, Observer, Seat, Standby
from pbem.storage.sessions import locked_game

MOST = 200
"""Observers of one game."""
WATCHABLE = ("inviting", "starting", "playing")
"""States of a game that somebody may begin to observe."""


def is_for_all(game: Game) -> bool:
    """Whether everybody may observe the game, without being invited to."""
    wanted = policy_of(game).observers
    return game.status in WATCHABLE and (wanted == ANYBODY or (wanted == OPEN and bool(game.seating)))


def observer_of(session: Session, game_id: int, account_id: int) -> Observer | None:
    """What there is of an account and a game."""
    mine = col(Observer.game_id) == game_id, col(Observer.account_id) == account_id
    return session.exec(select(Observer).where(*mine)).one_or_none()


def observers_of(session: Session, game_id: int) -> list[tuple[Observer, str]]:
    """Who observes the game now, with their names, the longest first."""
    named = _named(game_id, col(Observer.since).is_not(None))
    return list(session.exec(named.order_by(col(Observer.since), col(Observer.id))))


def may_come(session: Session, game: Game, account_id: int) -> bool:
    """Whether the account may begin to observe the game."""
    try:
        check_observer(session, game, account_id)
    except Refused:
        return False
    return True


def check_observer(session: Session, game: Game, account_id: int) -> None:
    """Raises Refused `not_observable` where the account is not to know more of the game, `observer_barred`,
    `plays_here`, `leads_here`, `too_many_observers`, `wrong_status`."""
    assert game.id is not None
    row = observer_of(session, game.id, account_id)
    invited = row is not None and row.invited
    if policy_of(game).observers == NOBODY or not (invited or is_for_all(game)):
        raise Refused("not_observable")
    if game.status not in WATCHABLE:
        raise Refused("wrong_status", status=game.status)
    if row is not None and row.barred is not None:
        raise Refused("observer_barred")
    check_apart(session, game, account_id)
    others = select(func.count()).where(col(Observer.game_id) == game.id, col(Observer.since).is_not(None))
    if session.exec(others).one() >= MOST and (row is None or row.since is None):
        raise Refused("too_many_observers", most=MOST)


def check_apart(session: Session, game: Game, account_id: int) -> None:
    """Raises Refused `plays_here` for who has a seat, or is invited to one, `leads_here` for the game's moderator."""
    seats = select(Seat.id).where(
        col(Seat.game_id) == game.id, col(Seat.account_id) == account_id, col(Seat.resigned).is_(None)
    )
    offers = select(Standby.id).where(
        col(Standby.game_id) == game.id, col(Standby.account_id) == account_id, col(Standby.seat).is_not(None)
    )
    if any(session.exec(query.limit(1)).first() is not None for query in (seats, offers)):
        raise Refused("plays_here")
    if game.moderator_id == account_id:
        raise Refused("leads_here")


def observe(service: Service, game_id: int, account_id: int, inbound_id: int | None = None) -> None:
    """Observe the game from now on, with letters; twice does it once. Raises as `check_observer` does."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        check_observer(session, game, account_id)
        known = observer_of(session, game_id, account_id)
        since = known.since if known is not None and known.since is not None else clock.now()
        player = Player(session.get_one(Account, account_id), main_address(session, account_id))
    written, link = welcome_letter(service, game, player, Welcome(BEGUN, key=f"{since:%Y%m%d%H%M%S%f}"))
    with service.writing() as session:
        game = locked_game(session, game_id)
        check_observer(session, game, account_id)
        mark_read(session, inbound_id)
        row = observer_of(session, game_id, account_id)
        if row is not None and row.since is not None and row.letters:
            return
        row = row or Observer(game_id=game_id, account_id=account_id, created=clock.now())
        if row.since is None:
            row.since, row.stage_number = since, -1
            row.line, row.told = game.line, _before_the_last(session, game)
        row.letters, game.observed = True, True
        session.add_all([row, game, link])
        session.flush()
        put(session, written)
        assert row.id is not None
        nudge(session, OBSERVE, row.id)


def _before_the_last(session: Session, game: Game) -> int:
    """Where the first letter of who comes now begins: it tells of the last turn that may be seen, and not of all."""
    ends = letter_moments(game, moments(session, game), policy_of(game).observer_delay)
    return next((before.entry for before, last in pairwise(ends) if last is ends[-1]), 0)


def stop(service: Service, game_id: int, account_id: int, inbound_id: int | None = None) -> None:
    """Observe no longer, or turn the invitation to down. Raises Refused `not_observing`."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        player = Player(session.get_one(Account, account_id), main_address(session, account_id))
    letter = ended_letter(service, game, player)
    with service.writing() as session:
        game = locked_game(session, game_id)
        row = observer_of(session, game_id, account_id)
        if row is None or row.barred is not None:
            raise Refused("not_observing")
        mark_read(session, inbound_id)
        put(session, letter)
        forget(session, game, account_id)


def stop_letters(service: Service, game_id: int, account_id: int) -> None:
    """Let no more letters come; the page stays. Nothing for who does not observe."""
    mine = col(Observer.game_id) == game_id, col(Observer.account_id) == account_id
    with service.writing() as session:
        session.execute(update(Observer).where(*mine).values(letters=False))


def forget(session: Session, game: Game, account_id: int) -> bool:
    """The account observes the game no longer, in its row; what waits to be sent is withdrawn. Whether it did."""
    assert game.id is not None
    row = observer_of(session, game.id, account_id)
    if row is None or row.barred is not None:
        return False
    session.delete(row)
    session.flush()
    note_observed(session, game)
    withdraw(session, game.id, account_id)
    return row.since is not None


def note_observed(session: Session, game: Game) -> None:
    """In the game's row, whether anybody observes it."""
    assert game.id is not None
    game.observed = bool(observers_of(session, game.id))
    session.add(game)


def known_observers(session: Session, game: Game) -> list[tuple[Observer, str]]:
    """Who observes the game or is invited to, with their names, in order of their numbers."""
    return list(session.exec(_named(game.id, col(Observer.barred).is_(None)).order_by(col(Observer.id))))


def _named(game_id: int | None, those: ColumnElement[bool]) -> Any:
    """Observers of a game with the names of their accounts."""
    named = select(Observer, Account.name).join(Account, col(Account.id) == col(Observer.account_id))
    return named.where(col(Observer.game_id) == game_id, those)
