"""The mail that an act came by: read in the same transaction as what it does."""

from sqlmodel import Session

from pbem.storage.models import Inbound


def mark_read(session: Session, inbound_id: int | None, status: str = "read") -> None:
    """The mail has been read: it no longer holds its stage."""
    if inbound_id is None:
        return
    inbound = session.get(Inbound, inbound_id)
    if inbound is not None:
        inbound.status, inbound.lease = status, None
        session.add(inbound)
