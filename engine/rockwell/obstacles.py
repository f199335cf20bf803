"""What stands against an order that is sent ahead: for good in this stage, or as things are now.

Where an act does not hang on where the crews will be by then, the decision's own space says what is wrong with it; of a
drilling act only what no move can change.
"""

from collections.abc import Callable, Iterator
from typing import Any

from engine.contract import Condition, Obstacle
from engine.errors import Illegal
from engine.rockwell import automaton, imagine, language, reach, subcontracting
from engine.rockwell.choices import (
    AUTOMATON_STEP,
    BID,
    DRILL,
    FIRST,
    INSURE,
    MARKET,
    NOT_SAID,
    PLACE,
    WORKSHOP,
    First,
    Pass,
)
from engine.rockwell.components import Tables
from engine.rockwell.cubespace import BidSpace, InsureSpace
from engine.rockwell.geometry import BORDER, CAP, CENTRE, ON, SPOTS, TILE_SPOTS
from engine.rockwell.language.drills import POWERS
from engine.rockwell.language.intents import WITH, DrillBy
from engine.rockwell.language.quantities import amount
from engine.rockwell.market import MarketSpace
from engine.rockwell.placing import PlaceSpace
from engine.rockwell.state import Auction, Placing, State, Workshop
from engine.rockwell.view import RockwellView
from engine.rockwell.workspace import WorkSpace
from engine.spaces import check

SPACES: dict[str, Callable[[Tables, State, int], Any]] = {
    BID: BidSpace,
    PLACE: PlaceSpace,
    INSURE: InsureSpace,
    MARKET: MarketSpace,
    WORKSHOP: WorkSpace,
}
_FOR_GOOD = {
    PLACE: frozenset({"no_such_board", "on_that_board", "board_full", "slot_taken", "no_such_slot"}),
    INSURE: frozenset({"too_many_cubes"}),
    BID: frozenset({"hundreds"}),
    MARKET: frozenset({"traded_already", "too_many_cubes", "trade_of_nothing"}),
    WORKSHOP: frozenset({"most_power", "crew_at_centre", "no_level_left", "no_such_tile", "pile_empty"}),
}
"""By kind, what can't change before it is asked: nothing is gained between, and no slot or level given back."""

_STOCK = frozenset({"too_much_money", "too_many_cubes", "cannot_pay"})


class _First:
    """Chance that always gives the first outcome: only the seat's own stock is looked at."""

    def draw(self, stream: str, n: int) -> int:
        return 0


def obstacle(tables: Tables, view: RockwellView, kind: str, round_: int, intent: Any) -> Obstacle | None:
    """The first thing that stands against an intent, what is for good before what may change; None if nothing does."""
    if view.seat is None or view.own is None or not view.stack:
        return None
    if kind == DRILL:
        found = list(_against_drill(tables, view, view.seat, intent))
        too_far = reach.too_far(view, view.seat, round_, intent)
        found += [too_far] if too_far is not None else []
        return min(found, key=lambda each: not each.for_good, default=None)
    if kind == FIRST:
        return _against_first(view, intent)
    if (
        kind == AUTOMATON_STEP
        and intent.crew in range(4)
        and view.power[automaton.CREWS.start + intent.crew] == automaton.MOST_POWER
    ):
        return Obstacle("most_power")
    return _against_choice(tables, view, view.seat, kind, intent) if kind in SPACES else None


def _against_choice(tables: Tables, view: RockwellView, seat: int, kind: str, intent: Any) -> Obstacle | None:
    if isinstance(intent, Pass):
        return None
    state = imagine.imagine(view, _First())
    try:
        check(SPACES[kind](tables, state, seat), language.choice_of(tables, state, seat, intent))
    except Illegal as illegal:
        for_good = illegal.code in _FOR_GOOD[kind] or (illegal.code in _STOCK and _nothing_comes(view, kind))
        return Obstacle(illegal.code, dict(illegal.params), for_good)
    return None


