"""The form of a game's record: canonical JSON, a line each, of a game, its journal, its seals, its press, and the end.

The record of a game that goes on has before the end all that it needs to go on elsewhere: how it runs, what was sent to
it, which orders were passed over.

Each line is written in one way only, so that a byte that was changed is found. There is nobody's name or address in it
but what players have written themselves.
"""

import msgspec

from engine.contract import Setup
from engine.journal import Entry
from engine.orders.shape import Reading
from engine.orders.sheet import Sheet, Tried
from pbem.records.bounds import check_bytes, check_numbers, check_salts, check_stage

FORMAT = 2
FORMATS = (1, FORMAT)
"""Those that are read: before 2 the journal had no seals in it."""
MOST_BYTES = 64_000_000
MOST_LINES = 500_000
MOST_STEPS = 500_000
"""Entries of all lines of the journal, each line counted from the beginning of the game: what a check plays."""


class Side(msgspec.Struct, frozen=True):
    """A seat: its side, and the public word that its player mixed into the draws."""

    name: str
    word: str


class Played(msgspec.Struct, frozen=True, tag_field="is", tag="game", omit_defaults=True):
    """The game. `secret_hash`, `secret` and `head` are hexadecimal; `line` is the journal's present one.

    `head` is the chain's after the last entry of the present line, `entries` counts those of all lines.
    """

    format: int
    code: str
    title: str
    rules: str
    setup: Setup
    pace: str
    over: bool
    sides: tuple[Side, ...]
    secret_hash: str
    secret: str
    line: int
    head: str
    entries: int
    seals: int
    messages: int = 0
    rest: int = 0
    """How many lines of a game that goes on stand before the end; 0 in the record of one that is over."""


class Stood(msgspec.Struct, frozen=True):
    """A sheet that stood when an entry was written, with the seal that the entry has (hexadecimal) and its salt."""

    seat: int
    seal: str
    salt: str
    sheet: Sheet


class Recorded(msgspec.Struct, frozen=True, tag_field="is", tag="entry", omit_defaults=True):
    """An entry of the journal with its public hash (hexadecimal) and when it was written (ISO form, UTC).

    `sheets` opens those of its seals that might be other ones by the end of the stage.
    """

    at: str
    hash: str
    entry: Entry
    sheets: tuple[Stood, ...] = ()


class Sealed(msgspec.Struct, frozen=True, tag_field="is", tag="seal"):
    """A sheet as an acknowledgement sealed it (`seal`) in the stage that ended with that entry, and the salt."""

    line: int
    entry: int
    stage: str
    seat: int
    seal: str
    salt: str
    sheet: Sheet


class Said(msgspec.Struct, frozen=True, tag_field="is", tag="message"):
    """A message between players, or of the moderator (`by` None) to all of them.

    `at` is when it was written (ISO form, UTC), `to` are seats;
    `anonymous` says that its readers were not told who wrote it.
    """

    at: str
    stage: str
    by: int | None
    to: tuple[int, ...]
    anonymous: bool
    text: str


class Chair(msgspec.Struct, frozen=True):
    """A seat of a game that goes on: its sheet, the salt of that one's seal, and the level of its stand-in, if any."""

    sheet: Sheet
    salt: str
    standin: str


class Running(msgspec.Struct, frozen=True, tag_field="is", tag="running"):
    """How a game goes on: the stage that is open and its number from 1, the seats that it waits for, how it is run.

    `policy` and `schedule` are settings as written. Times are in seconds.
    """

    stage: str
    number: int
    waiting: tuple[int, ...]
    next_submission: int
    stage_seconds: int
    settling_seconds: int
    absence: str
    policy: dict[str, str]
    schedule: dict[str, str]
    anonymous: bool
    seats: tuple[Chair, ...]


class Submitted(msgspec.Struct, frozen=True, tag_field="is", tag="submission"):
    """What a player sent, as read and without the words; `before` is the seat's sheet before it.

    `entry` is the number that the journal's next entry had then. Times are in ISO form, UTC; those of what never
    happened are empty.
    """

    number: int
    seat: int
    line: int
    stage: str
    received: str
    stored: str
    source: str
    reading: Reading
    late: bool
    used_late: str
    acted: bool
    entry: int
    before: Sheet
    ready_before: bool
    sent_before: bool
    undone: str


class Passed(msgspec.Struct, frozen=True, tag_field="is", tag="tried"):
    """The orders that were looked at and not used at an entry, by seat."""

    line: int
    entry: int
    tried: tuple[tuple[int, tuple[Tried, ...]], ...]


class End(msgspec.Struct, frozen=True, tag_field="is", tag="end"):
    """The last line: a hash (hexadecimal) of all bytes before it."""

    hash: str


Rest = Running | Submitted | Passed
Line = Played | Recorded | Sealed | Said | Running | Submitted | Passed | End

_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(Line)


def encoded(line: Line) -> bytes:
    """A line with its end."""
    return _encoder.encode(line) + b"\n"


def decoded(raw: bytes) -> Line:
    """A line without its end. Raises ValueError unless it is written in the one way, of these Unfit beyond bounds."""
    check_bytes(raw)
    line: Line = _decoder.decode(raw)
    if _encoder.encode(line) != raw:
        raise ValueError("written in another way")
    if isinstance(line, Recorded):
        check_numbers(line.entry)
        check_stage(line.entry.stage)
        check_salts(stood.salt for stood in line.sheets)
    elif isinstance(line, Running):
        check_salts(chair.salt for chair in line.seats)
    elif isinstance(line, Sealed):
        check_salts([line.salt])
    if isinstance(line, Sealed | Said | Running | Submitted):
        check_stage(line.stage)
    check_numbers(line)
    return line
