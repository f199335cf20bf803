"""All tables. Moments are aware datetimes in UTC (`Utc`); bytes are canonical msgpack unless another form is named."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, LargeBinary, UniqueConstraint
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
    calendar: bool = False
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


class Game(Table, table=True):
    """One match. `version` is raised by every submission, ready flag, ruling and change of deadline.

    `status`: inviting, playing, over, cancelled. `aside` says that the service gave up on it after failures: its
    deadline stops until a moderator takes it up again.
    """

    __table_args__ = (
        Index("ix_game_due_deadline", "status", "aside", "deadline"),
        Index("ix_game_due_settle", "status", "aside", "settle_until"),
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


class Submission(Table, table=True):
    """What a player sent at one time: never changed but for `used_late` and `undone`, only followed by another.

    `number` counts in the game and is the first half of an order's ref. `source`: mail, page, command, moderator,
    standin. `key` is unique: the same mail or form twice counts once. `text` is what was read and `reading`
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

    `events` and `tried` are encoded lists: what reports of the stage are made from.
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


class Letter(Table, table=True):
    """An outgoing mail in the outbox.

    `id` follows from `key` (`pbem.letters.letter_id`), so it is known before it is stored.

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
        Index("ix_letter_seat", "game_id", "seat"),
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
    lease: datetime | None = Field(default=None, sa_type=Utc)
    next_try: datetime = Field(sa_type=Utc)
    patience: datetime | None = Field(default=None, sa_type=Utc)
    """A letter that waits for its player's time goes at once where a deadline that the player must meet is earlier."""
    queued: datetime = Field(sa_type=Utc)
    sent: datetime | None = Field(default=None, sa_type=Utc)
    answer: str = ""
    bounced: datetime | None = Field(default=None, sa_type=Utc)
    problem: str = ""


class Inbound(Table, table=True):
    """A mail as it arrived, kept raw.

    `status`: stored (not read yet), read, held (waits for the player's word), refused, duplicate, aside. `game_id`,
    `seat` and `letter_id` are found from the token when it is stored: a stage does not close while one of its seats has
    a stored mail received by the deadline.
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


class Picture(Table, table=True):
    """A drawn board, stored once: `id` is the hash of what it was drawn from."""

    id: str = Field(primary_key=True)
    svg: str
    png: bytes = Field(sa_type=LargeBinary)
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


class Unwanted(Table, table=True):
    """An address, in lower case, that is never invited again. `why`: declined, complained."""

    address: str = Field(primary_key=True)
    why: str
    at: datetime = Field(sa_type=Utc)


class Setting(Table, table=True):
    """A small fact that the service keeps about itself, such as a mailbox's UIDVALIDITY."""

    name: str = Field(primary_key=True)
    value: str


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
