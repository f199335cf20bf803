"""Letters on their way into the outbox: finished when stored, known by their unique key, one thread a turn."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import structlog
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import SEND
from pbem.habits import OBSERVED, Habits
from pbem.mail.abovemark import with_mark
from pbem.mail.identity import Mark, Purpose
from pbem.mail.joining import hold_back
from pbem.mail.letters import Event, Outgoing, compose, is_sendable
from pbem.storage.bulk import insert_new, made
from pbem.storage.models import Account, Game, Letter
from pbem.words import Words

log = structlog.get_logger()

OPTIONAL = frozenset({"invitation", "offer", "observer-invited"})
"""Kinds of letter that a click ends for good; all others are what somebody plays by, or has asked for."""
STOPPABLE = OPTIONAL | {OBSERVED}
"""Those, and what a click ends for one game."""

BAD_ADDRESS = "bad-address"
"""The problem of a letter to an address that mail can't be sent to, as an earlier release took some."""
ANSWERED = (Purpose.ORDERS, Purpose.INVITATION, Purpose.RULING)
"""What letters are for that are answered in one's own words."""


@dataclass(frozen=True)
class Recipient:
    """To whom: an account at its address, and its seat where it has one. `account_id` is None for the operator.

    `habits` say when its letters are to come; None for at once.
    """

    account_id: int | None
    name: str
    address: str
    words: Words
    seat: int | None = None
    generation: int = 0
    habits: Habits | None = None

    @classmethod
    def of(cls, account: Account, address: str, seat: int | None = None, generation: int = 0) -> "Recipient":
        """An account, for its seat."""
        words = Words.of(account.language, account.zone)
        return cls(account.id, account.name, address, words, seat, generation, Habits.of(account))


@dataclass(frozen=True)
class Composed:
    """What a letter says. `pictures` are PNG bytes by the Content-ID that the HTML names; `event` is for a calendar."""

    subject: str
    text: str
    html: str
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    event: Event | None = None

    def with_event(self, event: Event) -> "Composed":
        """The same with something for a calendar."""
        return replace(self, event=event)


@dataclass(frozen=True)
class Envelope:
    """What a letter is. `key` is unique for good: writing the same letter twice stores it once."""

    kind: str
    key: str
    purpose: Purpose
    game: Game | None = None
    thread: str = ""


def finish(service: Service, envelope: Envelope, to: Recipient, composed: Composed) -> Letter:
    """The letter as it is stored: all bytes of it but the date of sending. It may wait for its reader's time.

    To an address that mail can't be sent to it has failed from the start. It is never refused: who can't be told is no
    harm to all who are told of the same, and to nothing that is done with it.
    """
    identity = service.identity
    number = identity.number(envelope.key)
    game = envelope.game
    purpose = _purpose(envelope, to)
    mark = Mark(number, purpose, to.generation)
    outgoing = Outgoing(
        mark,
        game.title if game else service.settings.sender_name,
        to.address,
        composed.subject,
        name=to.name,
        thread=envelope.thread,
        group=game.code if game else "",
        unsubscribe=f"{service.settings.url}/unsubscribe/{identity.token(mark)}" if envelope.kind in STOPPABLE else "",
    )
    text, html = composed.text, composed.html
    if purpose in ANSWERED:
        text, html = with_mark(text, html, _asks(purpose, to.words))
    now = clock.now()
    letter = made(
        Letter,
        id=number,
        key=envelope.key,
        kind=envelope.kind,
        game_id=game.id if game else None,
        seat=to.seat,
        generation=to.generation,
        account_id=to.account_id,
        recipient=to.address,
        message_id=identity.message_id(mark),
        references=identity.thread_id(envelope.thread) if envelope.thread else "",
        subject=composed.subject,
        content=b"",
        text=text,
        line=game.line if game else 0,
        stage_key=game.stage_key if game else "",
        next_try=now,
        due=now,
        queued=now,
    )
    if not is_sendable(to.address):
        log.error("not_reachable", account=to.account_id, seat=to.seat)
        letter.fate, letter.problem = "failed", BAD_ADDRESS
        return letter
    letter.content = compose(identity, outgoing, text, html, composed.pictures, composed.event)
    delay = to.habits.delay(envelope.kind, to.seat, now) if to.habits is not None else None
    if delay is not None:
        letter.next_try = letter.due = delay.until
        letter.patience, letter.problem = delay.patience, delay.why
    return letter


def _asks(purpose: Purpose, words: Words) -> str:
    """What stands in the line to write above."""
    if purpose is Purpose.RULING:
        return words.gettext('Write a command above this line, such as "status"')
    return words.gettext("Write your answer above this line")


def _purpose(envelope: Envelope, to: Recipient) -> Purpose:
    """What an answer to it is for. To whoever leads a game each letter about it is the address of their commands."""
    game = envelope.game
    leads = game is not None and to.account_id is not None and to.account_id == game.moderator_id and to.seat is None
    return Purpose.RULING if leads and envelope.purpose is not Purpose.CONFIRMATION else envelope.purpose


def numbers_of(session: Session, keys: Collection[str]) -> dict[str, int]:
    """The numbers of the letters with these unique keys, by key, as far as there are any.

    A number is asked for and never made again: that of a stored letter may be of an earlier release or signing key.
    """
    return dict(session.exec(select(Letter.key, Letter.id).where(col(Letter.key).in_(keys))).all())


def put(session: Session, *letters: Letter) -> None:
    """Into the outbox, each key once, to be sent when the session has committed.

    Acknowledgements beyond a number a day wait a while, to be sent as one: see `pbem.mail.joining`.
    """
    if letters:
        for letter in letters:
            hold_back(session, letter)
        insert_new(session, Letter, letters)
        nudge(session, SEND, 0)