def _nothing_comes(view: RockwellView, kind: str) -> bool:
    """Whether the seat's stock (for a bid), or its money (in the workshop), stays what it is until it is asked."""
    first = view.stack[0]
    return (kind == BID and isinstance(first, Auction)) or (kind == WORKSHOP and isinstance(first, Workshop))


def _against_first(view: RockwellView, intent: First) -> Obstacle | None:
    revealed = intent.tile in TILE_SPOTS and view.back[intent.tile] >= 0
    return Obstacle("tile_revealed", {"tile": intent.tile}) if revealed else None


def _against_drill(tables: Tables, view: RockwellView, seat: int, intent: DrillBy) -> Iterator[Obstacle]:
    assert view.own is not None
    if intent.crew in range(4) and view.at[seat * 4 + intent.crew] == CENTRE:
        yield Obstacle("crew_at_centre")
    yield from _against_moves(view, intent)
    if isinstance(view.stack[0], Placing):
        return
    right = subcontracting.right(tables, view, seat)
    if intent.hire:
        yield from _against_hire(tables, view, intent, right)
    if intent.bribe != NOT_SAID:
        yield from _against_bribe(view, intent, right)


def _against_moves(view: RockwellView, intent: DrillBy) -> Iterator[Obstacle]:
    """Levels of mobility are not bought while drilling goes on, and no tile is covered again."""
    assert view.own is not None
    has = view.own.mobility
    straddles = [spot for spot in (intent.to, intent.second) if spot >= BORDER]
    if intent.second != NOT_SAID and has < 3:
        yield Obstacle("needs_mobility", {"level": 3, "has": has})
    if straddles and has < 2:
        yield Obstacle("needs_mobility", {"level": 2, "has": has})
    for spot in straddles:
        for tile in (spot - WITH,) if spot >= WITH else ON[spot] if spot < SPOTS else ():
            if tile in TILE_SPOTS and view.back[tile] >= 0:
                yield Obstacle("straddle_revealed", {"tile": tile})


def _end(intent: DrillBy) -> int:
    """The spot where the act ends, NOT_SAID where that hangs on where the crew is."""
    end = intent.to if intent.second == NOT_SAID else intent.second
    return end if 0 <= end < SPOTS else NOT_SAID


def _against_hire(tables: Tables, view: RockwellView, intent: DrillBy, right: str) -> Iterator[Obstacle]:
    assert view.own is not None
    end = _end(intent)
    if right != subcontracting.SUBCONTRACTING:
        yield Obstacle("no_right", {"right": subcontracting.SUBCONTRACTING})
    if end != NOT_SAID and intent.hire > CAP[end]:
        yield Obstacle("above_cap", {"most": CAP[end]}) if CAP[end] else Obstacle("no_hire_here")
    if intent.hire in POWERS and tables.fees[intent.hire] > view.own.money:
        yield Obstacle("cannot_pay", {"price": tables.fees[intent.hire], "has": view.own.money})
    if not view.dice:
        yield Obstacle("no_dice_left", for_good=False)


def _against_bribe(view: RockwellView, intent: DrillBy, right: str) -> Iterator[Obstacle]:
    end = _end(intent)
    if right != subcontracting.BRIBERY:
        yield Obstacle("no_right", {"right": subcontracting.BRIBERY})
    if not view.bribery:
        yield Obstacle("no_bribery_left")
    if intent.bribe in range(len(view.at)) and view.at[intent.bribe] == CENTRE:
        yield Obstacle("crew_at_centre")
    if end in TILE_SPOTS and view.back[end] >= 0:
        yield Obstacle("tile_revealed", {"tile": end})


def lasting(view: RockwellView, condition: Condition) -> bool:
    """No tile is covered again, what it requires stays, and a round that is over does not come back."""
    params = condition.params
    if condition.code == "revealed":
        return bool(view.back[params["tile"]] >= 0)
    if condition.code == "round":
        now = amount(view, {"code": "round"})
        return bool(params["n"] < now)
    return condition.code == "requires"
