"""What a seat's player sent after a post and was taken before it: a mailbox was fetched late, or a mail was held.

The last word is what we received last, not what we came to last.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from pbem import clock
from pbem.games.position import Position
from pbem.sheets.folding import Sent
from pbem.sheets.received import Post
from pbem.sheets.stored import decode_reading, orders_for_once
from pbem.storage.models import Submission
from pbem.storage.sessions import columns

_NEWER = (
    select(
        *(col(Submission.number), col(Submission.received), col(Submission.stored)),
        *(col(Submission.reading), col(Submission.late), col(Submission.acted)),
    )
    .where(col(Submission.game_id) == bindparam("game"), col(Submission.seat) == bindparam("seat"))
    .where(col(Submission.received) > bindparam("received"), col(Submission.received) <= bindparam("now"))
    .where(col(Submission.stored) >= bindparam("joined"), col(Submission.undone).is_(None))
    .order_by(col(Submission.received), col(Submission.number))
)
"""What is from the future was sent before the clock was set right, and so before what comes now."""


class Since(msgspec.Struct, frozen=True):
    """`acts` are those that changed the sheet or readiness, by when they were received; `at` is the last one's time."""

    acts: Sequence[Sent] = ()
    at: datetime | None = None
    commands: frozenset[str] = frozenset()
    """The commands in all that was sent since."""


def sent_since(session: Session, stands: Position, post: Post) -> Since:
    """What the seat's present player sent since a post was received."""
    about = {"game": post.game_id, "seat": post.seat, "received": post.received, "now": clock.now()}
    joined = stands.seats[post.seat].joined or stands.game.created
    newer = columns(session, _NEWER, {**about, "joined": joined}).all()
    acts = [row for row in newer if row.acted]
    readings = [decode_reading(stands.rules, row.reading) for row in newer]
    return Since(
        [_sent(session, stands, post.seat, row) for row in acts],
        acts[-1].received if acts else None,
        frozenset(command.name for reading in readings for command in reading.commands),
    )


def _sent(session: Session, stands: Position, seat: int, row: Any) -> Sent:
    """A submission to be folded again."""
    game, used = stands.game, col(Submission.used_late) == row.stored
    mine = col(Submission.game_id) == game.id, col(Submission.seat) == seat
    admitted = session.scalars(select(Submission).where(*mine, used).order_by(col(Submission.number))).all()
    return Sent(
        row.number,
        decode_reading(stands.rules, row.reading),
        row.late or row.stored < (game.opened or game.created),
        tuple(orders_for_once(stands.rules, each) for each in admitted),
    )
