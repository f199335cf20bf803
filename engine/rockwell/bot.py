"""The steady stand-in: decides each thing by what it is about worth in dollars, from its view and its space alone."""

from collections.abc import Callable
from typing import Any

from engine.contract import Decision, Pick
from engine.rockwell import autobot, drillbot, workbot
from engine.rockwell.automaton_moving import MoveSpace
from engine.rockwell.automaton_raising import RaiseSpace
from engine.rockwell.choices import (
    AUTOMATON_MOVE,
    AUTOMATON_STEP,
    BID,
    DANGER,
    DRILL,
    FIRST,
    INSURE,
    MARKET,
    PLACE,
    WORKSHOP,
    Bid,
    Cover,
    Insure,
    Place,
)
from engine.rockwell.cubespace import BidSpace, InsureSpace
from engine.rockwell.danger import CoverSpace
from engine.rockwell.extraction import FirstSpace
from engine.rockwell.geometry import ON
from engine.rockwell.placing import PlaceSpace
from engine.rockwell.prospects import prospects
from engine.rockwell.state import CONTROL, EXCHANGE, KINDS, ZINC
from engine.rockwell.subcontracting import SUBCONTRACTING
from engine.rockwell.view import RockwellView

ACTION = 2000
"""What an action in the workshop costs, more or less."""
HUNDRED = 100
FIRST_CALL = 50
"""What it bids for each action that it can pay: about what being called first is worth, as companies that bid more or
less than that win less."""
SPREAD = 8
"""So many hundreds, less one, chance adds at most: a bid that could be foretold would be outbid by a little."""
PART = 4
"""It bids at most this part of its money."""
MOST_INSURANCE = 4


def steady(view: RockwellView, decision: Decision, space: Any, pick: Pick) -> Any:
    """A sound choice of the seat whose view this is."""
    assert view.seat is not None
    return _KINDS[decision.kind](view, space, view.seat, pick)


def _bid(view: RockwellView, space: BidSpace, seat: int, pick: Pick) -> Bid:
    """A better slot in the workshop is worth a little for each action that it can pay; how much, chance says."""
    actions = min(4, _wealth(view, space) // ACTION)
    worth = actions * FIRST_CALL + HUNDRED * pick(SPREAD)
    money = min(worth, space.money // PART) // HUNDRED * HUNDRED
    return Bid(money, (0, 0, 0, 0))


def _wealth(view: RockwellView, space: BidSpace | PlaceSpace) -> int:
    own = view.own
    assert own is not None
    return own.money + sum(own.cubes[kind] * space.tables.market[kind] for kind in KINDS)


def _place(view: RockwellView, space: PlaceSpace, seat: int, pick: Pick) -> Place:
    """The slot that is worth most: actions that it can pay, cubes that it wants to sell, a die or a bribe."""
    best = Place(-1, -1)
    most = -1.0
    for board in space.boards:
        part = space.part((board,))
        assert part is not None
        for slot in part.values:
            worth = slot_worth(view, space, board, slot)
            if worth > most:
                best, most = Place(board, slot), worth
    return best


def slot_worth(view: RockwellView, space: PlaceSpace, board: int, slot: int) -> float:
    """About what a slot is worth to the seat, in dollars."""
    assert view.own is not None
    grant = space.tables.grants[board][slot]
    if board == CONTROL:
        # The first slots also drill first.
        advantage = 800 if space.tables.rights[slot] == SUBCONTRACTING and view.own.money >= ACTION else 450
        return advantage - 10.0 * slot
    if board == EXCHANGE:
        kinds = sum(1 for kind in KINDS if view.own.cubes[kind] >= 2)
        return 350.0 * min(grant, kinds)
    return 450.0 * min(grant, _wealth(view, space) / ACTION)


def _insure(view: RockwellView, space: InsureSpace, seat: int, pick: Pick) -> Insure:
    """Zinc against the cubes that danger is expected to take this turn, as far as safety and insurance lack."""
    own = view.own
    assert own is not None
    known = prospects(space.tables)
    first = seat * 4
    expected = 0.0
    for number in range(first, first + 4):
        for tile in ON[view.at[number]]:
            promise = known.get((tile // 8, view.required[tile]))
            if promise is not None:
                expected += promise.danger * max(0, view.power[number] - space.tables.saves[own.safety] / 4)
    wanted = min(MOST_INSURANCE, int(expected + 0.5)) - own.insurance
    return Insure((max(0, min(wanted, space.held[ZINC])), 0, 0, 0))


def _drill(view: RockwellView, space: Any, seat: int, pick: Pick) -> Any:
    return drillbot.drill(view, space, seat)


def _first(view: RockwellView, space: FirstSpace, seat: int, pick: Pick) -> Any:
    """The tile that promises more."""
    return space.build((max(space.tiles, key=lambda tile: (view.required[tile], -tile)),))


def _cover(view: RockwellView, space: CoverSpace, seat: int, pick: Pick) -> Cover:
    """All that can be saved: insurance is cheap zinc."""
    return Cover(min(space.loss, space.insurance))


def _market(view: RockwellView, space: Any, seat: int, pick: Pick) -> Any:
    return workbot.trade(view, space, seat)


def _workshop(view: RockwellView, space: Any, seat: int, pick: Pick) -> Any:
    return workbot.work(view, space, seat)


def _automaton_move(view: RockwellView, space: MoveSpace, seat: int, pick: Pick) -> Any:
    return autobot.move(space.tables, view, space, seat)


def _automaton_step(view: RockwellView, space: RaiseSpace, seat: int, pick: Pick) -> Any:
    return autobot.step(space.tables, view, space, seat)


_KINDS: dict[str, Callable[[RockwellView, Any, int, Pick], Any]] = {
    BID: _bid,
    PLACE: _place,
    INSURE: _insure,
    DRILL: _drill,
    FIRST: _first,
    DANGER: _cover,
    MARKET: _market,
    WORKSHOP: _workshop,
    AUTOMATON_MOVE: _automaton_move,
    AUTOMATON_STEP: _automaton_step,
}
