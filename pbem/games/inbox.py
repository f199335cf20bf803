"""The mail that an act came by: read in the same transaction as what it does."""

from sqlalchemy import bindparam, update
from sqlmodel import Session, col

from pbem.storage.models import Inbound

_OPEN = ("stored", "held")
_READ = (
    update(Inbound)
    .where(col(Inbound.id) == bindparam("mail"), col(Inbound.status).in_(_OPEN))
    .values({"status": bindparam("becomes"), "lease": None})
)


def mark_read(session: Session, inbound_id: int | None, status: str = "read") -> bool:
    """The mail has been read: it no longer holds its stage. Its row, with the whole mail in it, is not fetched.

    False where it was dealt with before, as by another reader after this one's lease: what it was then stays on record.
    """
    if inbound_id is None:
        return False
    found = session.connection().execute(_READ, {"mail": inbound_id, "becomes": status})
    return found.rowcount == 1
