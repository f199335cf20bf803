"""What happens in a game of Rockwell, each with the figures that its why-line needs.

`seat` is the company that acts or is concerned, `crew` 0..3 of that seat, cubes zinc, copper, silver, gold, money in
dollars, tiles and spots as in `geometry`. All are for everyone, but Insured.
"""

from typing import TypeAlias, Union

import msgspec

from engine.rockwell.state import Cubes


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The board was laid out; both orders were drawn."""

    required: tuple[int, ...]
    management: tuple[int, ...]
    control: tuple[int, ...]


class TurnBegan(msgspec.Struct, frozen=True, tag="turn_began"):
    """A turn began."""

    turn: int


class Bidden(msgspec.Struct, frozen=True):
    """One company's bid and what it is worth at market value."""

    seat: int
    money: int
    cubes: Cubes
    worth: int


class BidsRevealed(msgspec.Struct, frozen=True, tag="bids_revealed"):
    """All bids, in seat order, and the management order `before` and after them."""

    bids: tuple[Bidden, ...]
    before: tuple[int, ...]
    order: tuple[int, ...]


class Placed(msgspec.Struct, frozen=True, tag="placed"):
    """A vice president took slot 0.. of board 0..2. `number` is 1 or 2."""

    seat: int
    number: int
    board: int
    slot: int


class StayedHome(msgspec.Struct, frozen=True, tag="stayed_home"):
    """No slot was free that the company may use (RW-VP-4)."""

    seat: int
    number: int


class Insured(msgspec.Struct, frozen=True, tag="insured"):
    """Cubes became insurance. Only that seat sees it."""

    seat: int
    cubes: Cubes


class ControlOrder(msgspec.Struct, frozen=True, tag="control_order"):
    """The drilling order, and the control order before it."""

    before: tuple[int, ...]
    order: tuple[int, ...]


class RoundBegan(msgspec.Struct, frozen=True, tag="round_began"):
    """Drilling round 1..4 began."""

    round: int


class Stayed(msgspec.Struct, frozen=True, tag="stayed"):
    """A crew was active and stayed."""

    seat: int
    crew: int
    spot: int


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """A crew moved; `move` is 2 for the second move of mobility 3, else 1."""

    seat: int
    crew: int
    origin: int
    to: int
    move: int


class NoCrew(msgspec.Struct, frozen=True, tag="no_crew"):
    """All crews of the company are at the centre: it passes in this round (RW-DRL-7)."""

    seat: int


class Lapsed(msgspec.Struct, frozen=True, tag="lapsed"):
    """A part of a drill choice became pointless and was not done, at no cost.

    `part` is `second`, `hire` or `bribe`; `reason` is `extracted` (the move alone extracted the tile, RW-DRL-9),
    `revealed` (the border that it was to straddle has a revealed tile), `moved` (the crew concerned is no longer
    where it was).
    """

    seat: int
    crew: int
    part: str
    reason: str


class DieTaken(msgspec.Struct, frozen=True, tag="die_taken"):
    """A die of power `before` went along with its crew, at `power`, for the fee of that."""

    seat: int
    crew: int
    before: int
    power: int
    fee: int


class DieLeft(msgspec.Struct, frozen=True, tag="die_left"):
    """A die went back to Board I: left behind, or its crew went to the centre."""

    seat: int
    crew: int
    power: int
    centre: bool


class Hired(msgspec.Struct, frozen=True, tag="hired"):
    """A subcontractor was hired."""

    seat: int
    crew: int
    power: int
    fee: int


class Bribed(msgspec.Struct, frozen=True, tag="bribed"):
    """A crew of `owner` (its seat; the number of seats for the automaton) was brought onto a tile.

    `die` is the power of its subcontractor, 0 for none, and `fee` what the briber paid for it.
    """

    seat: int
    crew: int
    owner: int
    target: int
    origin: int
    to: int
    die: int
    fee: int


