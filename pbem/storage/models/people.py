"""People: accounts, their addresses and absences, links to sign in, tokens, and what the site did to accounts."""

from datetime import datetime

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlmodel import Field

from pbem.storage.base import Table
from pbem.storage.types import Utc


class Account(Table, table=True):
    """A person. `language` is a code of our catalogs, `zone` a name of the zone database."""

    id: int | None = Field(default=None, primary_key=True)
    name: str
    language: str = "en"
    zone: str = "UTC"
    moderator: bool = False
    """Whether this account moderates every game of the site."""
    generation: int = 0
    """Raised to end all of the account's web sessions."""
    mails: str = "each"
    """When letters of its games go out: each at once, daily, or when asked."""
    mails_at: int = 480
    """When the daily one goes: minutes after midnight in its zone, as in `quiet_from` and `quiet_to`."""
    quiet_from: int = 0
    quiet_to: int = 0
    """Quiet hours that end as they begin are none."""
    remind_hours: int = 0
    """How long before a deadline that it has not met it is reminded; 0 for never."""
    calendar: bool = Field(default=False, index=True)
    """Whether deadlines come as invitations."""
    feed: int = 0
    """Raised to make the address of its calendar feed void."""
    blocked: datetime | None = Field(default=None, sa_type=Utc)
    """Since when it may not sign in, and its mail does nothing; it keeps its seats."""
    deleted: datetime | None = Field(default=None, sa_type=Utc)
    """When its person's data went: nothing is left of it but its number."""
    created: datetime = Field(sa_type=Utc)


class Address(Table, table=True):
    """A mail address of an account, in lower case. Letters go to the one that is `main`."""

    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    address: str = Field(unique=True)
    main: bool = True
    created: datetime = Field(sa_type=Utc)


class Absence(Table, table=True):
    """When a person is away: it holds for all of the account's games."""

    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    begins: datetime = Field(sa_type=Utc)
    ends: datetime = Field(sa_type=Utc)
    created: datetime = Field(sa_type=Utc)


class Note(Table, table=True):
    """What a player notes to themselves about a game, while they have the seat; shown to nobody else."""

    __table_args__ = (UniqueConstraint("game_id", "seat", "account_id"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: int
    account_id: int = Field(foreign_key="account.id", index=True)
    text: str
    changed: datetime = Field(sa_type=Utc)


class SignInLink(Table, table=True):
    """A link by mail: single use, short-lived. Only the hash of its secret is kept."""

    id: int | None = Field(default=None, primary_key=True)
    digest: bytes = Field(sa_type=LargeBinary, unique=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    purpose: str = "sign-in"
    target: str = ""
    """Where it leads after signing in, or what it confirms."""
    created: datetime = Field(sa_type=Utc)
    expires: datetime = Field(sa_type=Utc)
    used: datetime | None = Field(default=None, sa_type=Utc)


class ApiToken(Table, table=True):
    """A key for a person's own programs. Only the hash of its secret is kept; `scope`: read, play."""

    __table_args__ = (UniqueConstraint("account_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    name: str
    scope: str
    digest: bytes = Field(sa_type=LargeBinary, unique=True)
    created: datetime = Field(sa_type=Utc)
    used: datetime | None = Field(default=None, sa_type=Utc)
    """When it was used last, to the minute."""


class Unwanted(Table, table=True):
    """An address, in lower case, that is never invited again. `why`: declined, complained."""

    address: str = Field(primary_key=True)
    why: str
    at: datetime = Field(sa_type=Utc)


class SiteRecord(Table, table=True):
    """What was done to an account (`subject_id`), by a moderator of the site or, with none, the operator.

    `act`: blocked, unblocked, merged (the subject took another account in), exported, deleted. `params` is JSON and
    names nobody.
    """

    id: int | None = Field(default=None, primary_key=True)
    subject_id: int = Field(foreign_key="account.id", index=True)
    account_id: int | None = Field(default=None, foreign_key="account.id")
    act: str
    reason: str
    params: str = "{}"
    at: datetime = Field(sa_type=Utc)
