"""Mail: letters that go out, mails that came in, and messages between players."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, LargeBinary, text
from sqlmodel import Field

from pbem.storage.base import Table
from pbem.storage.types import Utc

MARKED_AGAIN = text("substr(problem, 1, 10) = 'sent-again'")
"""Letters that may have gone out twice, in the words of an index: a query uses it where it says the same."""


class Letter(Table, table=True):
    """An outgoing mail in the outbox.

    `id` is made from `key` before it is stored (`pbem.mail.identity.Identity.number`), but is found by it alone: each
    release and signing key makes another one. `key` is what stores a letter once.

    `fate`: queued, claimed, begun (the server has begun to take it), sent (a server took it: `answer` has its words),
    unknown, failed, bounced (it came back for good), complained, withdrawn, aside. `problem` has the words of whoever
    did not take it, or of a delay.
    `content` is the finished message, all but the date of sending. `lease` ends a claim; `next_try` holds it back.
    """

    __table_args__ = (
        Index("ix_letter_due", "fate", "next_try"),
        Index("ix_letter_account_waiting", "account_id", "game_id", "fate", "next_try"),
        Index("ix_letter_account_day", "account_id", "kind", "queued"),
        Index("ix_letter_lease", "fate", "lease"),
        Index("ix_letter_carrier", "carrier"),
        Index("ix_letter_seat", "game_id", "seat"),
        Index("ix_letter_again", "fate", sqlite_where=MARKED_AGAIN, postgresql_where=MARKED_AGAIN),
        Index("ix_letter_stage", "game_id", "stage_key", "seat"),
    )

    id: int = Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})
    key: str = Field(unique=True)
    kind: str
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    generation: int = 0
    """The seat's generation when it was written: the reply address is good for that one alone."""
    account_id: int | None = Field(default=None, foreign_key="account.id", index=True)
    recipient: str
    """The address that it goes to."""
    message_id: str = Field(unique=True)
    references: str = ""
    subject: str
    content: bytes = Field(sa_type=LargeBinary)
    text: str = ""
    """The plain text that was sent: a reply quotes it, and the reader subtracts it."""
    line: int = 0
    stage_key: str = ""
    fate: str = "queued"
    attempts: int = 0
    """How often it was claimed, but for claims that were given back untried."""
    deferred: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How often a server put it off: of the attempts, those that were no fault of ours."""
    lease: datetime | None = Field(default=None, sa_type=Utc)
    next_try: datetime = Field(sa_type=Utc)
    patience: datetime | None = Field(default=None, sa_type=Utc)
    """A letter that waits for its player's time goes at once where a deadline that the player must meet is earlier."""
    queued: datetime = Field(sa_type=Utc)
    due: datetime | None = Field(default=None, sa_type=Utc)
    """From when on it should go out: later than `queued` where it waits for its reader's time."""
    carrier: int | None = Field(default=None, sa_type=BigInteger)
    """The letter that it was joined into."""
    sent: datetime | None = Field(default=None, sa_type=Utc)
    answer: str = ""
    bounced: datetime | None = Field(default=None, sa_type=Utc)
    problem: str = ""


class Inbound(Table, table=True):
    """A mail as it arrived, kept raw.

    `status`: stored (not read yet), read, held (waits for the player's word), refused, duplicate, aside. `game_id`,
    `seat` and `letter_id` are found from the token when it is stored: a stage does not close while one of its seats has
    a stored mail received by the deadline. What a page or the API sends is here while it waits for older mails, and
    then an empty row (`pbem.mail.posted`).
    """

    __table_args__ = (
        Index("ix_inbound_due", "status", "next_try"),
        Index("ix_inbound_seat", "game_id", "status", "received"),
    )

    id: int | None = Field(default=None, primary_key=True)
    raw: bytes = Field(sa_type=LargeBinary)
    digest: bytes = Field(sa_type=LargeBinary, index=True)
    received: datetime = Field(sa_type=Utc)
    source: str = "smtp"
    mail_from: str = ""
    rcpt_to: str = ""
    """The envelope's recipients, a line each."""
    status: str = "stored"
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    letter_id: int | None = Field(default=None, sa_type=BigInteger, foreign_key="letter.id")
    attempts: int = 0
    lease: datetime | None = Field(default=None, sa_type=Utc)
    next_try: datetime = Field(sa_type=Utc)
    problem: str = ""


class Press(Table, table=True):
    """A message between players. `seats` are those it went to, numbers with commas between.

    `sender` None is the moderator. `key` is unique for good, and the letters that carry it have it in theirs; None for
    messages from before there were keys.
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    sender: int | None
    seats: str
    text: str
    stage_key: str
    at: datetime = Field(sa_type=Utc)
    key: str | None = Field(default=None, unique=True)
    everyone: bool = False
    """Whether it is for all players."""
    to_moderator: bool = False
    """Whether it went to the moderator too."""
    anonymous: bool = False
    """Whether its readers are not told who wrote it, until the game is over."""
    answers: str = ""
    """The key of the message that it answers, empty for none."""
    veiled: bool = False
    """Whether its writer does not know whom it went to: it answers an anonymous message."""