class CentreReached(msgspec.Struct, frozen=True, tag="centre_reached"):
    """A crew went to the centre."""

    seat: int
    crew: int


class Extracted(msgspec.Struct, frozen=True, tag="extracted"):
    """A tile was extracted and revealed. `seat` triggered it and keeps the card.

    `cause` is `move`, `passing` (the first of two moves), `bribe`, `hire`, `power` (workshop) or `automaton`;
    `strength` the power that was on the tile against what it `required`; `back` its back in the component set's
    list of the stratum, which draws from `pile` 1..8 and `yields` cubes to a mineshaft.
    """

    tile: int
    seat: int
    cause: str
    required: int
    strength: int
    back: int
    pile: int
    yields: Cubes
    cubes: Cubes
    danger: bool


class Fell(msgspec.Struct, frozen=True, tag="fell"):
    """A crew that straddled the extracted tile landed on it. `seat` is the crew's owner."""

    seat: int
    crew: int
    origin: int
    tile: int


class Share(msgspec.Struct, frozen=True):
    """One company's even share, and its power on the tile, subcontractors included."""

    seat: int
    power: int
    cubes: Cubes


class Shared(msgspec.Struct, frozen=True, tag="shared"):
    """How the card was divided, before danger.

    `rest` is what was left over and goes to `priority`, by `reason`: `mineshaft`, `dominant` (most power) or
    `triggered` (several at the most power).
    """

    tile: int
    shares: tuple[Share, ...]
    priority: int
    reason: str
    rest: Cubes


class DangerStruck(msgspec.Struct, frozen=True, tag="danger_struck"):
    """What danger did to one company with a crew on the tile.

    `booty` is what was at risk; `cut` how many cubes of it danger would take; `safety` how many of these its level
    saved, `insurance` how many the insurance that it discarded; `lost` and `kept` are cubes.
    """

    tile: int
    seat: int
    power: int
    booty: Cubes
    cut: int
    safety: int
    insurance: int
    lost: Cubes
    kept: Cubes


class Yielded(msgspec.Struct, frozen=True, tag="yielded"):
    """A mineshaft gave its owner cubes."""

    seat: int
    tile: int
    cubes: Cubes


class Traded(msgspec.Struct, frozen=True, tag="traded"):
    """A purchase (`amount` above 0) or sale (below 0) of cubes of one kind; `money` is what it cost or brought."""

    seat: int
    kind: int
    amount: int
    money: int


class Passed(msgspec.Struct, frozen=True, tag="passed"):
    """A company is done with the phase of board 1 or 2 though it had something left; `forced` if nothing could be
    done, for all that everyone knows."""

    seat: int
    board: int
    forced: bool


class Raised(msgspec.Struct, frozen=True, tag="raised"):
    """A crew went up to `power`."""

    seat: int
    crew: int
    power: int
    price: int


class LevelBought(msgspec.Struct, frozen=True, tag="level_bought"):
    """A level of `safety` or `mobility` was bought."""

    seat: int
    what: str
    level: int
    price: int


class MineshaftBuilt(msgspec.Struct, frozen=True, tag="mineshaft_built"):
    """A level of mineshaft was bought and the mineshaft built."""

    seat: int
    tile: int
    level: int
    price: int


class MineshaftMoved(msgspec.Struct, frozen=True, tag="mineshaft_moved"):
    """A mineshaft was moved by the rule, and for the price, of a level."""

    seat: int
    origin: int
    to: int
    level: int
    price: int


class Delivered(msgspec.Struct, frozen=True, tag="delivered"):
    """The top tile of a delivery pile was taken; `place` is its place in the pile, from 0."""

    seat: int
    pile: int
    place: int
    cost: Cubes
    prestige: int


class Claimed(msgspec.Struct, frozen=True, tag="claimed"):
    """An achievement tile was claimed; `achievement` is the place of its kind in `state.ACHIEVEMENTS`."""

    seat: int
    achievement: int
    prestige: int


