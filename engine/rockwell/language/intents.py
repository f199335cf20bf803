"""What an order line says before it meets a decision. Where a line says all of a choice, the choice is the intent."""

from typing import TypeAlias, Union

import msgspec

from engine.rockwell.choices import (
    NOT_SAID,
    AutomatonMove,
    AutomatonRaise,
    Deliver,
    First,
    Mineshaft,
    Mobility,
    MoveMineshaft,
    Pass,
    Raise,
    Safety,
)

ALL = -1
"""As many as there are."""
ANY = -1
"""Not said: the leftmost free slot, the first crew that can act, the only mineshaft."""
STAY = -2
"""In place of a spot: where the crew is."""
WITH = 100
"""Added to a tile in place of a spot: the border between it and the tile where the move starts."""
SAME = 9
"""In place of a power: the die comes along as it is, as far as the stratum allows."""


class BidOf(msgspec.Struct, frozen=True, tag="bid"):
    """Money and cubes, ALL where all is meant."""

    money: int
    cubes: tuple[int, int, int, int]


class InsureOf(msgspec.Struct, frozen=True, tag="insure"):
    """Cubes, ALL where all of a kind are meant."""

    cubes: tuple[int, int, int, int]


class PlaceOn(msgspec.Struct, frozen=True, tag="place"):
    """A board 0..2 and a slot 0.., or ANY for the leftmost that is free."""

    board: int
    slot: int = ANY


class DrillBy(msgspec.Struct, frozen=True, tag="drill", omit_defaults=True):
    """As `choices.Drill`, but: `crew` may be ANY, `to` STAY, `to` and `second` WITH a tile, `die` SAME.

    A die that is not spoken of is left behind by a crew that moves: nothing is paid that was not ordered.
    """

    crew: int
    to: int
    second: int = NOT_SAID
    die: int = NOT_SAID
    hire: int = 0
    anyway: bool = False
    bribe: int = NOT_SAID
    onto: int = NOT_SAID


class CoverBy(msgspec.Struct, frozen=True, tag="cover", omit_defaults=True):
    """At most `insurance` tiles, or ALL that help. With `keep` 0..3 only as many as keep the most cubes of that kind
    and of more valuable ones."""

    insurance: int
    keep: int = ANY


class Sell(msgspec.Struct, frozen=True, tag="sell"):
    """Cubes of a kind; ALL that it holds."""

    kind: int
    amount: int


class Buy(msgspec.Struct, frozen=True, tag="buy"):
    """Cubes of a kind; ALL that it can pay."""

    kind: int
    amount: int


INTENTS: TypeAlias = Union[
    BidOf,
    InsureOf,
    PlaceOn,
    DrillBy,
    First,
    CoverBy,
    Sell,
    Buy,
    Pass,
    Raise,
    Safety,
    Mobility,
    Mineshaft,
    MoveMineshaft,
    Deliver,
    AutomatonMove,
    AutomatonRaise,
]
