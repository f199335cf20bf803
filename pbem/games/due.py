"""When play goes on: a game's own times, and the mail that may still change what is played."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import BigInteger, bindparam, cast, func, or_, type_coerce
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.games.policy import PAUSED
from pbem.storage.models import Game, Heartbeat, Inbound
from pbem.storage.sessions import columns
from pbem.storage.types import EPOCH, NOW, Utc

GRACE_SECONDS = 1.0
"""Real seconds after a deadline in which a mail that was accepted before it may still be on its way to the disk."""
SWEEPING = "sweep"
"""The heartbeat of the sweep: while it beats, the service is up."""
OUTAGE_SECONDS = 600.0
"""Real seconds without a beat after which the service counts as having been down."""
MAILBOX = "mailbox"
"""The heartbeat of whoever fetches mail from a mailbox: when it last began to look."""
POLL_SECONDS = 900.0
"""Real seconds that a stage waits at most for the look after its deadline, and how old the look before may be."""
PLAYED = ("starting", "playing")
_UNREAD = (
    select(Inbound.id)
    .where(
        col(Inbound.game_id) == bindparam("game"),
        col(Inbound.status) == "stored",
        col(Inbound.received) <= bindparam("until"),
        col(Inbound.seat).is_not(None),
    )
    .limit(1)
)
Beats = Mapping[str, datetime]
"""By its name when a heartbeat was last."""
_BEATS = select(Heartbeat.name, Heartbeat.at).where(col(Heartbeat.name).in_((SWEEPING, MAILBOX)))


def is_due(game: Game, now: datetime) -> bool:
    """Whether the game's own times say that play goes on."""
    return is_due_with(game, game.settle_until, now)


def is_due_with(game: Game, settle_until: datetime | None, now: datetime) -> bool:
    """The same if play went on from that moment."""
    return not game.review and due_but_for_review(game, settle_until, now)


def due_but_for_review(game: Game, settle_until: datetime | None, now: datetime) -> bool:
    """Whether play would go on if its moderator did not look over what comes of it."""
    if game.aside or game.held == PAUSED or game.status not in PLAYED:
        return False
    settled = settle_until is not None and settle_until <= now
    return game.forced or settled or past_deadline(game, now)


def past_deadline(game: Game, now: datetime) -> bool:
    """Whether the deadline has passed, and the grace for mail on its way to the disk as well.

    One that was ended by a ruling is over at once: play goes on from the very moment until which orders count.
    """
    if game.deadline is None:
        return False
    end = closes(game.deadline, game)
    is_ended = game.settle_until is not None and end <= game.settle_until <= now
    return is_ended or end + clock.span(GRACE_SECONDS) <= now


def rows_played_on() -> tuple[ColumnElement[bool], ...]:
    """Of games in the database: those that go on by themselves once their time has come, as `is_due` has it."""
    return (
        col(Game.status).in_(PLAYED),
        col(Game.aside).is_(False),
        col(Game.review).is_(False),
        col(Game.held) != PAUSED,
    )


def late(now: datetime) -> datetime:
    """The newest deadline that has passed, and its grace for mail on its way to the disk as well."""
    return now - clock.span(GRACE_SECONDS)


def rows_past_deadline(late: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
    """What `past_deadline` says, of games in the database, where that moment is `late`."""
    return (col(Game.deadline) <= late) & (row_closes() <= late)  # the first has an index


def rows_settled(now: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
    """Of games in the database: whether play goes on before the deadline, for all are ready or somebody said so."""
    return col(Game.settle_until) <= now


def rows_all_read() -> tuple[ColumnElement[bool], ...]:
    """What `unread_in_time` denies, of games in the database, for a query with `reading`; an outage is mended first."""
    unread = select(Inbound.id).where(
        col(Inbound.game_id) == col(Game.id),
        col(Inbound.status) == "stored",
        col(Inbound.received) <= func.coalesce(row_closes(), NOW),
        col(Inbound.seat).is_not(None),
    )
    fetched = or_(
        col(Game.deadline).is_(None),
        row_closes() > bindparam("late", type_=Utc),
        col(Game.deadline) < bindparam("looked", type_=Utc),
        col(Game.deadline) >= bindparam("awaited", type_=Utc),
    )
    return ~unread.exists(), fetched


def reading(session: Session, now: datetime) -> dict[str, datetime]:
    """The moments that a query with `rows_all_read` is asked with."""
    looked, awaited = _look_awaited(_beats(session), now)
    return {"now": now, "late": late(now), "looked": looked, "awaited": awaited}


def row_closes() -> ColumnElement[datetime]:
    """Until when orders count, of games in the database. Moments are stored in microseconds.

    Those of half an hour and more are too many for the numbers that PostgreSQL multiplies unless it is told.
    """
    grace = cast(col(Game.grace_seconds), BigInteger) * 1_000_000
    return type_coerce(type_coerce(col(Game.deadline), BigInteger) + grace, Utc)


def closes(deadline: datetime, game: Game) -> datetime:
    """Until when orders count."""
    return deadline + timedelta(seconds=game.grace_seconds)


def came_too_late(game: Game, received: datetime) -> bool:
    """Whether what was received then came after the deadline, and after the grace that the game gives."""
    return game.deadline is not None and received > closes(game.deadline, game)


def may_go_on(session: Session, game: Game) -> bool:
    """Whether play goes on: its time has come, and no mail in time for one of its seats is unread."""
    return is_due(game, clock.now()) and not unread_in_time(session, game)


def unread_in_time(session: Session, game: Game) -> bool:
    """Whether a mail for one of the game's seats came in by the deadline and waits to be read, or may lie unfetched."""
    now, deadline = clock.now(), game.deadline
    if deadline is not None and past_deadline(game, now):
        beats = _beats(session)
        if _is_unfetched(beats, deadline, now) or _is_unwatched(beats, deadline, now):
            return True
    until = closes(deadline, game) if deadline is not None else now
    return columns(session, _UNREAD, {"game": game.id, "until": until}).first() is not None


def _is_unwatched(beats: Beats, deadline: datetime, now: datetime) -> bool:
    """Whether the deadline passed while the service was down and that was not looked at yet (`pbem.games.outages`)."""
    beat = beats.get(SWEEPING)
    return beat is not None and now - beat >= clock.span(OUTAGE_SECONDS) and beat < deadline


def _is_unfetched(beats: Beats, deadline: datetime, now: datetime) -> bool:
    """Whether a mailbox has not been looked into since the deadline: what it got before is in time."""
    first, end = _look_awaited(beats, now)
    return first <= deadline < end


def _look_awaited(beats: Beats, now: datetime) -> tuple[datetime, datetime]:
    """The first of the deadlines that a mailbox is still to be looked into for, and from which on none are."""
    looked = beats.get(MAILBOX)
    if looked is None:
        return EPOCH, EPOCH
    patience = clock.span(POLL_SECONDS)
    return max(looked, now - patience), looked + patience


def _beats(session: Session) -> Beats:
    return dict(iter(columns(session, _BEATS, {})))
