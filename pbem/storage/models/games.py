"""Games: who sits in them, who waits for a seat, what is ruled, proposed and voted."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, LargeBinary, UniqueConstraint, text
from sqlmodel import Field

from pbem.storage.base import Table
from pbem.storage.types import Utc

SHOWN_TO_ALL = text("""(listed OR policy LIKE '%"observers":"anybody"%')""")
"""Games that everybody may be shown, in the words of an index: a query uses it where it says the same."""


class Game(Table, table=True):
    """One match. `version` is raised by every submission, ready flag, ruling and change of deadline.

    `status`: inviting, starting, playing, over, cancelled, moved. `aside` says that the service gave up on it
    after failures: its deadline stops until a moderator takes it up again.
    """

    __table_args__ = (
        Index("ix_game_due_deadline", "status", "aside", "deadline"),
        Index("ix_game_due_settle", "status", "aside", "settle_until"),
        Index("ix_game_shown", "status", "id", sqlite_where=SHOWN_TO_ALL, postgresql_where=SHOWN_TO_ALL),
        Index("ix_game_listed", "listed", "status", "id"),
        Index("ix_game_led", "moderator_id", "id"),
        Index("ix_game_archived", "archived", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(unique=True)
    title: str
    rules: str
    rules_version: int
    setup: bytes = Field(sa_type=LargeBinary)
    """An `engine.contract.Setup`."""
    pace: str
    stage_seconds: int
    settling_seconds: int = 600
    absence: str = "wait"
    """What it does when a player is away: one of `pbem.games.away.POLICIES`, or a level of stand-ins."""
    policy: str = ""
    """What it does when no orders come: a `pbem.games.policy.Policy` as JSON, empty for the defaults."""
    schedule: str = ""
    """When its stages may end: a `pbem.games.schedule.Schedule` as JSON, empty for the defaults."""
    grace_seconds: int = 0
    """For how long after a deadline orders still count: as the schedule says."""
    held: str = ""
    """Why it stands still with no deadline, empty where it does not: one of `pbem.games.policy.HELD`."""
    held_since: datetime | None = Field(default=None, sa_type=Utc)
    review: bool = False
    """Whether nothing is played or sent until the moderator has looked it over."""
    agreed: str = ""
    """How it ends before its rules end it: `draw`, `concede` with a seat, `ruled`; empty while it is played on."""
    voting: bool = False
    """Whether a proposal of its players is open."""
    quiet: int = 0
    """How many deadlines in a row passed in stages in which nobody had sent anything."""
    tend_at: datetime | None = Field(default=None, sa_type=Utc, index=True)
    """When the service looks after it next (`pbem.games.tending`); None where nothing is to come."""
    observed: bool = False
    """Whether somebody observes it."""
    seating: str = ""
    """How open seats are given: one of `pbem.games.gathering.SEATINGS`, empty where nobody comes uninvited."""
    listed: bool = False
    """Whether everybody who signs in is shown that seats are open."""
    anonymous: bool = False
    """Whether players learn only at its end who plays which side."""
    starts_at: datetime | None = Field(default=None, sa_type=Utc)
    """When it begins with those who have joined; None for when the last has."""
    status: str = "inviting"
    moderator_id: int | None = Field(default=None, foreign_key="account.id")
    version: int = 0
    line: int = 0
    epoch: int = 0
    secret: bytes = Field(sa_type=LargeBinary)
    secret_hash: bytes = Field(sa_type=LargeBinary)
    head: bytes = Field(default=b"", sa_type=LargeBinary)
    next_entry: int = 0
    next_submission: int = 1
    next_ruling: int = 1
    stage_key: str = ""
    stage_number: int = 0
    """Counts the stages that have opened: 1 for the first."""
    opened: datetime | None = Field(default=None, sa_type=Utc)
    deadline: datetime | None = Field(default=None, sa_type=Utc)
    settle_until: datetime | None = Field(default=None, sa_type=Utc)
    """From when play goes on before the deadline; None while it waits for orders."""
    waiting: str = ""
    """The seats that play stands still for, as numbers with commas between."""
    forced: bool = False
    """Whether the stage is to be closed whatever is missing: its deadline has passed or a moderator said so."""
    failures: int = 0
    """How often in a row the work on it was begun and not brought to its end."""
    not_before: datetime | None = Field(default=None, sa_type=Utc)
    """Until when nobody takes up the work: a lease while it is under way, a pause after a failure."""
    aside: bool = False
    problem: str = ""
    """A code for why the game was set aside, never the text of an exception."""
    sequence: int = 0
    """Raised with each change of the deadline: the SEQUENCE of calendar entries."""
    created: datetime = Field(sa_type=Utc)
    started: datetime | None = Field(default=None, sa_type=Utc)
    ended: datetime | None = Field(default=None, sa_type=Utc)
    archived: datetime | None = Field(default=None, sa_type=Utc)
    """When it was put away: it is kept, and in no list but that of the archive."""

    @property
    def stopped(self) -> str:
        """Why it stands still, empty where it does not: one of `pbem.games.policy.HELD`, or `REVIEW`."""
        if self.review:
            return "review"
        return self.held if self.deadline is None else ""


class Seat(Table, table=True):
    """A side in a game. `account_id` is its player; `standin` a level of the rules module's bots, or empty.

    `generation` makes older reply addresses void when raised.
    """

    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    name: str
    account_id: int | None = Field(default=None, foreign_key="account.id", index=True)
    standin: str = ""
    generation: int = 0
    public_word: str = ""
    invited: datetime | None = Field(default=None, sa_type=Utc)
    """When its guest was invited."""
    joined: datetime | None = Field(default=None, sa_type=Utc)
    resigned: datetime | None = Field(default=None, sa_type=Utc)
    ready: bool = False
    passes: bool = False
    """Whether the player said `ready` with something asked left open: the pending decision takes its default."""
    sent: bool = False
    """Whether orders came in this stage."""
    silent: bool = False
    """Whether the deadline has passed over this seat in this stage: what it does not answer takes the default."""
    told: int = 0
    """The last journal entry that its reports have told of."""
    missed: int = 0
    """How many stages in a row asked it for orders and closed without any."""
    extensions: int = 0
    """How often a deadline was put off for it because it was silent."""
    reminded: datetime | None = Field(default=None, sa_type=Utc)
    """The deadline that its player was reminded of last; of a guest, the moment by which to answer the invitation."""
    calendar_at: datetime | None = Field(default=None, sa_type=Utc, index=True)
    """The deadline in its player's calendar; None where it was cancelled, or no invitation went."""
    calendar_sequence: int = 0
    """How many invitations and cancellations went: the SEQUENCE of the last."""
    mutes: str = ""
    """Whose messages its player does not want by mail: numbers of seats and `anonymous`, with commas between."""
    press_muted: bool = False
    """Whether a moderator has ruled that its messages go to no player."""
    sheet: bytes = Field(default=b"", sa_type=LargeBinary)
    """The `Sheet` that stands now; it follows from the submissions."""
    nonce: bytes = Field(default=b"", sa_type=LargeBinary)
    """The salt of the seal in the latest acknowledgement: seal and salt are opened when the stage has closed."""
    seal: bytes = Field(default=b"", sa_type=LargeBinary)
    """That seal, as it was told. It is kept, not made again from the sheet, so that another sheet does not fit it."""


