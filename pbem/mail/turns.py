"""Which stored mail may be read, and by whom: those of a seat in the order in which they came, one after the other.

Attempts are counted before the work begins. A lease keeps other readers away; what two of them do with one mail all the
same, as where the first was slow, counts once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Executable, bindparam, case, exists, func, inspect, literal, null, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.storage.bulk import made
from pbem.storage.models import Inbound
from pbem.storage.sessions import columns
from pbem.storage.types import NOW, Utc

_earlier = aliased(Inbound)
_IN_TURN = ~exists().where(
    col(_earlier.game_id) == col(Inbound.game_id),
    col(_earlier.seat) == col(Inbound.seat),
    col(_earlier.status) == "stored",
    col(_earlier.id) < col(Inbound.id),
)
"""No earlier mail of its seat waits to be read: the last word counts, whoever reads what at the same time."""
_firsts = (
    select(func.min(_earlier.id))
    .where(col(_earlier.status) == "stored", col(_earlier.seat).is_not(None))
    .group_by(col(_earlier.game_id), col(_earlier.seat))
)
ROWS_IN_TURN = or_(col(Inbound.seat).is_(None), col(Inbound.id).in_(_firsts))
"""The same for a query over all mails: where two seats of a game have thousands, to ask of each would take seconds."""
RESTED = or_(col(Inbound.lease).is_(None), col(Inbound.lease) <= NOW), col(Inbound.next_try) <= NOW
"""Nobody is at it, and it does not pause after a try."""


_CAME_BEFORE = exists().where(
    col(_earlier.digest) == col(Inbound.digest),
    col(_earlier.letter_id).is_not_distinct_from(col(Inbound.letter_id)),
    col(_earlier.id) < col(Inbound.id),
    col(_earlier.status) != "aside",
)
_NAMES = [column.key for column in inspect(Inbound).columns]


def _taking(*where: Any) -> Any:
    """Counts an attempt and takes the lease, where it is the mail's turn and that holds too."""
    return (
        update(Inbound)
        .where(col(Inbound.id) == bindparam("number"), col(Inbound.status) == "stored", _IN_TURN, *where)
        .values(attempts=col(Inbound.attempts) + 1, lease=bindparam("until"))
        .returning(*inspect(Inbound).columns, _CAME_BEFORE)
    )


# Each mail needs these: building a statement takes longer than carrying it out.
_FREE = _taking(*RESTED)
_HURRIED = _taking(col(Inbound.attempts) < bindparam("most"))
_WAITING = (
    select(Inbound.id)
    .where(col(Inbound.game_id) == bindparam("game"), col(Inbound.seat) == bindparam("seat"))
    .where(col(Inbound.status) == "stored")
    .order_by(col(Inbound.id))
)
_NEXT = _WAITING.limit(1)


@dataclass(frozen=True)
class Begun:
    """A mail that is to be read, with an attempt counted and a lease taken.

    `again`: the same one, by its Message-ID and body, in answer to the same letter was stored before. One that was set
    aside does not count: its player was asked to send it again.
    """

    inbound: Inbound
    again: bool


def begin(service: Service, number: int) -> Begun | None:
    """The mail; None where it is not to be read now."""
    now = clock.now()
    until = now + clock.span(service.settings.lease_seconds)
    return _take(service, _FREE, {"number": number, "now": now, "until": until})


def take_over(service: Service, number: int) -> Begun | None:
    """The same whoever has the lease and however the mail pauses; None where no attempt but the last is left.

    That one is made in its own time: a mail is given up when it fails, and what was wrong may pass in a pause.
    """
    until = clock.now() + clock.span(service.settings.lease_seconds)
    return _take(service, _HURRIED, {"number": number, "most": service.settings.attempts - 1, "until": until})


def _take(service: Service, statement: Executable, params: Mapping[str, Any]) -> Begun | None:
    with service.writing() as session:
        row = columns(session, statement, params).one_or_none()
    if row is None:
        return None
    *values, again = row
    return Begun(made(Inbound, **dict(zip(_NAMES, values, strict=True))), again)


def waiting(service: Service, game_id: int, seat: int) -> list[int]:
    """The mails of a seat that are not read yet, in their order."""
    with service.database.asking() as connection:
        return list(connection.execute(_WAITING, {"game": game_id, "seat": seat}).scalars())


def unread(service: Service, numbers: Sequence[int]) -> list[int]:
    """Those of the mails that are not read yet, in their order."""
    query = select(Inbound.id).where(col(Inbound.id).in_(numbers), col(Inbound.status) == "stored")
    with service.database.asking() as connection:
        return list(connection.execute(query.order_by(col(Inbound.id))).scalars())


def following(service: Service, inbound: Inbound) -> int | None:
    """The next mail of the same seat, which had to wait for this one."""
    if inbound.game_id is None or inbound.seat is None:
        return None
    with service.database.asking() as connection:
        number: int | None = connection.execute(_NEXT, {"game": inbound.game_id, "seat": inbound.seat}).scalar()
    return number


def put_back(service: Service, inbound: Inbound, pause: float) -> None:
    """Let it be read again after so many real seconds, unless another has begun meanwhile."""
    ours = col(Inbound.id) == inbound.id, col(Inbound.status) == "stored", col(Inbound.lease) == inbound.lease
    later = clock.now() + clock.span(pause)
    with service.writing() as session:
        session.execute(update(Inbound).where(*ours).values(lease=None, next_try=later))


def spare(service: Service, inbound: Inbound, pause: float) -> None:
    """The same without counting the attempt, as soon as the database is there.

    Where the process ends first, the attempt counts as one that ended its process, which it did.
    """
    later = clock.now() + clock.span(pause)
    ours = col(Inbound.lease) == inbound.lease

    def write() -> None:
        # Maybe not before another has begun, whose lease stays; written twice it gives the mail one attempt more.
        # One statement: of a row that a transaction changes twice PostgreSQL looks up all that it refers to.
        with service.writing() as session:
            session.execute(
                update(Inbound)
                .where(col(Inbound.id) == inbound.id, col(Inbound.status) == "stored")
                .values(
                    attempts=case((col(Inbound.attempts) > 0, col(Inbound.attempts) - 1), else_=0),
                    lease=case((ours, null()), else_=col(Inbound.lease)),
                    next_try=case((ours, literal(later, Utc)), else_=col(Inbound.next_try)),
                )
            )

    service.unwritten.keep(write)
