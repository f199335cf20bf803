"""The mail that an act came by: read in the same transaction as what it does."""

from sqlalchemy import bindparam, update
from sqlmodel import Session, col

from pbem.storage.models import Inbound

_READ = (
    update(Inbound).where(col(Inbound.id) == bindparam("mail")).values({"status": bindparam("becomes"), "lease": None})
)


def mark_read(session: Session, inbound_id: int | None, status: str = "read") -> None:
    """The mail has been read: it no longer holds its stage. Its row, with the whole mail in it, is not fetched."""
    if inbound_id is not None:
        session.connection().execute(_READ, {"mail": inbound_id, "becomes": status})
