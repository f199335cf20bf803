"""What a seat answers to each kind of decision. Cubes are zinc, copper, silver, gold; spots as in `geometry`."""

from typing import TypeAlias, Union

import msgspec

BID = "bid"
PLACE = "place"
INSURE = "insure"
DRILL = "drill"
FIRST = "first"
DANGER = "danger"
MARKET = "market"
WORKSHOP = "workshop"
AUTOMATON_MOVE = "automaton_move"
AUTOMATON_STEP = "automaton_step"
DECISIONS = (BID, PLACE, INSURE, DRILL, FIRST, DANGER, MARKET, WORKSHOP, AUTOMATON_MOVE, AUTOMATON_STEP)
"""The kinds of decision, in the order of a turn."""

NOT_SAID = -1
"""In a drill choice: no second move, no die to dispose of, nobody bribed, nowhere named."""
LEFT = 0
"""In a drill choice: the die is left behind."""


class Bid(msgspec.Struct, frozen=True, tag="bid"):
    """Money in whole hundreds, and cubes."""

    money: int
    cubes: tuple[int, int, int, int]


class Place(msgspec.Struct, frozen=True, tag="place"):
    """A vice president on slot 0.. of board 0..2 (control, exchange, workshop)."""

    board: int
    slot: int


class Insure(msgspec.Struct, frozen=True, tag="insure"):
    """Cubes turned into insurance."""

    cubes: tuple[int, int, int, int]


class Drill(msgspec.Struct, frozen=True, tag="drill", omit_defaults=True):
    """One drilling round's act of crew 0..3 of the seat.

    `to` is the spot after the first move, where the crew is now when it stays; `second` the spot after the second
    move. `die` is LEFT, or the power 1..4 of the die taken along; NOT_SAID when the crew has none, stays, or goes to
    the centre. `hire` is the power of a subcontractor, 0 for none; with `anyway` also when the move alone extracts
    the tile (RW-DRL-13). `bribe` is a crew number (seat * 4 + crew), `onto` the tile where a straddling crew brings it
    (RW-BRB-11), NOT_SAID when the active crew does not straddle.
    """

    crew: int
    to: int
    second: int = NOT_SAID
    die: int = NOT_SAID
    hire: int = 0
    anyway: bool = False
    bribe: int = NOT_SAID
    onto: int = NOT_SAID


class First(msgspec.Struct, frozen=True, tag="first"):
    """Which of the two tiles of a straddling crew is extracted first (RW-EXT-16)."""

    tile: int


class Cover(msgspec.Struct, frozen=True, tag="cover"):
    """How many insurance tiles are discarded against danger."""

    insurance: int


class Trade(msgspec.Struct, frozen=True, tag="trade"):
    """A purchase (`amount` above 0) or a sale (below 0) of cubes of one kind 0..3."""

    kind: int
    amount: int


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """The company is done with phase II or III."""


class Raise(msgspec.Struct, frozen=True, tag="raise"):
    """Crew 0..3 goes up one step of power."""

    crew: int


class Safety(msgspec.Struct, frozen=True, tag="safety"):
    """The next level of safety is bought."""


class Mobility(msgspec.Struct, frozen=True, tag="mobility"):
    """The next level of mobility is bought."""


class Mineshaft(msgspec.Struct, frozen=True, tag="mineshaft"):
    """The next level of mineshaft is bought and the mineshaft built on a tile."""

    tile: int


class MoveMineshaft(msgspec.Struct, frozen=True, tag="move_mineshaft"):
    """A mineshaft is moved between tiles by a level that the company has, the cheapest that allows it."""

    origin: int
    to: int


class Deliver(msgspec.Struct, frozen=True, tag="deliver"):
    """The top tile of delivery pile 0..3 is taken and paid."""

    pile: int


class AutomatonMove(msgspec.Struct, frozen=True, tag="automaton_move"):
    """The automaton's crew 0..3 moves to a tile."""

    crew: int
    to: int


class AutomatonRaise(msgspec.Struct, frozen=True, tag="automaton_raise"):
    """The automaton's crew 0..3 goes up one step of power."""

    crew: int


RockwellChoice: TypeAlias = Union[
    Bid,
    Place,
    Insure,
    Drill,
    First,
    Cover,
    Trade,
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