class Tenure(Table, table=True):
    """Who held a seat before its present player, and so knows what it knew until then."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    seat: int
    joined: datetime = Field(sa_type=Utc)
    left: datetime = Field(sa_type=Utc)


class Standby(Table, table=True):
    """Who waits for a seat of a game, in the order of `id`, or is asked to take one (`seat`).

    `wish` is the one side that they want, None for any. `waits` says whether they asked for a seat themselves; else
    a moderator asked them, with a `reason` that all players are told.
    """

    __table_args__ = (UniqueConstraint("game_id", "account_id"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    wish: int | None = None
    waits: bool = False
    reason: str = ""
    seat: int | None = None
    """The seat that is offered to them, None where none is."""
    asked: datetime | None = Field(default=None, sa_type=Utc)
    """When it was offered."""
    letter_id: int | None = Field(default=None, sa_type=BigInteger, foreign_key="letter.id")
    """The letter that offers it."""
    created: datetime = Field(sa_type=Utc)


class Observer(Table, table=True):
    """Who observes a game (`since`), is invited to (`invited`), or may not any more (`barred`).

    `told` is the last entry of the journal, on that `line`, of which their letters have told; it follows what is to be
    sent. `stage_number` and `status` are the game's when that was looked at last.
    """

    __table_args__ = (UniqueConstraint("game_id", "account_id"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    invited: bool = False
    since: datetime | None = Field(default=None, sa_type=Utc)
    barred: datetime | None = Field(default=None, sa_type=Utc)
    letters: bool = True
    """Whether a letter comes of each turn; the page is there in any case."""
    line: int = 0
    told: int = 0
    stage_number: int = -1
    status: str = ""
    created: datetime = Field(sa_type=Utc)


class Ruling(Table, table=True):
    """A moderator's act on a game. `params` is JSON; `secret` marks a look at hidden things.

    `actor` is the moderator's name as the players see it. `told` is the stage in whose report it stands.
    """

    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    line: int
    entry: int = 0
    """The number of its journal entry; 0 until the game has begun: its entry then follows the start."""
    account_id: int | None = Field(default=None, foreign_key="account.id")
    actor: str
    act: str
    reason: str
    params: str = "{}"
    secret: bool = False
    told: str = ""
    at: datetime = Field(sa_type=Utc)


class Proposal(Table, table=True):
    """What somebody proposes to a game's players: kinds and outcomes are those of `pbem.voting.proposals`.

    `seat` is who proposes; None for a moderator who plays as well, whose account is `account_id`. `params` is JSON.
    It is open in the stage of that number on that line alone. `ruling` is the number of the ruling by which it is done.
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    kind: str
    params: str = "{}"
    seat: int | None = None
    account_id: int | None = Field(default=None, foreign_key="account.id")
    reason: str = ""
    line: int
    stage_number: int
    outcome: str = ""
    ruling: int = 0
    created: datetime = Field(sa_type=Utc)


class Vote(Table, table=True):
    """One seat's vote on a proposal."""

    __table_args__ = (UniqueConstraint("proposal_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    proposal_id: int = Field(foreign_key="proposal.id")
    seat: int
    yes: bool
    at: datetime = Field(sa_type=Utc)
