"""What is owed, found in the database: due games, unread mails, reminders, unsent letters. The rest only nudges."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import TypeVar

import structlog
from sqlalchemy import BindParameter, Executable, bindparam, func, or_
from sqlmodel import Session, col, select

from engine.errors import UnknownRules, UnknownVersion
from pbem import chores, clock, crashing
from pbem.context import Service
from pbem.door import ABOUT_ALL, ADVANCE, INVITE, OBSERVE, PLAY, QUEUES, READ, READING, REMIND, SEND, TEND, name_of
from pbem.games.advance import advance
from pbem.games.due import SWEEPING, reading, rows_all_read, rows_past_deadline, rows_played_on, rows_settled
from pbem.games.inviting import invitations_due, send_invitation
from pbem.games.outages import mend_outage
from pbem.games.reminding import remind, reminders_due
from pbem.games.tending import tend
from pbem.mail.ingest import read
from pbem.mail.joining import urgent_letters
from pbem.mail.sender import send
from pbem.mail.turns import RESTED, ROWS_IN_TURN
from pbem.observing.sending import observers_due, tell_observer
from pbem.storage.models import Game, Heartbeat, Inbound, Letter
from pbem.storage.sessions import AWAY, columns
from pbem.storage.types import EPOCH, NOW, Utc
from pbem.whatifs.copying import forget_expired

log = structlog.get_logger()

Given = TypeVar("Given")
BEAT_SECONDS = 10.0
LIMIT = 500
"""How much of a kind one sweep looks for: the next one finds the rest."""
ROOM = 50
"""How many nudges may wait in a queue for each worker process, about as many as it can do until the next sweep. Beyond
that a sweep gives none: where they come faster than slow workers can even drop stale ones, nothing is done any more."""


def owed(service: Service) -> list[tuple[str, int]]:
    """The tasks that are owed now, with the number of their row; mails first, for play waits for them.

    Of each kind nothing is there that could not be begun, and what was tried before comes after what waits since then:
    however much is tried in vain, it keeps nothing else from its turn.
    """
    with service.reading() as session:
        at = reading(session, clock.now())
        found = [(READ, number) for number in _found(session, _UNREAD, at)]
        due = _alternating([_found(session, _PASSED, at), _found(session, _SETTLED, at)])
        found += [(ADVANCE, number) for number in dict.fromkeys(due)]
        tried = chores.tried(session)
        found += _free(tried, REMIND, reminders_due(session))
        found += _free(tried, INVITE, invitations_due(session))
        found += [(TEND, number) for number in _found(session, _TENDED, at)]
        found += [(OBSERVE, number) for number in observers_due(session, LIMIT)]
        if _unsent(session, at):
            found.append((SEND, 0))
    return found


def sweep(service: Service) -> int:
    """Hand over what is owed, as much of it as there is room for in its queue; how much it was.

    Where as many nudges wait as there is work, they are for that work, and none is given twice. One that was lost is
    for what has been owed longest by then, which comes first.
    """
    mend_outage(service)
    found = owed(service)
    given = [each for each in found if each[0] in ABOUT_ALL]
    for queue in (PLAY, READING):
        ours = [each for each in found if QUEUES[each[0]] == queue]
        room = min(ROOM * service.settings.worker_processes, len(ours)) - service.door.waiting(queue)
        given += _in_turn(ours)[: max(0, room)]
    for task, number in given:
        service.door.publish(task, number)
    _beat(service)
    return len(given)


def _in_turn(found: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """One of each kind after the other, so that many of one kind hold up none of another."""
    return _alternating(
        [[each for each in found if each[0] == kind] for kind in dict.fromkeys(task for task, _ in found)]
    )


def _alternating(lists: Sequence[Sequence[Given]]) -> list[Given]:
    return [each for row in zip_longest(*lists) for each in row if each is not None]


def _beat(service: Service) -> None:
    """Say now and then that the sweep lives, and let go of what has expired."""
    now = clock.now()
    with service.reading() as session:
        last = session.get(Heartbeat, SWEEPING)
    if last is None or not last.at <= now < last.at + clock.span(BEAT_SECONDS):  # a clock may have gone back
        with service.writing() as session:
            session.merge(Heartbeat(name=SWEEPING, at=now))
            forget_expired(session)


def perform(service: Service, task: str, number: int) -> None:
    """Do one task here and now. Raises what its work raises: the failure is counted already."""
    crashing.at("task-taken")
    with structlog.contextvars.bound_contextvars(task=name_of(task), number=number):
        _perform(service, task, number)
    crashing.at("task-done")


def _perform(service: Service, task: str, number: int) -> None:
    if task not in chores.COUNTED:
        _WORK[task](service, number)
        return
    if not chores.begin(service, task, number):
        return
    try:
        _WORK[task](service, number)
    except (UnknownVersion, UnknownRules):
        # Played by newer code, or by rules that are not installed here: another worker's, or for after an upgrade.
        chores.leave_alone(service, task, number)
        return
    except AWAY:
        chores.spare(service, task, number)
        raise
    except BaseException:
        chores.failed(service, task, number)
        raise
    chores.done(service, task, number)


def settle(service: Service, limit: int = 1000) -> int:
    """Do all that is owed here and now, and what comes of it, in this process; how many tasks it took.

    A task that fails is logged and left: it is paused or set aside by its own count. A process that was told to stop
    leaves the rest.
    """
    done = 0
    tasks = owed(service)
    while tasks and done < limit:
        for task, number in tasks:
            if service.stopping():
                return done
            done += 1
            try:
                perform(service, task, number)
            except Exception as error:
                log.error("task_failed", task=name_of(task), number=number, kind=type(error).__name__)  # noqa: TRY400
        before, tasks = tasks, owed(service)
        if tasks == before:
            break
    return done


def _free(tried: Mapping[tuple[str, int], datetime], task: str, numbers: Sequence[int]) -> list[tuple[str, int]]:
    """As many as are looked for of those that don't rest, what was not tried yet first."""
    now = clock.now()
    free = [each for number in numbers if tried.get(each := (task, number), now) <= now]
    return sorted(free, key=lambda each: tried.get(each, EPOCH))[:LIMIT]


