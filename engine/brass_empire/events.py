"""What happens in a game of Brass Empire, each with the figures that its sentence needs.

`seat` is the side that acts or is concerned; cards, rows, sources and targets are as in `choices`. All are for everyone
but Drew and Laid, of which the others see how many.
"""

from typing import TypeAlias, Union

import msgspec


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The first company was drawn, and the mining pool filled."""

    first: int
    pool: int


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The rows lie open."""

    labor: tuple[int, ...]
    design: tuple[int, ...]


class CorporationTaken(msgspec.Struct, frozen=True, tag="corporation_taken"):
    """A company has its corporation; `drawn` at random."""

    seat: int
    corp: int
    drawn: bool


class ReserveMade(msgspec.Struct, frozen=True, tag="reserve_made"):
    """A company has made its own reserve."""

    seat: int
    cards: tuple[int, ...]


class RoundBegan(msgspec.Struct, frozen=True, tag="round_began"):
    """A round began."""

    round: int


class TurnBegan(msgspec.Struct, frozen=True, tag="turn_began"):
    """A company's turn began."""

    seat: int
    round: int


class Built(msgspec.Struct, frozen=True, tag="built"):
    """Buildings were flipped: they are built."""

    seat: int
    cards: tuple[int, ...]


class Played(msgspec.Struct, frozen=True, tag="played"):
    """Cards were played face up, and made so much labor and construction at once."""

    seat: int
    cards: tuple[int, ...]
    labor: int
    construction: int


class Laid(msgspec.Struct, frozen=True, tag="laid"):
    """A building was laid face down; -1 for those who don't see which."""

    seat: int
    card: int = -1


class Gained(msgspec.Struct, frozen=True, tag="gained"):
    """Labor and construction came by effects other than of cards just played."""

    seat: int
    labor: int
    construction: int


class Drew(msgspec.Struct, frozen=True, tag="drew", omit_defaults=True):
    """Cards were drawn; none named for those who don't see them.

    `shuffled`: the discard pile became the deck. `dealt`: as a new hand, not by an effect.
    """

    seat: int
    count: int
    shuffled: bool = False
    cards: tuple[int, ...] = ()
    dealt: bool = False


class MoreAtEnd(msgspec.Struct, frozen=True, tag="more_at_end"):
    """So many cards more will be drawn at the end of the turn."""

    seat: int
    count: int


class Bought(msgspec.Struct, frozen=True, tag="bought"):
    """A card was bought, for `to`, for labor and construction."""

    seat: int
    card: int
    source: int
    labor: int
    construction: int
    to: int


class Acquired(msgspec.Struct, frozen=True, tag="acquired"):
    """A card was had free, for `to`."""

    seat: int
    card: int
    row: int
    to: int


class Refilled(msgspec.Struct, frozen=True, tag="refilled"):
    """A card came into a row; -1 where its deck has run out."""

    row: int
    card: int


class Converted(msgspec.Struct, frozen=True, tag="converted"):
    """The platform made construction into brass."""

    seat: int
    construction: int
    brass: int


class Rebuilt(msgspec.Struct, frozen=True, tag="rebuilt"):
    """A platform was rebuilt."""

    seat: int


class Used(msgspec.Struct, frozen=True, tag="used"):
    """A building's effect, or a unit's printed action, was used."""

    seat: int
    card: int


class Demolished(msgspec.Struct, frozen=True, tag="demolished"):
    """A building was demolished by its owner."""

    seat: int
    card: int


class Mined(msgspec.Struct, frozen=True, tag="mined"):
    """A unit mined."""

    seat: int
    card: int
    brass: int


class Attacked(msgspec.Struct, frozen=True, tag="attacked"):
    """A unit attacked a card of `victim`: what it dealt, and what was dealt back."""

    seat: int
    card: int
    victim: int
    target: int
    dealt: int
    suffered: int


class AttackedCompany(msgspec.Struct, frozen=True, tag="attacked_company"):
    """In battle a unit attacked a company, which has `left` health."""

    seat: int
    card: int
    victim: int
    dealt: int
    left: int


class Struck(msgspec.Struct, frozen=True, tag="struck"):
    """An effect dealt damage to a card of `victim`."""

    seat: int
    victim: int
    card: int
    damage: int


