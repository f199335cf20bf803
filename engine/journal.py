"""The record of a game: its entries, their canonical bytes, the chain that holds them together.

The chain's head after an entry covers all entries before it. An entry's public hash is salted by a nonce that
follows from the secret, so that hands and stocks can't be guessed from it; when the game is over the secret is
published and anyone can check every link.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import msgspec

from engine.chance import Outcome
from engine.contract import Change, Changing, Choice, Rules
from engine.errors import BadJournal

START = "start"
"""The `kind` of a game's first entry: its set-up, which no seat answered."""

RULING = "ruling"
"""The `kind` of an entry that a moderator's act made: it has a `note`, decides nothing and draws nothing.

Where the act made the state otherwise, the entry has the `change`s."""

_HASH = 32  # bytes of whatever is published
_DIGEST = 16  # bytes of a state's digest, which the entry's own hash covers


Seals = tuple[tuple[int, bytes], ...]
"""Of sheets, by seat, in the order of seats."""


class Given(msgspec.Struct, frozen=True, array_like=True):
    """One seat's answer as journalled.

    `source` says what gave it: `order`, `default`, `forced`, `standin`, `moderator` or `page`; `ref` is the order
    that did, as on the seat's sheet, and `alternative` which one of it, from 0.
    """

    seat: int
    choice: Choice
    source: str
    ref: tuple[int, int] | None = None
    alternative: int = 0


class Note(msgspec.Struct, frozen=True):
    """A moderator's act on the game: a code, who did it by the name that the players see, why, and its figures.

    `params` are plain values, the same as they were when read back from their stored bytes.
    """

    act: str
    actor: str
    reason: str
    params: dict[str, Any]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a game: a decision answered and what chance added to it, or a ruling (then with its `note`).

    `change` has what a ruling made otherwise in the state, as the rules module's own Structs, in order.

    `number` counts from 1 along a line; a line that leaves an earlier one counts on from there. `stage` is the key
    of the stage that the decision belonged to, empty for the set-up. `version` is the rules version that played it.
    `digest` is that of the state after it and stays private to the end of the game; `before` is the chain's head
    before it.

    `seals` commit to the sheets that stood when a decision was carried out, by seat, for those that have one: so the
    chain holds them too. None for a ruling, for play without sheets, and in what earlier releases played.
    """

    number: int
    kind: str
    version: int
    digest: bytes
    before: bytes
    line: int = 0
    epoch: int = 0
    stage: str = ""
    round: int = 0
    answers: tuple[Given, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    note: Note | None = None
    change: tuple[Change, ...] = ()
    seals: Seals | None = None


_encoder = msgspec.msgpack.Encoder(order="deterministic")
_decoder = msgspec.msgpack.Decoder(Entry)


def canonical(value: Any) -> bytes:
    """The one encoding that digests and hashes are made of; also how entries and states are stored."""
    return _encoder.encode(value)


def decode(rules: Rules, data: bytes) -> Entry:
    """An entry from its stored bytes, with its choices and changes as the rules module's own Structs.

    Raises BadJournal for changes by rules that know none, and msgspec.DecodeError.
    """
    return typed(rules, _decoder.decode(data))


def typed(rules: Rules, entry: Entry) -> Entry:
    """An entry read as plain values, with its choices and changes as the rules module's own Structs."""
    answers = tuple(
        msgspec.structs.replace(given, choice=msgspec.convert(given.choice, rules.choice_type))
        for given in entry.answers
    )
    return msgspec.structs.replace(entry, answers=answers, change=_changes(rules, entry) if entry.change else ())


def _changes(rules: Rules, entry: Entry) -> tuple[Change, ...]:
    if not isinstance(rules, Changing):
        raise BadJournal("change", entry.number)
    return tuple(msgspec.convert(each, rules.change_type) for each in entry.change)


def used_orders(entries: Iterable[Entry]) -> frozenset[tuple[int, int]]:
    """The orders that these entries of one line have used; a submission's number is unique within its game."""
    return frozenset(given.ref for entry in entries for given in entry.answers if given.ref is not None)


def state_digest(state: Any) -> bytes:
    """What a state comes to."""
    return blake2b(_encoder.encode(state), digest_size=_DIGEST).digest()


def commitment(secret: bytes) -> bytes:
    """The secret's public hash, given out before anyone sits; also the chain's head before the first entry."""
    return blake2b(secret, digest_size=_HASH, person=b"pbem commitment").digest()


def nonce(secret: bytes, entry: Entry) -> bytes:
    """The salt of an entry's public hash; published with the secret."""
    place = f"{entry.line}/{entry.number}".encode()
    return blake2b(place, key=secret, digest_size=_HASH, person=b"pbem nonce").digest()


def public_hash(secret: bytes, entry: Entry) -> bytes:
    """The hash of an entry that can be shown while the game goes on."""
    return blake2b(_encoder.encode(entry), key=nonce(secret, entry), digest_size=_HASH, person=b"pbem entry").digest()


def link(before: bytes, hashed: bytes) -> bytes:
    """The chain's head after an entry, from the head before it and the entry's public hash."""
    return blake2b(before + hashed, digest_size=_HASH, person=b"pbem chain").digest()
