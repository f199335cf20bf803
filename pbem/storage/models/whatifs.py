"""What-ifs: copies of games that one person plays alone, and where each has stood."""

from datetime import datetime

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlmodel import Field

from pbem.storage.base import Table
from pbem.storage.types import Utc


class WhatIf(Table, table=True):
    """A copy of a game as it stood after journal entry `entry`, for one account. `words` are the public ones, as JSON.

    It has its own secret, or that of a game that was over. It is gone when it expires.
    """

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(unique=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    game_id: int = Field(foreign_key="game.id")
    entry: int
    title: str
    rules: str
    setup: bytes = Field(sa_type=LargeBinary)
    pace: str
    secret: bytes = Field(sa_type=LargeBinary)
    words: str
    created: datetime = Field(sa_type=Utc)
    expires: datetime = Field(sa_type=Utc, index=True)


class WhatIfMoment(Table, table=True):
    """Where a what-if stood after its act `number`, 0 for where it left its game: a `pbem.whatifs.playing.Moment`."""

    __table_args__ = (UniqueConstraint("what_if_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    what_if_id: int = Field(foreign_key="whatif.id", ondelete="CASCADE")
    number: int
    moment: bytes = Field(sa_type=LargeBinary)
