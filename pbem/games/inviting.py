"""Deadlines as invitations, for players who ask for them: each new deadline is told, and so is that one is gone.

What is owed follows from the rows: the deadline that the game has, and the one that its player was last told.
"""

from datetime import datetime

from sqlalchemy import BigInteger, func, or_, type_coerce
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import main_address
from pbem.context import Service
from pbem.games.calendars import CANCEL, REQUEST, Due
from pbem.games.notices import compose, seat_url, spoken, thread
from pbem.games.position import Player, holds
from pbem.habits import Habits
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.mail.letters import Event
from pbem.storage.models import Account, Game, Letter, Seat
from pbem.storage.sessions import locked_game
from pbem.storage.types import EPOCH

_ROWS = (
    select(Seat, Game, Account)
    .join(Game, col(Game.id) == col(Seat.game_id))
    .join(Account, col(Account.id) == col(Seat.account_id))
)
# Two statements, for each finds its rows by an index: together they would look through every seat each second.
_TOLD = _ROWS.where(
    col(Seat.calendar_at) > EPOCH,
    or_(
        col(Game.deadline).is_(None),
        col(Seat.calendar_at) != col(Game.deadline),
        col(Account.calendar).is_(False),
        col(Game.status) != "playing",
        col(Seat.resigned).is_not(None),
    ),
)
_UNTOLD = _ROWS.where(
    col(Account.calendar).is_(True),
    func.coalesce(type_coerce(col(Seat.calendar_at), BigInteger), 0) == 0,  # not by the index: most have none
    col(Game.deadline).is_not(None),
)


def invitations_due(session: Session) -> list[int]:
    """The seats whose players' calendars are not as the games are, as numbers of rows; none in quiet hours."""
    now = clock.now()
    return [
        seat.id
        for seat, game, account in (*session.exec(_TOLD), *session.exec(_UNTOLD))
        if seat.id is not None
        and _wanted(seat, game, account) != seat.calendar_at
        and Habits.of(account).quiet_until(now) is None
    ]


def send_invitation(service: Service, number: int) -> None:
    """Tell the calendar of that seat's player of the deadline as it is."""
    with service.writing() as session:
        row = session.exec(_ROWS.where(col(Seat.id) == number)).first()
        if row is None:
            return
        seat, game, account = row
        locked_game(session, seat.game_id)
        wanted = _wanted(seat, game, account)
        if wanted == seat.calendar_at:
            return
        assert account.id is not None
        seat.calendar_sequence += 1
        due = Due(game, seat, wanted or seat.calendar_at or clock.now(), seat.calendar_sequence)
        method = REQUEST if wanted is not None else CANCEL
        put(session, _letter(service, due, account, main_address(session, account.id), method))
        seat.calendar_at = wanted
        session.add(seat)


def farewell(service: Service, game: Game, seat: Seat, player: Player) -> list[Letter]:
    """Takes the deadline out of the calendar of a player whose seat passes to another, where it stands there."""
    if seat.calendar_at is None:
        return []
    due = Due(game, seat, seat.calendar_at, seat.calendar_sequence + 1)
    return [_letter(service, due, player.account, player.address, CANCEL)]


def _wanted(seat: Seat, game: Game, account: Account) -> datetime | None:
    """The deadline that should stand in the player's calendar."""
    is_open = game.status == "playing" and not game.aside and holds(seat)
    return game.deadline if is_open and account.calendar else None


def _letter(service: Service, due: Due, account: Account, address: str, method: str) -> Letter:
    from pbem.games.calendarfiles import invitation  # noqa: PLC0415 - see there

    game, seat = due.game, due.seat
    to = Recipient.of(account, address, seat.number, seat.generation)
    params = {
        "title": game.title,
        "side": spoken(game, to.words).seat(seat.number),
        "deadline": due.at,
        "gone": method == CANCEL,
        "url": seat_url(service, game),
    }
    key = f"calendar/{game.code}/{seat.number}/{account.id}/{due.sequence}"
    made = compose("calendar", to.words, params).with_event(Event(method, invitation(service, due, to, method)))
    return finish(service, Envelope("calendar", key, Purpose.NOTICE, game, thread(game, "calendar")), to, made)
