"""What keeps the service running: its settings, tasks that are counted, signs of life."""

from datetime import datetime

from sqlmodel import Field

from pbem.storage.base import Table
from pbem.storage.types import Utc


class Setting(Table, table=True):
    """A small fact that the service keeps about itself, such as a mailbox's UIDVALIDITY."""

    name: str = Field(primary_key=True)
    value: str


class Chore(Table, table=True):
    """A task of the sweep that was begun and is not done: how often it was tried, and when it may be again.

    `number` is that of the row that it is about. `aside` says that it was given up for a while.
    """

    task: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    attempts: int = 0
    next_try: datetime = Field(sa_type=Utc, index=True)
    aside: bool = False


class Heartbeat(Table, table=True):
    """When a process last said that it lives."""

    name: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Utc)
    detail: str = ""