_MOST: BindParameter[int] = bindparam("most")
_FREE = (
    select(Game.id)
    .where(*rows_played_on(), or_(col(Game.not_before).is_(None), col(Game.not_before) <= NOW), *rows_all_read())
    .limit(_MOST)
)
_PASSED = _FREE.where(rows_past_deadline(bindparam("late", type_=Utc))).order_by(
    func.coalesce(Game.not_before, Game.deadline)
)
_SETTLED = _FREE.where(rows_settled(NOW)).order_by(func.coalesce(Game.not_before, Game.settle_until))
_TENDED = (
    select(Game.id)
    .where(col(Game.tend_at) <= NOW, col(Game.aside).is_(False), chores.free(TEND, Game.id))
    .order_by(chores.tried_at(TEND, Game.id).nulls_first(), col(Game.tend_at))
    .limit(_MOST)
)
"""Games that need something beside play."""
_UNREAD = (
    select(Inbound.id)
    .where(col(Inbound.status) == "stored", *RESTED, ROWS_IN_TURN)
    .order_by(col(Inbound.next_try))  # by an index; of what was not tried yet it is when it came in
    .limit(_MOST)
)
_WAITING = select(Letter.id).where(col(Letter.fate) == "queued", col(Letter.next_try) <= NOW).limit(1)
_LAPSED = select(Letter.id).where(col(Letter.fate).in_(("claimed", "begun")), col(Letter.lease) <= NOW).limit(1)


def _found(session: Session, query: Executable, at: Mapping[str, datetime]) -> list[int]:
    return list(columns(session, query, {**at, "most": LIMIT}).scalars())


def _unsent(session: Session, at: Mapping[str, datetime]) -> bool:
    return any(_found(session, query, at) for query in (_WAITING, _LAPSED)) or bool(urgent_letters(session))


_WORK: Mapping[str, Callable[[Service, int], object]] = {
    ADVANCE: advance,
    READ: read,
    REMIND: remind,
    INVITE: send_invitation,
    TEND: tend,
    OBSERVE: tell_observer,
    SEND: send,
}
