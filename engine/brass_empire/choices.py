"""What a company answers to each kind of decision. A card is its number in the card file, -1 none; rows are 0 labor, 1
design.

A *target* is a number: 0..6 the platform of that side, 8.. the company of that side (in battle), from 16 on the card
in play of that id.
"""

from typing import TypeAlias, Union

import msgspec

FOUNDING = "corporation"
RESERVE = "reserve"
TURN = "turns"
EFFECT = "effect"
DISCARD = "discard"
DECISIONS = (FOUNDING, RESERVE, TURN, EFFECT, DISCARD)
"""The kinds of decision, in the order of play."""

END = "end"
PLAY_ALL = "play_all"
PLAY = "play"
BUY = "buy"
CONVERT = "convert"
REBUILD = "rebuild"
USE = "use"
DEMOLISH = "demolish"
ATTACK = "attack"
MINE = "mine"
ACT = "act"
"""The acts of a turn."""

ANY = -1
"""In place of a corporation: one is drawn at random."""
FROM_RESERVE = 2
"""In place of a row: the company's own reserve."""
COMPANIES = 8
"""Added to a side: the target that is its company."""
PIECES = 16
"""The first id of a card in play."""


class Corporation(msgspec.Struct, frozen=True, tag="corporation"):
    """A corporation 0..4, or ANY."""

    corp: int


class Reserve(msgspec.Struct, frozen=True, tag="reserve"):
    """The cards of a reserve of one's own making, in the order of their numbers (BE-VAR-2)."""

    cards: tuple[int, ...]


class Pick(msgspec.Struct, frozen=True, tag="pick"):
    """One of the options, from 0, that an effect lets choose between."""

    option: int


class Dismiss(msgspec.Struct, frozen=True, tag="dismiss"):
    """Cards of hand and discard pile that leave the game, in the order of their numbers; none to decline."""

    cards: tuple[int, ...]


class Strike(msgspec.Struct, frozen=True, tag="strike"):
    """Whom an effect's damage strikes."""

    target: int


class Steal(msgspec.Struct, frozen=True, tag="steal"):
    """From which side brass is stolen."""

    seat: int


class Acquire(msgspec.Struct, frozen=True, tag="acquire", omit_defaults=True):
    """A card of a row that is had free, for the teammate with `mate`."""

    card: int
    row: int
    mate: bool = False


class Accept(msgspec.Struct, frozen=True, tag="accept"):
    """An effect that may be declined happens."""


class Decline(msgspec.Struct, frozen=True, tag="decline"):
    """An effect that may be declined does not happen."""


class Discard(msgspec.Struct, frozen=True, tag="discard"):
    """Cards of the hand, in the order of their numbers, that another company's card makes one discard."""

    cards: tuple[int, ...]


Answer: TypeAlias = Union[Pick, Dismiss, Strike, Steal, Acquire, Accept, Decline]
"""What answers a question that an effect asks."""


class PlayAll(msgspec.Struct, frozen=True, tag="play_all"):
    """Every card of the hand is played, and what is drawn by it."""


class Play(msgspec.Struct, frozen=True, tag="play", omit_defaults=True):
    """Cards of the hand are played in this order.

    `wishes`, here and in other acts, answer the questions that come up by it: each the first that it fits and is legal
    for. One that no question asks for lapses.
    """

    cards: tuple[int, ...]
    wishes: tuple[Answer, ...] = ()


class Buy(msgspec.Struct, frozen=True, tag="buy", omit_defaults=True):
    """A card is bought from row 0 or 1 or FROM_RESERVE, for the teammate with `mate`."""

    card: int
    source: int
    mate: bool = False


class Convert(msgspec.Struct, frozen=True, tag="convert"):
    """Construction becomes brass so many times."""

    times: int


class Rebuild(msgspec.Struct, frozen=True, tag="rebuild"):
    """The platform is rebuilt."""


class Use(msgspec.Struct, frozen=True, tag="use", omit_defaults=True):
    """The effects of a building that it has once a turn."""

    piece: int
    wishes: tuple[Answer, ...] = ()


class Demolish(msgspec.Struct, frozen=True, tag="demolish", omit_defaults=True):
    """A building is demolished for its effect."""

    piece: int
    wishes: tuple[Answer, ...] = ()


class Attack(msgspec.Struct, frozen=True, tag="attack", omit_defaults=True):
    """A unit attacks a target."""

    unit: int
    target: int
    wishes: tuple[Answer, ...] = ()


class Mine(msgspec.Struct, frozen=True, tag="mine", omit_defaults=True):
    """Units mine, in the order of their ids."""

    units: tuple[int, ...]
    wishes: tuple[Answer, ...] = ()


class Act(msgspec.Struct, frozen=True, tag="act", omit_defaults=True):
    """A unit takes the action that is printed on it."""

    unit: int
    wishes: tuple[Answer, ...] = ()


class End(msgspec.Struct, frozen=True, tag="end"):
    """The turn ends."""


BrassChoice: TypeAlias = Union[
    Corporation,
    Reserve,
    Pick,
    Dismiss,
    Strike,
    Steal,
    Acquire,
    Accept,
    Decline,
    Discard,
    PlayAll,
    Play,
    Buy,
    Convert,
    Rebuild,
    Use,
    Demolish,
    Attack,
    Mine,
    Act,
    End,
]
