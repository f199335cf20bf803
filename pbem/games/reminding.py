"""Reminders before a deadline, for those whose orders are still missing and who want to be reminded.

What is due follows from the rows of game, seat and account, so that nothing has to be planned ahead or taken back when
a deadline moves. Each deadline is told of once.
"""

from datetime import datetime

from sqlalchemy import BigInteger, bindparam, literal, or_, type_coerce
from sqlmodel import Session, col, select

from engine.play import unanswered
from pbem import clock
from pbem.context import Service
from pbem.games.away import absences, away_now
from pbem.games.notices import compose, seat_url, spoken, thread
from pbem.games.position import Position, expected, numbers, position
from pbem.habits import Habits
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.reports.render import merged
from pbem.storage.models import Account, Game, Letter, Seat
from pbem.storage.sessions import locked_game
from pbem.storage.types import EPOCH

_HOUR = 3_600_000_000
"""Microseconds, in which moments are stored."""
_DUE = (
    select(Seat, Game, Account)
    .join(Game, col(Game.id) == col(Seat.game_id))
    .join(Account, col(Account.id) == col(Seat.account_id))
    .where(
        col(Account.remind_hours) > 0,
        col(Seat.ready).is_(False),
        or_(col(Seat.reminded).is_(None), col(Seat.reminded) != col(Game.deadline)),
        col(Game.status) == "playing",
        col(Game.aside).is_(False),
        col(Game.deadline) > bindparam("now"),
        or_(
            type_coerce(col(Game.deadline), BigInteger) - col(Account.remind_hours) * literal(_HOUR, BigInteger)
            <= bindparam("micros", type_=BigInteger),
            col(Account.quiet_from) != col(Account.quiet_to),  # it may be due before the night
        ),
    )
)
_ONE = _DUE.where(col(Seat.id) == bindparam("seat"))


def reminders_due(session: Session) -> list[int]:
    """The seats whose players are to be reminded now, as numbers of rows."""
    now = clock.now()
    rows = session.exec(_DUE, params={"now": now, "micros": _micros(now)})
    due = [(seat, game) for seat, game, account in rows if _is_due(seat, game, account, now)]
    return [seat.id for seat, game in due if seat.id is not None and not _is_away(session, seat, game)]


def remind(service: Service, number: int) -> None:
    """Remind the player of that seat, unless it is done, or not to be done any more."""
    now = clock.now()
    with service.reading() as session:
        row = session.exec(_ONE, params={"now": now, "micros": _micros(now), "seat": number}).first()
        if row is None or not _is_due(*row, now) or _is_away(session, row[0], row[1]):
            return
        stands = position(session, row[0].game_id)
        letter = _letter(service, stands, row[0].number)
    with service.writing() as session:
        game = locked_game(session, row[0].game_id)
        seat = session.get_one(Seat, number)
        if game.version == stands.game.version and seat.reminded != game.deadline:
            seat.reminded = game.deadline
            session.add(seat)
            put(session, letter)


def _is_due(seat: Seat, game: Game, account: Account, now: datetime) -> bool:
    if game.deadline is None or not expected(seat) or seat.number not in numbers(game.waiting):
        return False
    habits = Habits.of(account)
    return habits.quiet_until(now) is None and habits.reminder_at(game.deadline, account.remind_hours) <= now


def _is_away(session: Session, seat: Seat, game: Game) -> bool:
    return game.id is not None and seat.number in away_now(absences(session, game.id))


def _letter(service: Service, stands: Position, number: int) -> Letter:
    game, player = stands.game, stands.players[number]
    assert game.deadline is not None
    to = Recipient.of(player.account, player.address, number, player.generation)
    said, stage = spoken(game, to.words), stands.rules.stage(stands.table.state, game.pace)
    open_now = unanswered(stands.rules, stands.table.state, number, stands.sheets[number], stands.used, game.pace)
    params = {
        "title": game.title,
        "side": said.seat(number),
        "turn": stage.turn,
        "stage": said.name("stage", stage.name),
        "left": game.deadline - clock.now(),
        "deadline": game.deadline,
        "otherwise": [said.otherwise(asked) for asked in merged(open_now)],
        "url": seat_url(service, game),
    }
    key = f"reminder/{game.code}/{game.line}/{number}/{_micros(game.deadline)}"
    envelope = Envelope("reminder", key, Purpose.ORDERS, game, thread(game, stage.turn))
    return finish(service, envelope, to, compose("reminder", to.words, params))


def _micros(moment: datetime) -> int:
    return round((moment - EPOCH).total_seconds() * 1_000_000)
