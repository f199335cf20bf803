"""Letters on their way into the outbox: finished when stored, numbered from their unique key, one thread a turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formataddr

from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import SEND
from pbem.mail.identity import Mark, Purpose
from pbem.storage.models import Account, Game, Letter, letter_id
from pbem.words import Words


@dataclass(frozen=True)
class Recipient:
    """To whom: an account at its address, and its seat where it has one. `account_id` is None for the operator."""

    account_id: int | None
    name: str
    address: str
    words: Words
    seat: int | None = None
    generation: int = 0

    @classmethod
    def of(cls, account: Account, address: str, seat: int | None = None, generation: int = 0) -> "Recipient":
        """An account, for its seat."""
        words = Words.of(account.language, account.zone)
        return cls(account.id, account.name, address, words, seat, generation)


@dataclass(frozen=True)
class Composed:
    """What a letter says. `pictures` are PNG bytes by the Content-ID that the HTML names."""

    subject: str
    text: str
    html: str
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Envelope:
    """What a letter is. `key` is unique for good: writing the same letter twice stores it once."""

    kind: str
    key: str
    purpose: Purpose
    game: Game | None = None
    thread: str = ""


def finish(service: Service, envelope: Envelope, to: Recipient, composed: Composed) -> Letter:
    """The letter as it is stored: all bytes of it but the date of sending."""
    identity = service.identity
    number = letter_id(envelope.key)
    mark = Mark(number, envelope.purpose, to.generation)
    message_id = identity.message_id(mark)
    references = identity.thread_id(envelope.thread) if envelope.thread else ""
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr((service.settings.sender_name, identity.reply_address(mark)))
    message["To"] = to.address
    message["Subject"] = " ".join(composed.subject.split())
    message["Message-ID"] = message_id
    if references:
        message["In-Reply-To"] = references
        message["References"] = references
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message.set_content(composed.text, cte="quoted-printable")
    message.add_alternative(composed.html, subtype="html", cte="quoted-printable")
    html = message.get_payload()[1]  # type: ignore[index]
    for name, png in composed.pictures.items():
        html.add_related(png, "image", "png", cid=f"<{name}>", filename=f"{name}.png")  # type: ignore[union-attr]
    game = envelope.game
    now = clock.now()
    return Letter(
        id=number,
        key=envelope.key,
        kind=envelope.kind,
        game_id=game.id if game else None,
        seat=to.seat,
        generation=to.generation,
        account_id=to.account_id,
        recipient=to.address,
        message_id=message_id,
        references=references,
        subject=str(message["Subject"]),
        content=message.as_bytes(),
        text=composed.text,
        line=game.line if game else 0,
        stage_key=game.stage_key if game else "",
        next_try=now,
        queued=now,
    )


def put(session: Session, *letters: Letter) -> None:
    """Into the outbox, each key once, to be sent when the session has committed."""
    known = set(session.exec(select(Letter.id).where(col(Letter.id).in_([letter.id for letter in letters]))))
    new = [letter for letter in letters if letter.id not in known]
    session.add_all(new)
    if new:
        nudge(session, SEND, 0)
