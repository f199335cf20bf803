"""Mails as they arrive: stored raw before anything else is done with them, several in a transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ScalarResult, and_, bindparam, insert, select
from sqlalchemy.orm import defer
from sqlmodel import Session, col

from pbem import crashing
from pbem.accounts import addresses
from pbem.context import Service
from pbem.door import READ, READING
from pbem.mail.message import Mail, read_head
from pbem.mail.proof import fails
from pbem.storage.bulk import made, rows
from pbem.storage.models import Account, Inbound, Letter, Seat
from pbem.storage.sessions import columns


class Arrived(msgspec.Struct, frozen=True):
    """A mail and its envelope. `mail_from` is "<>" for the null sender, empty where it is not known.

    `source` is the way by which it came: smtp, pipe, imap, postmark, mailgun, raw.
    """

    raw: bytes
    received: datetime
    mail_from: str = ""
    recipients: tuple[str, ...] = ()
    source: str = "smtp"


FULL = 25
"""How many nudges may wait for each worker process where a mail gives one more: half of what a sweep gives
(`pbem.sweep.ROOM`), which takes mails in the order in which they came, where more come than are read."""
Beside = Callable[[Session], None]
"""What is written in the same transaction."""


_ANSWERED = (
    select(
        col(Letter.id), col(Letter.game_id), col(Letter.account_id), col(Seat.number), col(Seat.generation),
        col(Seat.resigned),
    )
    .select_from(Letter)
    .outerjoin(Seat, and_(col(Seat.game_id) == col(Letter.game_id), col(Seat.number) == col(Letter.seat)))
    .where(col(Letter.id) == bindparam("letter"))
)  # fmt: skip
_STORED = insert(Inbound).returning(col(Inbound.id), sort_by_parameter_order=True)
_SUBJECT = (
    select(
        Letter, col(Seat.account_id), col(Seat.generation), col(Seat.resigned), col(Seat.joined), col(Account.blocked)
    )
    .outerjoin(Seat, and_(col(Seat.game_id) == col(Letter.game_id), col(Seat.number) == col(Letter.seat)))
    .outerjoin(Account, col(Account.id) == col(Letter.account_id))
    .where(col(Letter.id) == bindparam("letter"))
    .options(defer(Letter.content))  # type: ignore[arg-type]
)


class Holding(msgspec.Struct, frozen=True):
    """Who holds a seat: an account, if any, and under which reply addresses."""

    account_id: int | None
    generation: int
    resigned: datetime | None
    joined: datetime | None


class Answered(msgspec.Struct, frozen=True):
    """A letter that is answered, who holds the seat now that it is about, and whether its account is blocked."""

    letter: Letter
    holding: Holding | None
    blocked: bool


def take_in(service: Service, mail: Arrived, beside: Beside | None = None) -> int:
    """Commit one mail and let it be read; its number."""
    [number] = store(service, [mail], beside)
    crashing.at("mail-stored")
    let_read(service, [number])
    return number


def let_read(service: Service, numbers: Sequence[int]) -> None:
    """Nudge for these mails, unless so much waits for the workers that the sweep has to share out what they can do."""
    if service.door.waiting(READING) > FULL * service.settings.worker_processes:
        return
    for number in numbers:
        service.door.publish(READ, number)


def store(service: Service, arrived: Sequence[Arrived], beside: Beside | None = None) -> list[int]:
    """Commit the mails; their numbers, in order. Publishes nothing: whoever waits for an answer comes first."""
    heads = [read_head(mail.raw, (mail.mail_from, mail.recipients)) for mail in arrived]
    with service.database.writing() as session:
        if beside is not None:
            beside(session)
            session.flush()
        found = [_row(service, session, mail, head) for mail, head in zip(arrived, heads, strict=True)]
        numbers: ScalarResult[Any] = session.connection().execute(_STORED, rows(Inbound, found)).scalars()
        return list(numbers)


def is_players(session: Session, letter: Letter, mail: Mail, authserv_id: str) -> bool:
    """Whether the mail's sender is the account that the letter went to, as far as our own server can tell."""
    if letter.account_id is None or fails(mail.proofs, authserv_id):
        return False
    return mail.sender in addresses(session, letter.account_id)


def answered(session: Session, number: int) -> Answered | None:
    """The letter of that number, without its large `content`, and what it stands for by now."""
    found = session.execute(_SUBJECT, {"letter": number}).first()
    if found is None:
        return None
    letter, account_id, generation, resigned, joined, blocked = found
    holding = None if generation is None else Holding(account_id, generation, resigned, joined)
    return Answered(letter, holding, blocked is not None)


def speaks(holding: Holding | None, generation: int) -> bool:
    """Whether a letter of that generation still speaks for its seat."""
    return holding is not None and holding.generation == generation and holding.resigned is None


def _row(service: Service, session: Session, mail: Arrived, head: Mail) -> Inbound:
    row = made(
        Inbound,
        raw=mail.raw,
        digest=head.digest,
        received=mail.received,
        source=mail.source,
        mail_from=mail.mail_from,
        rcpt_to="\n".join(mail.recipients),
        next_try=mail.received,
    )
    mark = service.identity.find(head.recipients, head.answers).mark
    found = columns(session, _ANSWERED, {"letter": mark.letter}).first() if mark is not None else None
    if mark is None or found is None:
        return row
    row.letter_id, row.game_id, account, seat, generation, resigned = found
    # Only a mail that will be read as the seat's own holds the seat's stage.
    theirs = account is not None and not head.automatic and not fails(head.proofs, service.settings.authserv_id)
    if theirs and generation == mark.generation and resigned is None:
        row.seat = seat if head.sender in addresses(session, account) else None
    return row


def plain(address: str) -> str:
    """An address from an envelope as it can be stored."""
    return address.encode("utf-8", "replace").decode("utf-8").replace("\0", "")[:1000]
