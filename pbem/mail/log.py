"""The log of mails and letters, for whoever runs the service: who, when, and what became of it; never what was said."""

from datetime import datetime
from itertools import chain
from typing import Any

import msgspec
from sqlalchemy.orm import defer
from sqlalchemy.sql.base import ExecutableOption
from sqlmodel import Session, col, select

from pbem.mail.outbox import AGAIN
from pbem.storage.models import Game, Inbound, Letter
from pbem.storage.models.mail import MARKED_AGAIN

IN, OUT = "in", "out"
FATES = (
    *("stored", "read", "held", "refused", "duplicate", "aside"),
    *("queued", "claimed", "begun", "sent", "unknown", "failed", "bounced", "complained", "withdrawn", AGAIN),
)
"""What can have become of a mail, as `Inbound.status` has it, and of a letter, as `Letter.fate` has it; or that it may
have gone out twice."""


class Wanted(msgspec.Struct, frozen=True):
    """What is asked for. Empty or None leaves it open; `limit` is for each way."""

    game_id: int | None = None
    seat: int | None = None
    address: str = ""
    fate: str = ""
    limit: int = 50


class Entry(msgspec.Struct, frozen=True):
    """A mail or a letter. `said` are a server's words, or the code of why a mail was not used."""

    at: datetime
    way: str
    number: int
    game: str
    seat: int | None
    address: str
    kind: str
    fate: str
    said: str


def entries(session: Session, wanted: Wanted) -> list[Entry]:
    """The newest first."""
    codes = dict(session.exec(select(Game.id, Game.code)).all())
    incoming = [] if wanted.address else _incoming(session, wanted, codes)
    return sorted(chain(incoming, _outgoing(session, wanted, codes)), key=lambda entry: entry.at, reverse=True)


def _outgoing(session: Session, wanted: Wanted, codes: dict[int | None, str]) -> list[Entry]:
    query = select(Letter).options(_without(Letter.content), _without(Letter.text))
    if wanted.game_id is not None:
        query = query.where(col(Letter.game_id) == wanted.game_id)
    if wanted.seat is not None:
        query = query.where(col(Letter.seat) == wanted.seat)
    if wanted.address:
        query = query.where(col(Letter.recipient) == wanted.address)
    if wanted.fate == AGAIN:
        query = query.where(MARKED_AGAIN)
    elif wanted.fate:
        query = query.where(col(Letter.fate) == wanted.fate)
    return [
        Entry(
            row.queued,
            OUT,
            row.id,
            codes.get(row.game_id, ""),
            row.seat,
            row.recipient,
            row.kind,
            row.fate,
            row.problem or row.answer,
        )
        for row in session.exec(query.order_by(col(Letter.queued).desc()).limit(wanted.limit))
    ]


def _incoming(session: Session, wanted: Wanted, codes: dict[int | None, str]) -> list[Entry]:
    query = select(Inbound).options(_without(Inbound.raw))
    if wanted.game_id is not None:
        query = query.where(col(Inbound.game_id) == wanted.game_id)
    if wanted.seat is not None:
        query = query.where(col(Inbound.seat) == wanted.seat)
    if wanted.fate:
        query = query.where(col(Inbound.status) == wanted.fate)
    return [
        Entry(
            row.received,
            IN,
            row.id or 0,
            codes.get(row.game_id, ""),
            row.seat,
            row.mail_from,
            row.source,
            row.status,
            row.problem,
        )
        for row in session.exec(query.order_by(col(Inbound.received).desc()).limit(wanted.limit))
    ]


def _without(column: Any) -> ExecutableOption:
    """Leaves what is long where it is: the log shows none of it."""
    return defer(column)
