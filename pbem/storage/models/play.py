"""Play: what was ordered, the journal and its caches, the stages that have closed, what seats were told of them."""

from datetime import datetime

from sqlalchemy import Index, LargeBinary, UniqueConstraint
from sqlmodel import Field

from pbem.storage.base import Table
from pbem.storage.types import Utc


class Submission(Table, table=True):
    """What a player sent at one time: never changed but for `used_late` and `undone`, only followed by another.

    `number` counts in the game and is the first half of an order's ref. `source`: mail, page, api, command,
    moderator, standin. `key` is unique: the same mail or form twice counts once. `text` is what was read and `reading`
    what was made of it.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "number"),
        Index("ix_submission_stage", "game_id", "stage_key", "seat"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: int
    number: int
    key: str = Field(unique=True)
    line: int
    stage_key: str
    received: datetime = Field(sa_type=Utc)
    stored: datetime = Field(sa_type=Utc)
    source: str
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)
    text: str
    reading: bytes = Field(sa_type=LargeBinary)
    late: bool = False
    used_late: datetime | None = Field(default=None, sa_type=Utc)
    acted: bool = False
    """Whether it changed the sheet or whether the seat is ready: then it can be taken back."""
    entry: int = 0
    """The number that the journal's next entry had when it was stored."""
    sheet_before: bytes = Field(default=b"", sa_type=LargeBinary)
    """The seat's `Sheet` before it."""
    ready_before: bool = False
    sent_before: bool = False
    undone: datetime | None = Field(default=None, sa_type=Utc)
    """When its player took it back."""


class JournalEntry(Table, table=True):
    """One entry of a game's journal: `entry` as the engine encodes it, its times and what follows from it beside it.

    `events` and `tried` are encoded lists: what reports of the stage are made from. `opened`, a list as in `Seals`, has
    the sheets whose seals are in the entry and that no other place opens.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "line", "number"),
        Index("ix_journalentry_stage", "game_id", "line", "stage_key"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    line: int
    number: int
    stage_key: str
    entry: bytes = Field(sa_type=LargeBinary)
    events: bytes = Field(sa_type=LargeBinary)
    tried: bytes = Field(default=b"", sa_type=LargeBinary)
    opened: bytes = Field(default=b"", sa_type=LargeBinary)
    public_hash: bytes = Field(sa_type=LargeBinary)
    at: datetime = Field(sa_type=Utc)


class Snapshot(Table, table=True):
    """A cache of the table after entry `number`: one of the last play, and one at the end of each stage.

    Rulings since then are not in it, and the journal gives the table again where it is missing or of no use.
    """

    __table_args__ = (UniqueConstraint("game_id", "line", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    line: int
    number: int
    stage_key: str
    closes: bool = False
    """Whether it stands at the end of a stage, and is kept."""
    table: bytes = Field(sa_type=LargeBinary)


class Seals(Table, table=True):
    """The sealed sheets of a stage that has closed: what each seat's last acknowledgement committed to, and the salt.

    `entry` is the last journal entry of the stage; `opened` an encoded list of `pbem.sheets.stored.Opened`.
    """

    __table_args__ = (UniqueConstraint("game_id", "line", "entry", "stage_key"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    line: int
    entry: int
    stage_key: str
    opened: bytes = Field(sa_type=LargeBinary)


class StageTime(Table, table=True):
    """A stage that has closed: when, and what it waited for.

    `number` counts in the game. `deadline` is the last one that it had, None where it had none. `closed_by`: ready (all
    had answered), deadline, ruling. `awaited` are the seats that had not answered when it closed, numbers with commas
    between.
    """

    __table_args__ = (UniqueConstraint("game_id", "line", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    line: int
    number: int
    stage_key: str
    opened: datetime = Field(sa_type=Utc)
    deadline: datetime | None = Field(default=None, sa_type=Utc)
    closed: datetime = Field(sa_type=Utc)
    closed_by: str
    awaited: str = ""


class Report(Table, table=True):
    """What one seat is told, as data (JSON, `pbem.reports.data.Report`); mail and page are rendered from it.

    `kind`: `stage` (opens a stage), `asked` (a decision came up on which play waits), `corrected`, `final`.
    """

    __table_args__ = (UniqueConstraint("game_id", "line", "seat", "entry", "kind"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    line: int
    seat: int
    kind: str
    entry: int
    """The number of the last journal entry that it knows of."""
    stage_key: str
    stage_number: int
    data: bytes = Field(sa_type=LargeBinary)
    picture: str = ""
    at: datetime = Field(sa_type=Utc)


class Picture(Table, table=True):
    """A drawn board, stored once: `id` is the hash of what it was drawn from."""

    id: str = Field(primary_key=True)
    svg: str
    png: bytes = Field(sa_type=LargeBinary)
    created: datetime = Field(sa_type=Utc)
