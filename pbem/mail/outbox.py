"""The outbox: which letters are owed, who holds them, and what became of them. Nothing here opens a connection.

A letter's way: queued → claimed (a lease, committed before any connection opens) → begun (committed before its data
goes out, with a lease that its sender prolongs while it waits for the answer) → sent. A claim whose lease ran out is
claimed again. Of one that had begun nobody knows whether it went out: it is sent again, under the same Message-ID.
Where the server was cut off in its answer that is done once, for it surely got the data; where the sender died, as
often as anything is tried. If then that can't be known either, its fate is unknown for good. It goes back to the queue
for a while first: a sender that was kept from saying what became of it, by a database that was away, says so then. Its
old lease stays, and is how that sender knows it to be its own still. How often servers put it off is counted apart: our
own deaths make no pause longer, and no patience of a server's uses up our tries.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import and_, bindparam, case, or_, update
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.storage.models import Letter
from pbem.storage.types import NOW

BATCH = 100
AGAIN = "sent-again"
"""The problem of a letter that is, or was, sent a second time because nobody knows whether the first went out; where it
is refused for good then, or comes back, a server's words come after it."""
_IS_BACK = or_(col(Letter.fate) == "bounced", col(Letter.fate) == "complained")
"""So a server had the letter: that may be told sooner than its sender says that it handed it over."""
_SENT = (
    update(Letter)
    .where(col(Letter.id) == bindparam("letter"))
    .values(
        fate=case((_IS_BACK, col(Letter.fate)), else_="sent"),
        sent=bindparam("at"),
        answer=bindparam("said"),
        lease=None,
        problem=case(
            (_IS_BACK, col(Letter.problem)),
            (col(Letter.attempts) == bindparam("attempt"), bindparam("left")),
            else_=AGAIN,  # another has claimed it since, and may have sent it too
        ),
    )
)
_BEGIN = (
    update(Letter)
    .where(
        col(Letter.id).in_(bindparam("letters", expanding=True)),
        col(Letter.attempts) == bindparam("attempt"),
        col(Letter.fate).in_(("claimed", "begun")),
    )
    .values(fate="begun", lease=bindparam("until"))
    .returning(col(Letter.id))
)


def _lapsed(fate: str) -> ColumnElement[bool]:
    return and_(col(Letter.fate) == fate, col(Letter.lease) <= NOW)


