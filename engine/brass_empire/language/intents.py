"""What an order line says before it meets a decision. Where a line says all of a choice, the choice is the intent."""

from typing import TypeAlias, Union

import msgspec

from engine.brass_empire.choices import Accept, Corporation, Decline, End, Pick, PlayAll, Rebuild, Steal

ALL = -1
"""As many as there are; for a card's count, all of that kind in the hand."""
ANY = -1
"""Not said: from wherever it is on offer; whichever opponent has it."""
COMPANY = -1
"""In place of a card: the company itself is the target."""
WEAKEST = -2
"""In place of a card: whichever legal one has the least health left."""


class Target(msgspec.Struct, frozen=True):
    """A card of a side in play, COMPANY or WEAKEST; `seat` may be ANY."""

    seat: int
    card: int


class DismissOf(msgspec.Struct, frozen=True, tag="dismiss"):
    """Cards of hand and discard pile, none to decline."""

    cards: tuple[int, ...]


class StrikeAt(msgspec.Struct, frozen=True, tag="strike"):
    """Whom an effect's damage strikes; of several alike the one with the least health left."""

    target: Target


class TakeOf(msgspec.Struct, frozen=True, tag="take", omit_defaults=True):
    """A card of a row, had free."""

    card: int
    mate: bool = False


class PickBy(msgspec.Struct, frozen=True, tag="pick_by"):
    """The first option that begins with that primitive."""

    do: str


Wish: TypeAlias = Union[DismissOf, StrikeAt, TakeOf, PickBy, Pick, Steal, Accept, Decline]
"""What answers a question that an effect asks."""


class PlayOf(msgspec.Struct, frozen=True, tag="play", omit_defaults=True):
    """Cards, each with how many, in that order."""

    cards: tuple[tuple[int, int], ...]
    wishes: tuple[Wish, ...] = ()


class PlayBut(msgspec.Struct, frozen=True, tag="play_but"):
    """All cards of the hand as it is but those of these kinds."""

    cards: tuple[int, ...]


class BuyOf(msgspec.Struct, frozen=True, tag="buy", omit_defaults=True):
    """A card from a row or the reserve, or from ANY, a row before the reserve."""

    card: int
    source: int = ANY
    mate: bool = False


class ConvertOf(msgspec.Struct, frozen=True, tag="convert"):
    """So much construction, or ALL that can be."""

    construction: int


class UseOf(msgspec.Struct, frozen=True, tag="use", omit_defaults=True):
    """A building's effect or a unit's own action."""

    card: int
    wishes: tuple[Wish, ...] = ()


class DemolishOf(msgspec.Struct, frozen=True, tag="demolish", omit_defaults=True):
    """A building; of several alike the most damaged."""

    card: int
    wishes: tuple[Wish, ...] = ()


class AttackBy(msgspec.Struct, frozen=True, tag="attack", omit_defaults=True):
    """A target and the unit; of several alike the healthiest unit, and the target with the least health left."""

    target: Target
    unit: int
    wishes: tuple[Wish, ...] = ()


class MineBy(msgspec.Struct, frozen=True, tag="mine", omit_defaults=True):
    """Units by card, each with how many; none for all that may."""

    units: tuple[tuple[int, int], ...] = ()
    wishes: tuple[Wish, ...] = ()


class MineBut(msgspec.Struct, frozen=True, tag="mine_but"):
    """All units that may, but those of these kinds."""

    units: tuple[int, ...]


class DiscardOf(msgspec.Struct, frozen=True, tag="discard"):
    """Cards in order of preference; none for the cheapest. What is lacking is made up with the cheapest."""

    cards: tuple[int, ...] = ()


class ReserveOf(msgspec.Struct, frozen=True, tag="reserve"):
    """The cards of a reserve, each with how many."""

    cards: tuple[tuple[int, int], ...]


class Pause(msgspec.Struct, frozen=True, tag="pause"):
    """Play stops here, and the seat is asked how it goes on."""


INTENTS: TypeAlias = Union[
    Corporation,
    ReserveOf,
    PlayAll,
    PlayOf,
    PlayBut,
    BuyOf,
    ConvertOf,
    Rebuild,
    UseOf,
    DemolishOf,
    AttackBy,
    MineBy,
    MineBut,
    End,
    Pause,
    DismissOf,
    StrikeAt,
    TakeOf,
    PickBy,
    Pick,
    Steal,
    Accept,
    Decline,
    DiscardOf,
]
