"""What a page or the API sends while older mails of its seat wait: it stands in line with them until it is taken.

So it holds its stage as they do, and mails that come meanwhile wait for it. It is taken by who brought it. Where they
are cut off, whoever comes upon it once their lease has run out takes it, as they would a mail.
"""

import msgspec
from sqlalchemy import Update, update
from sqlmodel import col

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE, READ
from pbem.mail import turns
from pbem.sheets.received import Post
from pbem.storage.models import Inbound

SOURCES = frozenset({"page", "api"})


def stand_in_line(service: Service, post: Post) -> int:
    """Commit it behind the mails that are there; the number of its place."""
    row = Inbound(
        raw=msgspec.json.encode(post),
        digest=b"",
        received=post.received,
        source=post.source,
        game_id=post.game_id,
        seat=post.seat,
        lease=clock.now() + clock.span(service.settings.lease_seconds),
        next_try=post.received,
    )
    with service.writing() as session:
        session.add(row)
        session.flush()
        assert row.id is not None
        return row.id


def post_in(place: Inbound) -> Post:
    """What stands there."""
    return msgspec.json.decode(place.raw, type=Post)


def gives_up(service: Service, number: int) -> bool:
    """Take it out of the line untaken; False where its turn has come meanwhile and somebody has begun to take it."""
    untouched = col(Inbound.status) == "stored", col(Inbound.attempts) == 0
    with service.writing() as session:
        found = session.connection().execute(_over(number).where(*untouched))
    return found.rowcount == 1


def leave_line(service: Service, number: int, post: Post) -> None:
    """It was taken, or it was not and who sent it knows: the next mail has its turn, and play may go on."""

    def write() -> None:
        # Where the database is away until the process ends, it is taken then; what was taken counts once.
        with service.writing() as session:
            session.connection().execute(_over(number))
            nudge(session, ADVANCE, post.game_id)
        for following in turns.waiting(service, post.game_id, post.seat)[:1]:
            service.door.publish(READ, following)

    service.unwritten.keep(write)


def _over(number: int) -> Update:
    """Nothing stands there any more. The row stays: SQLite gives the number of a last one that went to the next mail,
    and a slow reader who gives this place up must not give that up."""
    place = col(Inbound.id) == number, col(Inbound.source).in_(SOURCES)
    return update(Inbound).where(*place).values(status="read", raw=b"", lease=None, problem="")
