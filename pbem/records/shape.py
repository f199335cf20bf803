"""The form of a game's record: canonical JSON, a line each, of a game, its journal, its seals, its press, and the end.

Each line is written in one way only, so that a byte that was changed is found. There is nobody's name or address in it
but what players have written themselves.
"""

from typing import Any

import msgspec

from engine.contract import Setup
from engine.journal import Entry
from engine.orders.sheet import Sheet

FORMAT = 1
MOST_BYTES = 64_000_000
MOST_LINES = 500_000


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


class Recorded(msgspec.Struct, frozen=True, tag_field="is", tag="entry"):
    """An entry of the journal with its public hash (hexadecimal) and when it was written (ISO form, UTC)."""

    at: str
    hash: str
    entry: Entry


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


class End(msgspec.Struct, frozen=True, tag_field="is", tag="end"):
    """The last line: a hash (hexadecimal) of all bytes before it."""

    hash: str


Line = Played | Recorded | Sealed | Said | End

_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(Line)


def encoded(line: Line) -> bytes:
    """A line with its end."""
    return _encoder.encode(line) + b"\n"


def decoded(raw: bytes) -> Line:
    """A line without its end. Raises ValueError unless it is written in the one way."""
    line: Any = _decoder.decode(raw)
    if _encoder.encode(line) != raw:
        raise ValueError("written in another way")
    return line  # type: ignore[no-any-return]
