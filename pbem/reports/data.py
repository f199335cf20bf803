"""Reports and acknowledgements as data: what is stored, and what text, HTML and page are rendered from.

Everything here is JSON-able. Orders stand in it as they are written in the order language; everything else is codes and
parameters, so that one report can be read in any language. What belongs to a game (events, views) is kept as plain
built-in values and decoded by its rules when it is rendered.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from engine.contract import Event, Setup, Standing, View


class Seat(msgspec.Struct, frozen=True):
    """A side and who holds it. `player` is the name that others see, empty for nobody and for a stand-in."""

    id: str
    player: str = ""
    standin: bool = False


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one order, the why-line of a report.

    `order` is the line as written by the language. `code` is `used`, `alternative` (an alternative after the first was
    used; `taken` says which), `standing` (a standing order was used), `waiting` (still on the sheet for what is to
    come), `left` (its stage closed before it came up), `unasked` (it came up for others alone), `answered` (another
    order or the default had answered it), `condition` (its condition did not hold), or the code of why it was illegal.
    `params` are that code's own. `result` are the events, as the seat saw them, of the decision that it answered: the
    game's words make of them what came of it.
    """

    order: str
    code: str
    params: dict[str, Any] = {}
    taken: str = ""
    result: tuple[Any, ...] = ()


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling to be told, with its reason in the moderator's words.

    `code` is the kind of ruling: `orders_entered`, `orders_withdrawn`, `deadline_extended`, `deadline_ended`,
    `stage_forced`, `rolled_back`, `redraw_asked`, `returned`, `orders_admitted`, `seat_replaced`, `looked`,
    `state_changed`, `rules_moved`, `ended`;
    params `seat` (its number), `until` (ISO time), `entry`.
    """

    code: str
    reason: str
    by: str
    at: datetime
    params: dict[str, Any] = {}


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is asked next.

    `form` are lines of the order form, each with a blank (`bid ____`); `examples` are legal orders of this position.
    """

    kind: str
    round: int = 0
    times: int = 1
    required: bool = True
    form: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat could see, and what stood on its sheet, before a ruling made it otherwise; as in `Report`."""

    view: Any
    public: Any
    sheet: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat is told when a stage opens (`seat` None: what everyone may know, for onlookers).

    `events` are what the seat saw since its last report, `view` its view now, `public` what
    everyone knows now; `moved` are the events that the picture of that draws. `waiting` are the seats whose orders are
    waited for. `head` and `secret_hash` are hexadecimal; `secret` is empty until the game is over. `openings` are the
    seals of the stage's orders, opened. `sheet` are the orders that stand, `unread` counts messages between players
    that wait on the page. `occasion` is `stage` (one opens), `question` (the game waits for this seat within a stage),
    `corrected` (play went back, so that things are otherwise than they were told: `before` says how they were),
    `changed` (a ruling changed the state, from what `before` says), `taken` (its player has just taken it over) or
    `over`.
    """

    game: str
    title: str
    seat: int | None
    seats: tuple[Seat, ...]
    rules: str
    setup: Setup
    turn: int
    stage: str
    events: tuple[Any, ...]
    orders: tuple[Fate, ...]
    view: Any
    public: Any
    standings: tuple[Standing, ...]
    questions: tuple[Question, ...] = ()
    rulings: tuple[Told, ...] = ()
    moved: tuple[Any, ...] = ()
    sheet: tuple[str, ...] = ()
    unread: int = 0
    deadline: datetime | None = None
    waiting: tuple[int, ...] = ()
    over: bool = False
    entry: int = 0
    head: str = ""
    secret_hash: str = ""
    secret: str = ""
    openings: tuple[str, ...] = ()
    pace: str = "strict"
    occasion: str = "stage"
    away: tuple[tuple[int, datetime], ...] = ()
    """The seats whose players are away, with until when."""
    observers: tuple[str, ...] = ()
    """Who observes the game: names, empty ones where it is anonymous."""
    first: bool = False
    """Whether it is the first of its game: it says which component set and options are played with."""
    before: Before | None = None
    agreed: str = ""
    """How the game ended before its rules ended it, as in its row; empty where they did."""


class ReadLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a submission and what was made of it.

    `order` is its normal form, empty for a problem; `doubts` are pairs of what was written and what it was taken for.
    `code` and `params` say what is wrong with it: why it can't be read, or for an order why it can't be done as things
    stand. `nearest` is a line that could be read, or be done. `passing` says that what stands against the order may be
    gone when it comes up.
    """

    text: str
    order: str = ""
    doubts: tuple[tuple[str, str], ...] = ()
    code: str = ""
    params: dict[str, Any] = {}
    token: str = ""
    nearest: str = ""
    passing: bool = False


class Prospect(msgspec.Struct, frozen=True, kw_only=True):
    """What an order would bring about if nothing else changed: the game's own codes and parameters, for its words.

    With a `code` it would bring about nothing: it could not be done when it came up, for that reason.
    """

    order: str
    consequences: tuple[tuple[str, dict[str, Any]], ...] = ()
    code: str = ""
    params: dict[str, Any] = {}


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What a command did, or with `check` would do, as a code with its parameters; see `render` for their words."""

    code: str
    params: dict[str, Any] = {}


class Unanswered(msgspec.Struct, frozen=True, kw_only=True):
    """Something asked that the sheet does not answer; the game's words say what would happen."""

    kind: str
    round: int = 0
    times: int = 1
    required: bool = True


class Acknowledgement(msgspec.Struct, frozen=True, kw_only=True):
    """What was made of one submission.

    `lines` are the orders read that no line below takes back, `problems` the lines that could not be or commands that
    can't be followed, with the reason; `commands` lines such as `ready`, `guessed` those of them that were read with a
    guess, `done` what some of them did. `passed_over` counts lines of prose, `prose` are the first of them. `added` and
    `removed` are the difference against the sheet before. `outcome` is `kept`, `checked` (nothing was kept: the rest is
    what would be), `late` (kept for a stage that has closed) or `nothing` (nothing in it was an order). `heading` says
    of what was kept what it was: `orders`, or without any `undone` (`undone_entered`: what the moderator had entered),
    `admitted` (late ones), `changed` (the sheet is another one), `ready`, `waits` or `unchanged`; and `overtaken` where
    all that it says is said otherwise by what was sent later. `seal` commits to the sheet without showing it, in
    hexadecimal.
    """

    game: str
    title: str
    seat: int
    seats: tuple[Seat, ...]
    rules: str
    setup: Setup
    turn: int
    stage: str
    outcome: str
    heading: str = "orders"
    lines: tuple[ReadLine, ...] = ()
    problems: tuple[ReadLine, ...] = ()
    commands: tuple[str, ...] = ()
    guessed: tuple[ReadLine, ...] = ()
    done: tuple[Done, ...] = ()
    passed_over: int = 0
    prose: tuple[str, ...] = ()
    cut: bool = False
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    sheet: tuple[str, ...] = ()
    spent: tuple[ReadLine, ...] = ()
    """Orders that stood before and can't be used any more, with the reason."""
    foreseen: tuple[Prospect, ...] = ()
    """With `check`: what the orders would bring about."""
    unanswered: tuple[Unanswered, ...] = ()
    later: tuple[Unanswered, ...] = ()
    """What may be asked of the seat later in the stage, one question at a time, and the sheet does not answer yet."""
    press: tuple[int, ...] = ()
    """The seats that its messages went to; not those that its writer does not know."""
    press_answers: bool = False
    """Whether one answered an anonymous message."""
    press_moderator: bool = False
    deadline: datetime | None = None
    ready: bool = False
    awaited: bool = True
    """Whether play stands at a question to the seat; where it stands at others, it waits for those."""
    settling: datetime | None = None
    seal: str = ""
    entered: bool = False
    """Whether the moderator entered it, who reads this as well as the seat's player."""
    late_by: int | None = None
    """For what came late by how many seconds after the deadline, or the end of its stage, we received it."""
    late_kept: int = 0
    """For what came late how many of its orders are kept to be used: standing ones count at once."""
    held: str = ""
    """Why the game stands still until somebody else takes it up; empty where it does not."""
    overtaken: datetime | None = None
    """When we received what its player sent later and what was taken before it, as where a mailbox was fetched late."""


def seen(events: Iterable[Event], seat: int | None) -> tuple[Any, ...]:
    """What a seat sees of what happened, as plain values ready to be stored."""
    told = (event.seen_by(seat) for event in events)
    return tuple(msgspec.to_builtins(data) for data in told if data is not None)


def plain(view: View) -> Any:
    """A view as plain values ready to be stored."""
    return msgspec.to_builtins(view)


def encode(data: Report | Acknowledgement) -> bytes:
    """Canonical JSON, the same bytes for the same data."""
    return msgspec.json.encode(data, order="deterministic")


def decode_report(raw: bytes) -> Report:
    """A stored report."""
    return msgspec.json.decode(raw, type=Report)


def decode_acknowledgement(raw: bytes) -> Acknowledgement:
    """A stored acknowledgement."""
    return msgspec.json.decode(raw, type=Acknowledgement)