class Destroyed(msgspec.Struct, frozen=True, tag="destroyed"):
    """A card was destroyed; a platform is turned over."""

    seat: int
    card: int


class BrassTaken(msgspec.Struct, frozen=True, tag="brass_taken"):
    """Brass, in battle health, came to a company: `reason` is `effect` or `destroyed` (of `card`)."""

    seat: int
    brass: int
    reason: str
    card: int = -1


class Stole(msgspec.Struct, frozen=True, tag="stole"):
    """Brass went from one side to another."""

    seat: int
    victim: int
    brass: int


class Dismissed(msgspec.Struct, frozen=True, tag="dismissed"):
    """Cards left the game."""

    seat: int
    cards: tuple[int, ...]


class Discarded(msgspec.Struct, frozen=True, tag="discarded"):
    """Cards were discarded because another company's card said so."""

    seat: int
    cards: tuple[int, ...]


class Lapsed(msgspec.Struct, frozen=True, tag="lapsed"):
    """A card that was to be played was in the hand no longer."""

    seat: int
    card: int


class TurnEnded(msgspec.Struct, frozen=True, tag="turn_ended"):
    """The turn ended: what was discarded unplayed, and what was left unspent."""

    seat: int
    cards: tuple[int, ...]
    labor: int
    construction: int


class PoolEmpty(msgspec.Struct, frozen=True, tag="pool_empty"):
    """The last brass of the pool was taken: the round, or with `now` the game, is the last."""

    now: bool


class WentOut(msgspec.Struct, frozen=True, tag="went_out"):
    """In battle a company has no health left."""

    seat: int


class AutomatonGained(msgspec.Struct, frozen=True, tag="automaton_gained"):
    """The automaton's turn began with brass."""

    brass: int


class AutomatonTook(msgspec.Struct, frozen=True, tag="automaton_took"):
    """The automaton took a card of a row."""

    card: int
    row: int


class BrassSet(msgspec.Struct, frozen=True, tag="brass_set"):
    """By hand: a side has that much brass, in battle health; `pool` is what the mining pool holds now."""

    seat: int
    before: int
    brass: int
    pool: int


class CardMoved(msgspec.Struct, frozen=True, tag="card_moved"):
    """By hand: a card went from a place to another (as in `byhand`), -1 for those who don't see which."""

    origin: int
    to: int
    card: int = -1


class DamageSet(msgspec.Struct, frozen=True, tag="damage_set"):
    """By hand: a card in play has that much damage."""

    seat: int
    card: int
    before: int
    damage: int


class ResourceSet(msgspec.Struct, frozen=True, tag="resource_set"):
    """By hand: the company whose turn it is may still spend so much `labor` or `construction`."""

    seat: int
    what: str
    before: int
    amount: int


class Score(msgspec.Struct, frozen=True):
    """What a side has at the end: its tokens, and the brass value of its cards."""

    seat: int
    tokens: int
    cards: int


class GameEnded(msgspec.Struct, frozen=True, tag="game_ended"):
    """The game is over; scores of all sides in order, of none in battle.

    `reason` is `pool`, or `stalled` where the last round is over with brass left in it; or in battle `battle` where one
    side is left, `spent` where nobody has a card, `rounds` where the last round is over.
    """

    reason: str
    scores: tuple[Score, ...]
    winners: tuple[int, ...]


BrassEvent: TypeAlias = Union[
    Started,
    Opened,
    CorporationTaken,
    ReserveMade,
    RoundBegan,
    TurnBegan,
    Built,
    Played,
    Laid,
    Gained,
    Drew,
    MoreAtEnd,
    Bought,
    Acquired,
    Refilled,
    Converted,
    Rebuilt,
    Used,
    Demolished,
    Mined,
    Attacked,
    AttackedCompany,
    Struck,
    Destroyed,
    BrassTaken,
    Stole,
    Dismissed,
    Discarded,
    Lapsed,
    TurnEnded,
    PoolEmpty,
    WentOut,
    AutomatonGained,
    AutomatonTook,
    GameEnded,
    BrassSet,
    CardMoved,
    DamageSet,
    ResourceSet,
]
