"""Small tasks that have no row of their own to count in: reminders, calendars, what a game needs beside play.

Attempts are counted before the work begins, for a task may end its process. After as many as the settings say it is set
aside for a day; everything else goes on.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.door import INVITE, OBSERVE, REMIND, TEND, name_of
from pbem.storage.bulk import insert_new
from pbem.storage.models import Chore
from pbem.storage.sessions import AWAY_SECONDS, columns
from pbem.storage.types import NOW

log = structlog.get_logger()

COUNTED = frozenset({REMIND, INVITE, TEND, OBSERVE})
PAUSES = (1.0, 5.0, 20.0)
"""Real seconds before the next attempt after a first, second, third failure."""
ASIDE = timedelta(days=1)
"""How long one that was set aside is left alone: by then it may be about another deadline, or mended."""


_TRIED = select(Chore.task, Chore.number, Chore.next_try)


def tried(session: Session) -> dict[tuple[str, int], datetime]:
    """Tasks that were begun and are not done, and when each may be tried again: in the future for one that somebody is
    at, that pauses after a failure, or that is set aside."""
    return {(task, number): next_try for task, number, next_try in columns(session, _TRIED, {})}


def free(task: str, number: Any) -> ColumnElement[bool]:
    """For a query with NOW: whether the task about the row with that number, a column, is none of those that rest.

    Where as many rest as are looked for at a time, no others would be found without.
    """
    same = col(Chore.task) == task, col(Chore.number) == number
    return ~select(Chore.task).where(*same, col(Chore.next_try) > NOW).exists()


def tried_at(task: str, number: Any) -> ColumnElement[datetime]:
    """For the order of such a query: from when on a task that was tried before may be tried again; NULL for others.

    Without, as many as are tried in vain again and again would keep others of their kind from being found.
    """
    same = col(Chore.task) == task, col(Chore.number) == number
    return select(col(Chore.next_try)).where(*same).scalar_subquery()


def begin(service: Service, task: str, number: int) -> bool:
    """Count an attempt; False where it is not to be made now."""
    now = clock.now()
    with service.writing() as session:
        insert_new(session, Chore, [Chore(task=task, number=number, next_try=now)])
        row = session.get_one(Chore, (task, number), with_for_update=True)
        if row.next_try > now:
            return False
        fresh = row.attempts < service.settings.attempts
        if fresh:
            row.attempts, row.next_try = row.attempts + 1, now + clock.span(service.settings.lease_seconds)
        else:  # the last attempt ended its process
            _set_aside(row)
        session.add(row)
    return fresh


def done(service: Service, task: str, number: int) -> None:
    """It is done, and need not be counted any more."""
    with service.writing() as session:
        row = session.get(Chore, (task, number))
        if row is not None:
            session.delete(row)


def failed(service: Service, task: str, number: int) -> None:
    """The attempt failed, and the process lives: pause, or give up for a day."""
    with service.writing() as session:
        row = session.get_one(Chore, (task, number))
        _rest(service, row)
        session.add(row)


def stumbled(service: Service, part: str, number: int) -> datetime:
    """A part of a task failed, which is not counted before it begins: as `failed`; when it is to be tried again."""
    with service.writing() as session:
        insert_new(session, Chore, [Chore(task=part, number=number, next_try=clock.now())])
        row = session.get_one(Chore, (part, number), with_for_update=True)
        row.attempts += 1
        _rest(service, row)
        session.add(row)
    return row.next_try


def next_tries(session: Session, parts: Collection[str], number: int) -> dict[str, datetime]:
    """When those parts of tasks about the row with that number are tried again that have failed."""
    failed = select(Chore.task, Chore.next_try).where(col(Chore.task).in_(parts), col(Chore.number) == number)
    return dict(session.exec(failed).all())


def spare(service: Service, task: str, number: int) -> None:
    """The attempt failed for want of the database: it does not count, and is made again a little later."""
    _uncount(service, task, number, AWAY_SECONDS)


def leave_alone(service: Service, task: str, number: int) -> None:
    """The attempt was not this code's to make: nothing has failed, and it is tried again only after a long pause."""
    log.warning("task_left_alone", task=name_of(task), number=number)
    _uncount(service, task, number, PAUSES[-1])


def _uncount(service: Service, task: str, number: int, pause: float) -> None:
    """As soon as the database is there; where the process ends first, the attempt counts as one that ended it."""
    now = clock.now()
    later, longest = now + clock.span(pause), now + clock.span(service.settings.lease_seconds)

    def write() -> None:
        # Maybe not before another has begun, whose later lease stays; written twice it allows one attempt more.
        with service.writing() as session:
            row = session.get(Chore, (task, number), with_for_update=True)
            if row is not None:
                row.attempts = max(0, row.attempts - 1)
                row.next_try = later if row.next_try <= longest else row.next_try
                session.add(row)

    service.unwritten.keep(write)


def _rest(service: Service, row: Chore) -> None:
    if row.attempts >= service.settings.attempts:
        _set_aside(row)
    else:
        row.next_try = clock.now() + clock.span(PAUSES[min(row.attempts, len(PAUSES)) - 1])


def _set_aside(row: Chore) -> None:
    log.error("task_set_aside", task=name_of(row.task), number=row.number)
    row.attempts, row.next_try, row.aside = 0, clock.now() + ASIDE, True
