"""Letters that are never to be sent: what had been joined into one of them goes out by itself."""

from sqlalchemy import and_, case, not_, update
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import nudge
from pbem.door import SEND
from pbem.habits import ACKNOWLEDGEMENT, FOR_THE_DAY
from pbem.mail.joining import HELD_BACK, JOINED
from pbem.mail.outbox import AGAIN
from pbem.storage.models import Letter

STILL_HERE = ("queued", "claimed")
"""Fates of letters that nobody has begun to send: a claim is asked again before the data goes out."""


def withdraw(session: Session, *which: ColumnElement[bool]) -> set[int]:
    """Withdraw those of these letters that nobody has begun to send; which have surely never gone out, with those of
    them that had been joined into one.

    Others that had been joined into one are queued again, to be joined anew.
    """
    connection = session.connection()
    here = col(Letter.fate).in_(STILL_HERE)
    withdrawn = update(Letter).where(*which, here).values(fate="withdrawn", lease=None)
    gone = connection.execute(withdrawn.returning(col(Letter.id), col(Letter.problem))).all()
    if not gone:
        return set()
    never = {number for number, problem in gone if problem != AGAIN}
    never |= set(connection.execute(select(Letter.id).where(*_within(never), *which)).scalars())
    within = _within({number for number, _ in gone})
    now = clock.now()
    waits = case((col(Letter.kind) == ACKNOWLEDGEMENT, HELD_BACK), else_=FOR_THE_DAY)
    again = {"fate": "queued", "problem": waits, "carrier": None, "next_try": now, "due": now, "patience": None}
    freed = connection.execute(update(Letter).where(*within, not_(and_(*which))).values(again))
    if freed.rowcount:
        nudge(session, SEND, 0)
    return never


def hold(session: Session, letters: set[int]) -> None:
    """Nobody begins to send one of these letters, or gives one back, before the transaction is over."""
    session.connection().execute(select(Letter.id).where(col(Letter.id).in_(letters)).with_for_update())


def unsent(session: Session, letters: set[int]) -> set[int]:
    """Of these letters those that go out no more where all of them are withdrawn."""
    here = col(Letter.id).in_(letters), col(Letter.fate).in_(STILL_HERE)
    found = set(session.exec(select(Letter.id).where(*here)))
    return found | set(session.exec(select(Letter.id).where(col(Letter.id).in_(letters), *_within(found))))


def _within(carriers: set[int]) -> tuple[ColumnElement[bool], ...]:
    return col(Letter.carrier).in_(carriers), col(Letter.fate) == "withdrawn", col(Letter.problem) == JOINED