_LAPSED = select(Letter.id).where(_lapsed("begun")).with_for_update(skip_locked=True)
_LOST = (
    update(Letter)
    .where(col(Letter.id).in_(_LAPSED), col(Letter.problem) == AGAIN)
    .where(col(Letter.attempts) - col(Letter.deferred) >= bindparam("tries"))
    .values(fate="unknown")
)
_DOUBTED = (
    update(Letter)
    .where(col(Letter.id).in_(_LAPSED))
    .values(fate="queued", problem=AGAIN, next_try=bindparam("later"), patience=None)
)
_OWED = (
    select(Letter.id)
    .where(or_(and_(col(Letter.fate) == "queued", col(Letter.next_try) <= NOW), _lapsed("claimed")))
    .order_by(col(Letter.queued), col(Letter.id))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_CLAIM = (
    update(Letter)
    .where(col(Letter.id).in_(_OWED))
    .values(fate="claimed", lease=bindparam("lease_to"), attempts=col(Letter.attempts) + 1)
    .returning(
        col(Letter.queued), col(Letter.id), col(Letter.id), col(Letter.message_id), col(Letter.recipient),
        col(Letter.content), col(Letter.attempts), col(Letter.deferred), col(Letter.problem),
    )
)  # fmt: skip
"""One statement: the letters, each with two columns to sort by before it."""
PAUSES = (5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800)
"""Real seconds to the next attempt after a first, second, … time that it was put off."""
GRACE = 10.0
"""Real seconds that a sender has to say what became of a letter that it began, when somebody has seen that its lease is
over. The database is there then, which it may not have been for longer than the lease."""
_HELD = ("claimed", "begun", "queued", "unknown")
"""Fates of a letter that has a lease, which may be over."""
_OURS = (
    col(Letter.id) == bindparam("letter"),
    col(Letter.attempts) == bindparam("attempt"),
    col(Letter.lease) <= bindparam("until"),
    or_(*(col(Letter.fate) == each for each in _HELD)),  # in a list it could not be said of several letters at once
)
_BACK = (
    update(Letter)
    .where(*_OURS)
    .values(
        fate="queued",
        lease=None,
        next_try=bindparam("later"),
        attempts=col(Letter.attempts) - 1,
        problem=bindparam("left"),
    )
)


class Claimed(msgspec.Struct):
    """What is needed to send a letter that was claimed. `answer` is for the words of the server that takes it."""

    id: int
    message_id: str
    recipient: str
    content: bytes
    attempts: int
    deferred: int
    problem: str
    until: datetime
    """The end of the last lease that was asked for: a later one is another claim's."""
    answer: str = ""


def claim(service: Service, limit: int = BATCH) -> list[Claimed]:
    """Take letters that are owed, oldest first, for the time of a lease. Two that claim at once get different ones."""
    with service.writing() as session:
        now = clock.now()
        until = now + _lease(service)
        at = {"now": now, "lease_to": until, "most": limit}
        session.connection().execute(_LOST, {"now": now, "tries": service.settings.attempts})
        session.connection().execute(_DOUBTED, {"now": now, "later": now + clock.span(GRACE)})
        rows = session.connection().execute(_CLAIM, at).all()
    return [Claimed(*row[2:], until=until) for row in sorted(rows, key=lambda row: row[:2])]


def begin(service: Service, letters: Sequence[Claimed], taken: Sequence[Claimed] = ()) -> set[int]:
    """Say that the data of these letters goes out now; the numbers of those that are still ours to send.

    `taken` are letters that the server took before: they are marked sent in the same commit. Several at a time save
    commits; what has begun and was surely not sent is to be released.
    """
    with service.writing() as session:
        _mark_sent(session, taken)
        lease = clock.now() + _lease(service)
        for letter in letters:
            letter.until = lease  # also where the database is gone before it says that this was committed
        begun: set[int] = set()
        for attempts in {letter.attempts for letter in letters}:
            ours = {"letters": [each.id for each in letters if each.attempts == attempts], "attempt": attempts}
            begun.update(session.connection().execute(_BEGIN, {**ours, "until": lease}).scalars())
        return begun


def sent(service: Service, letters: Sequence[Claimed]) -> None:
    """The server has taken them: true even where the lease ran out and another sent them too."""
    with service.writing() as session:
        _mark_sent(session, letters)


def postpone(service: Service, letter: Claimed, problem: str) -> None:
    """A server put it off: try again later, and after many times no more."""
    if letter.deferred >= len(PAUSES):
        fail(service, letter, problem)
        return
    _put_back(service, letter, problem, PAUSES[letter.deferred], deferred=letter.deferred + 1)


def doubt(service: Service, letter: Claimed, problem: str) -> None:
    """As one that was put off, but it may have gone out: that is not likely, and so it is tried as often."""
    letter.problem = AGAIN
    postpone(service, letter, problem)


def stumble(service: Service, letter: Claimed, problem: str) -> None:
    """It could not even be offered, by a fault of ours: try again as often as anything is tried."""
    tries = letter.attempts - letter.deferred
    if tries >= service.settings.attempts:
        fail(service, letter, problem)
        return
    _put_back(service, letter, problem, PAUSES[min(tries, len(PAUSES)) - 1])


def fail(service: Service, letter: Claimed, problem: str) -> None:
    """It was refused for good; `problem` has the server's words, after a mark where it may have gone out before."""
    kept = f"{AGAIN} {problem}" if letter.problem == AGAIN else problem
    with service.writing() as session:
        _move(session, letter, fate="failed", lease=None, problem=kept)


def lose(service: Service, letter: Claimed) -> None:
    """Nobody knows whether the server took it: once more, and after that never again."""
    with service.writing() as session:
        if letter.problem == AGAIN:
            _move(session, letter, fate="unknown", lease=None)
            return
        later = clock.now() + clock.span(PAUSES[0])
        _move(session, letter, fate="queued", lease=None, next_try=later, problem=AGAIN)


def release(service: Service, letters: Sequence[Claimed], pause: float) -> None:
    """Give back letters that were surely not tried; no attempt is counted. `pause` in real seconds."""
    later = clock.now() + clock.span(pause)
    made = [
        {"letter": each.id, "attempt": each.attempts, "until": each.until, "later": later, "left": each.problem}
        for each in letters
    ]
    if made:
        with service.writing() as session:
            session.connection().execute(_BACK, made)


def _lease(service: Service) -> timedelta:
    return clock.span(service.settings.lease_seconds)


def _put_back(service: Service, letter: Claimed, problem: str, pause: float, **values: int) -> None:
    kept = AGAIN if letter.problem == AGAIN else problem
    later = clock.now() + clock.span(pause)
    with service.writing() as session:
        _move(session, letter, fate="queued", lease=None, next_try=later, problem=kept, **values)


def _mark_sent(session: Session, letters: Sequence[Claimed]) -> None:
    now = clock.now()
    made = [
        {
            "letter": each.id,
            "at": now,
            "said": each.answer,
            "attempt": each.attempts,
            "left": AGAIN if each.problem == AGAIN else "",
        }
        for each in letters
    ]
    if made:
        session.connection().execute(_SENT, made)


def _move(session: Session, letter: Claimed, **values: Any) -> None:
    """Change a letter as long as it is ours: each claim counts an attempt, and one that is given back takes it back.

    So the same may be said twice, where nobody knows whether it was written: the lease tells a next claim from ours.
    """
    ours = {"letter": letter.id, "attempt": letter.attempts, "until": letter.until}
    session.connection().execute(update(Letter).where(*_OURS).values(values), ours)
