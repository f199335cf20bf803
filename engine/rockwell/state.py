"""The whole of a game as plain data. What is not drawn yet does not exist: no pile has an order in here.

Cubes are always four numbers in the order zinc, copper, silver, gold. A *crew number* is seat * 4 + crew, crew 0..3
(c1 to c4 in orders); when two companies play, numbers 8..11 are the automaton's. The only things that not everyone
knows are a company's `cubes` and `insurance`: all the rest follows from what happened in the open.
"""

from typing import TypeAlias, Union

import msgspec

from engine.rockwell.choices import Drill

Cubes: TypeAlias = tuple[int, int, int, int]

ZINC, COPPER, SILVER, GOLD = KINDS = range(4)
KIND_NAMES = ("zinc", "copper", "silver", "gold")
CONTROL, EXCHANGE, WORKSHOP = BOARDS = range(3)
BOARD_NAMES = ("control", "exchange", "workshop")
ACHIEVEMENTS = (
    "eight_zinc_and_copper",
    "six_extractions",
    "ten_silver",
    "three_crews_of_power_2",
    "twelve_gold",
    "all_crews_at_stratum_c",
    "six_of_each",
    "two_crews_of_power_4",
    "centre_reached",
)
"""The kinds of achievement; elsewhere a kind is its place in this list."""


class Account(msgspec.Struct, omit_defaults=True):
    """What everyone can have written down about one company's stock.

    `seen` counts its cubes as if none had been insured; `low` and `high` bound how many of each kind it has insured
    since the game began, by what it did and did not claim and pay; `spent` is the insurance that it has discarded.
    Its real cubes are `seen` less what it insured, its insurance the sum of that less `spent`.
    """

    seen: list[int]
    low: list[int]
    high: list[int]
    spent: int = 0

    def copy(self) -> "Account":
        """A copy that shares nothing."""
        return Account(self.seen[:], self.low[:], self.high[:], self.spent)


class Company(msgspec.Struct, omit_defaults=True):
    """One company. Levels are 0..3; `cards` counts its extraction cards.

    `claimed` holds the prestige of each claimed achievement by kind, 0 where unclaimed; `delivered` the delivery
    tiles taken, each as pile * 8 + its place in the pile. `money` is formally secret but follows from public acts.
    """

    cubes: list[int]
    money: int
    account: Account
    insurance: int = 0
    safety: int = 0
    mineshaft: int = 0
    mobility: int = 0
    cards: int = 0
    claimed: list[int] = msgspec.field(default_factory=lambda: [0] * 9)
    delivered: list[int] = []

    def copy(self) -> "Company":
        """A copy that shares nothing."""
        return Company(
            self.cubes[:],
            self.money,
            self.account.copy(),
            self.insurance,
            self.safety,
            self.mineshaft,
            self.mobility,
            self.cards,
            self.claimed[:],
            self.delivered[:],
        )


class Auction(msgspec.Struct, frozen=True, omit_defaults=True, tag="auction"):
    """All companies bid."""


class Placing(msgspec.Struct, frozen=True, omit_defaults=True, tag="placing"):
    """Vice president number `index` is placed, counted through the management order twice."""

    index: int


class Insuring(msgspec.Struct, frozen=True, omit_defaults=True, tag="insuring"):
    """All companies insure."""


class Drilling(msgspec.Struct, frozen=True, omit_defaults=True, tag="drilling"):
    """In round 1..4 the company at `index` of the control order plays a crew."""

    round: int
    index: int


class Acting(msgspec.Struct, frozen=True, omit_defaults=True, tag="acting"):
    """The rest of a drill choice, from `phase` on: 2 the second move, 3 bribery or hire, 4 the end of the act.

    The whole choice was announced when it was made, so it is public. `extracted` says that the move alone has
    extracted the tile where it ended (RW-DRL-9).
    """

    seat: int
    choice: Drill
    phase: int
    extracted: bool = False


class Ripe(msgspec.Struct, frozen=True, omit_defaults=True, tag="ripe"):
    """Both tiles of a straddling crew can be extracted: `seat`, whose act it was, says which is first (RW-EXT-16).

    `cause` is as in `events.Extracted`.
    """

    seat: int
    crew: int
    cause: str


class Spoil(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one company gets from an extraction, before danger.

    `power` is its total on the tile, 0 with only a mineshaft there; `rest` what was left over and falls to it.
    `cut` is what danger takes before safety, `loss` after it, before insurance; both 0 without danger.
    """

    seat: int
    power: int
    share: Cubes
    rest: Cubes
    cut: int = 0
    loss: int = 0


class Danger(msgspec.Struct, frozen=True, omit_defaults=True, tag="danger"):
    """Danger strikes: the `asked` choose their insurance. They are those that lose something and may, for all that
    everyone knows, hold insurance."""

    tile: int
    seat: int
    spoils: tuple[Spoil, ...]
    asked: tuple[int, ...]


class Market(msgspec.Struct, frozen=True, omit_defaults=True, tag="market"):
    """Phase II: the turn of the company at `index` of the order of that phase."""

    index: int


class Workshop(msgspec.Struct, frozen=True, omit_defaults=True, tag="workshop"):
    """Phase III: the turn of the company at `index` of the order of that phase."""

    index: int


class AutomatonMoving(msgspec.Struct, frozen=True, omit_defaults=True, tag="automaton_moving"):
    """The automaton moves at the end of a drilling round (two companies)."""

    round: int


class AutomatonRaising(msgspec.Struct, frozen=True, omit_defaults=True, tag="automaton_raising"):
    """A crew of the automaton is raised after phase III (two companies); once that is `done` the turn ends."""

    done: bool = False


Step: TypeAlias = Union[
    Auction,
    Placing,
    Insuring,
    Drilling,
    Acting,
    Ripe,
    Danger,
    Market,
    Workshop,
    AutomatonMoving,
    AutomatonRaising,
]


class State(msgspec.Struct, omit_defaults=True):
    """A game between two choices. `stack` is what is being done, innermost last; empty when the game is over.

    at, power, die: by crew number: its spot, its power, the power of the die beside it (0 none).
    required, back, mineshaft: by tile: the power required, its back (0..7 in the component set's list of its
    stratum, -1 unrevealed), the owner of the mineshaft on it (-1 none).
    slots: by board * 4 + slot, the seat whose vice president is there, -1 none.
    cards: by pile 0..7, the cards left, bit i for card i of the component set.
    deliveries, achievements: by pile, how many tiles are gone from the top.
    traded, left: by seat, in phases II and III: kinds traded (bit by kind), transactions or actions left.
    """

    at: list[int]
    power: list[int]
    die: list[int]
    required: list[int]
    back: list[int]
    mineshaft: list[int]
    companies: list[Company]
    management: list[int]
    control: list[int]
    slots: list[int]
    bribery: int
    dice: int
    cards: list[int]
    deliveries: list[int]
    achievements: list[int]
    traded: list[int]
    left: list[int]
    turn: int = 1
    stack: list[Step] = []

    def copy(self) -> "State":
        """A state that shares nothing that either may change: steps are frozen."""
        return State(
            self.at[:],
            self.power[:],
            self.die[:],
            self.required[:],
            self.back[:],
            self.mineshaft[:],
            [company.copy() for company in self.companies],
            self.management[:],
            self.control[:],
            self.slots[:],
            self.bribery,
            self.dice,
            self.cards[:],
            self.deliveries[:],
            self.achievements[:],
            self.traded[:],
            self.left[:],
            self.turn,
            self.stack[:],
        )
