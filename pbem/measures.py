"""What an operator asks the service: what it owes, since when, what is stuck, which processes live. Numbers only."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import case, func, or_
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.games.due import late, row_closes, rows_past_deadline, rows_played_on, rows_settled
from pbem.mail.outbox import AGAIN
from pbem.storage.models import Chore, Game, Heartbeat, Inbound, Letter
from pbem.storage.models.mail import MARKED_AGAIN

LATELY = timedelta(days=3)
"""How long it is told that a mail was given up."""


@dataclass(frozen=True)
class Owed:
    """Work of one kind that could be done now: how much, and for how long the oldest of it has been owed (seconds)."""

    number: int
    oldest: float


@dataclass(frozen=True)
class Measures:
    """How the service stands. `games`, `mails` and `letters` are counts by status or fate, `beats` seconds by process.

    `mails_aside` were given up in the last days: nothing more becomes of them, so older ones are not told.
    `tasks_aside` are reminders and the like that are given up for a while.
    `awaiting_players` are games that wait for orders: neither they nor what is `owed` counts games that are paused,
    set aside or held for their moderator's review. `owed` is by task: `play`, `read`, `send`. `lag` is the longest time
    (seconds) by which a deadline, with its grace, has passed without play going on.
    """

    games: Mapping[str, int]
    aside: int
    mails_aside: int
    tasks_aside: int
    awaiting_players: int
    mails: Mapping[str, int]
    letters: Mapping[str, int]
    owed: Mapping[str, Owed]
    lag: float
    beats: Mapping[str, float]


def measures(session: Session) -> Measures:
    """How the service stands now."""
    now = clock.now()
    play, lag = _play(session, now)
    return Measures(
        games=_counts(session, Game.status),
        aside=session.exec(select(func.count()).where(col(Game.aside))).one(),
        mails_aside=session.exec(select(func.count()).where(*_mails_aside(now))).one(),
        tasks_aside=session.exec(select(func.count()).where(col(Chore.aside), col(Chore.next_try) > now)).one(),
        awaiting_players=_awaiting(session, now),
        mails=_counts(session, Inbound.status),
        letters=_letters(session),
        owed={"play": play, "read": _read(session, now), "send": _send(session, now)},
        lag=lag,
        beats={beat.name: (now - beat.at).total_seconds() for beat in session.exec(select(Heartbeat))},
    )


def _counts(session: Session, column: Any) -> dict[str, int]:
    return dict(iter(session.exec(select(column, func.count()).group_by(column).order_by(col(column)))))


def _mails_aside(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """The last attempt is what `next_try` was for, whenever it came in."""
    return col(Inbound.status) == "aside", col(Inbound.next_try) > now - LATELY


def _letters(session: Session) -> dict[str, int]:
    """By fate, and beside that how many may have gone out twice."""
    again = session.exec(select(func.count(col(Letter.fate))).where(MARKED_AGAIN)).one()
    return _counts(session, Letter.fate) | ({AGAIN: again} if again else {})


def _awaiting(session: Session, now: datetime) -> int:
    playing = select(func.count()).where(*rows_played_on(), col(Game.status) == "playing")
    due = or_(rows_past_deadline(late(now)), rows_settled(now))
    return session.exec(playing).one() - session.exec(playing.where(due)).one()


def _play(session: Session, now: datetime) -> tuple[Owed, float]:
    """Games that wait for us, those that just failed or are worked on as well, and the longest lag of a deadline."""
    passed, settled = rows_past_deadline(late(now)), rows_settled(now)
    due = select(func.count()).where(*rows_played_on(), or_(passed, settled))
    closed = session.exec(select(func.min(row_closes())).where(*rows_played_on(), passed)).one()
    ready = session.exec(select(func.min(Game.settle_until)).where(*rows_played_on(), settled)).one()
    lag = _age(closed, late(now))
    return Owed(session.exec(due).one(), max(lag, _age(ready, now))), lag


def _read(session: Session, now: datetime) -> Owed:
    """Mails that nobody has read to the end, those that pause after a try as well: each try puts the next one off."""
    stored = select(func.count(), func.min(Inbound.received)).where(col(Inbound.status) == "stored")
    number, oldest = session.exec(stored).one()
    return Owed(number, _age(oldest, now))


def _send(session: Session, now: datetime) -> Owed:
    """Letters that no server has taken, those that are being sent as well.

    While the mail server is away each try puts the next one off, so it is of no matter when that is: but for a letter
    that a server itself has put off, which may be for hours.
    """
    put_off = col(Letter.deferred) > 0
    since = case((put_off, col(Letter.next_try)), else_=func.coalesce(Letter.due, Letter.next_try))
    due = col(Letter.fate).in_(("queued", "claimed", "begun")), since <= now
    number, oldest = session.exec(select(func.count(), func.min(since)).where(*due)).one()
    return Owed(number, _age(oldest, now))


def _age(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds()) if moment is not None else 0.0