class TurnEnded(msgspec.Struct, frozen=True, tag="turn_ended"):
    """Phase III is over; vice presidents, dice and bribery tiles are back."""

    turn: int


class Stock(msgspec.Struct, frozen=True):
    """All that a company holds at the end. `delivered` as in `state.Company`."""

    seat: int
    cubes: Cubes
    money: int
    insurance: int
    delivered: tuple[int, ...]


class Award(msgspec.Struct, frozen=True):
    """Prestige for the most of something: `what` is a kind of cube 0..3, or 4 for money."""

    seat: int
    what: int
    amount: int
    prestige: int


class GameEnded(msgspec.Struct, frozen=True, tag="game_ended"):
    """The game is over: `reason` is `centre` or `achievements`; stocks in seat order, awards of 1 or more."""

    reason: str
    stocks: tuple[Stock, ...]
    awards: tuple[Award, ...]


class AutomatonMoved(msgspec.Struct, frozen=True, tag="automaton_moved"):
    """The automaton's crew 0..3 moved; `chooser` is the seat that chose, None where nothing was left to choose."""

    crew: int
    origin: int
    to: int
    chooser: int | None


class AutomatonRaised(msgspec.Struct, frozen=True, tag="automaton_raised"):
    """The automaton's crew 0..3 went up to `power`."""

    crew: int
    power: int
    chooser: int | None


class MoneySet(msgspec.Struct, frozen=True, tag="money_set"):
    """By hand: a company has that much money, and not what it had `before`."""

    seat: int
    before: int
    money: int


class CubesGiven(msgspec.Struct, frozen=True, tag="cubes_given"):
    """By hand: a company got so many cubes of a kind, or lost them where `amount` is negative."""

    seat: int
    kind: int
    amount: int


class CrewPut(msgspec.Struct, frozen=True, tag="crew_put"):
    """By hand: a crew, in a game of two one of the automaton's too, is elsewhere."""

    seat: int
    crew: int
    origin: int
    to: int


class PowerSet(msgspec.Struct, frozen=True, tag="power_set"):
    """By hand: a crew has another power."""

    seat: int
    crew: int
    before: int
    power: int


class LevelSet(msgspec.Struct, frozen=True, tag="level_set"):
    """By hand: a company has another level of `safety` or `mobility`."""

    seat: int
    what: str
    before: int
    level: int


class MineshaftSet(msgspec.Struct, frozen=True, tag="mineshaft_set"):
    """By hand: the mineshaft on a tile has another owner, -1 for none there."""

    tile: int
    before: int
    owner: int


class AchievementSet(msgspec.Struct, frozen=True, tag="achievement_set"):
    """By hand: a company has an achievement that it had not, or with `gone` has it no more."""

    seat: int
    achievement: int
    prestige: int
    gone: bool = False


ByHand: TypeAlias = Union[MoneySet, CubesGiven, CrewPut, PowerSet, LevelSet, MineshaftSet, AchievementSet]
"""What a moderator changed by hand: no rule makes these happen."""

RockwellEvent: TypeAlias = Union[
    Started,
    TurnBegan,
    BidsRevealed,
    Placed,
    StayedHome,
    Insured,
    ControlOrder,
    RoundBegan,
    Stayed,
    Moved,
    NoCrew,
    Lapsed,
    DieTaken,
    DieLeft,
    Hired,
    Bribed,
    CentreReached,
    Extracted,
    Fell,
    Shared,
    DangerStruck,
    Yielded,
    Traded,
    Passed,
    Raised,
    LevelBought,
    MineshaftBuilt,
    MineshaftMoved,
    Delivered,
    Claimed,
    TurnEnded,
    GameEnded,
    AutomatonMoved,
    AutomatonRaised,
    MoneySet,
    CubesGiven,
    CrewPut,
    PowerSet,
    LevelSet,
    MineshaftSet,
    AchievementSet,
]
