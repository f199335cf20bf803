"""How a steady stand-in writes a sheet: it plays the rest of the stage ahead in states that its seat must think
possible, all companies steady, and orders what it would do there, with other ways where that may have become illegal.

Where its own acts meet those of others, in drilling, one such state is a guess: the sheet has what was best in many.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from engine.contract import Condition, Decision, Foreseen, Foresight, Pick, Planner, Rules
from engine.lookahead import Fate
from engine.orders.shape import Alternative, Order
from engine.orders.writer import write
from engine.rockwell import bot, drillbot, workbot
from engine.rockwell.choices import (
    BID,
    DANGER,
    DRILL,
    INSURE,
    MARKET,
    PLACE,
    WORKSHOP,
    Bid,
    Drill,
    Insure,
    Pass,
    Trade,
)
from engine.rockwell.geometry import ON
from engine.rockwell.language import LANGUAGE
from engine.rockwell.language.intents import ALL, ANY, STAY, BidOf, Buy, CoverBy, DrillBy, InsureOf, PlaceOn, Sell
from engine.rockwell.market import PASS
from engine.rockwell.state import BOARDS
from engine.rockwell.view import RockwellView

WAYS = 3
"""Alternatives of a drill, and at most of an action."""
WORLDS = 8
"""In how many imagined worlds it plays a drilling stage ahead."""
PLACES = 9
"""Slots that a vice president's line names one by one, before it says which boards."""


def planner(rules: Rules) -> Planner:
    """The stand-in's planner for a game."""

    def plan(view: RockwellView, pace: str, pick: Pick) -> list[str]:
        return [write(order, LANGUAGE, view) for order in _orders(rules, view, pace, pick)]

    return plan


def _orders(rules: Rules, view: RockwellView, pace: str, pick: Pick) -> list[Order]:
    """An order for each decision of the seat that came up in the stage as it was played ahead, and what is sure."""
    asked = {each.kind for each in rules.agenda(view, pace)}
    worlds = [_ahead(rules, view, pace, Fate(pick(1 << 32))) for _ in range(WORLDS if DRILL in asked else 1)]
    orders = [order for order in worlds[0] if order.kind != DRILL]
    drills: dict[int, list[Order]] = {}
    for order in chain(*worlds):
        if order.kind == DRILL:
            drills.setdefault(order.round, []).append(order)
    return [*orders, *(_drill(round_, drills[round_]) for round_ in sorted(drills)), *_closing(orders, asked)]


def _ahead(rules: Rules, view: RockwellView, pace: str, fate: Fate) -> list[Order]:
    """The seat's orders for what comes up in the rest of the stage in one imagined world, all companies steady."""
    orders: list[Order] = []
    state = rules.imagine(view, fate)
    stage = rules.stage(state, pace)
    while (decision := rules.pending(state)) is not None and rules.stage(state, pace) == stage:
        answers: dict[int, Any] = {}
        for each in decision.seats:
            seen, space = rules.view(state, each), rules.space(state, each)
            answers[each] = bot.steady(seen, decision, space, fate.pick)
            if each == view.seat and decision.kind != DANGER:
                orders.append(_order(rules, decision, seen, space, answers[each]))
        rules.apply(state, answers, fate, [])
    return orders


def _order(rules: Rules, decision: Decision, view: RockwellView, space: Any, choice: Any) -> Order:
    if decision.kind == DRILL:
        return Order(DRILL, tuple(_drills(rules, view, space, decision.round)), decision.round)
    ways = _WAYS[decision.kind](view, space, choice) if decision.kind in _WAYS else [Alternative(choice)]
    return Order(decision.kind, tuple(ways))


def _closing(orders: Sequence[Order], asked: set[str]) -> list[Order]:
    """What is done when the orders are used up: all insurance against danger, and no more trades and actions.

    The last line of a kind stands for as many decisions as the stage may still ask.
    """
    kinds = Counter(order.kind for order in orders)
    lines = [Order(kind, (Alternative(Pass()),)) for kind in (MARKET, WORKSHOP) if kind in asked or kinds[kind]]
    if DANGER in asked:
        lines.append(Order(DANGER, (Alternative(CoverBy(ALL)),), always=True))
    return lines


def _bids(view: RockwellView, space: Any, choice: Bid) -> list[Alternative]:
    """What it would bid; half of it or nothing, should it have less by then."""
    sums = dict.fromkeys((choice.money, choice.money // (2 * bot.HUNDRED) * bot.HUNDRED, 0))
    return [Alternative(BidOf(money, choice.cubes)) for money in sums]


def _places(view: RockwellView, space: Any, choice: Any) -> list[Alternative]:
    """The slots by what they are worth, and then any board."""
    slots = [(board, slot) for board in BOARDS for slot in range(len(space.tables.grants[board]))]
    slots.sort(key=lambda place: -bot.slot_worth(view, space, *place))
    boards = list(dict.fromkeys(board for board, _ in slots))
    named = [PlaceOn(board, slot) for board, slot in slots[:PLACES]]
    return [Alternative(intent) for intent in [*named, *(PlaceOn(board) for board in boards)]]


def _insurances(view: RockwellView, space: Any, choice: Insure) -> list[Alternative]:
    return [Alternative(InsureOf(choice.cubes))]


def _drills(rules: Rules, view: RockwellView, space: Any, round_: int) -> list[Alternative]:
    """The best acts, each as long as what it is for still holds, as far as the best one that needs nothing."""
    assert view.seat is not None
    ways = []
    for act in drillbot.ranked(view, space, view.seat):
        ways.append(_way(rules, view, round_, drillbot.choice(space, act)))
        if len(ways) >= WAYS and not isinstance(ways[-1].test, Foreseen):
            return ways
    return [*ways, Alternative(DrillBy(ANY, STAY))]


def _drill(round_: int, orders: Sequence[Order]) -> Order:
    """One order of what was best in many worlds.

    First what extracts a tile, where it does so, then what was best in most; the last needs nothing.
    """
    best: Counter[tuple[DrillBy, bool]] = Counter()
    near: Counter[tuple[DrillBy, bool]] = Counter()
    ways: dict[tuple[DrillBy, bool], Alternative] = {}
    for order in orders:
        for place, way in enumerate(order.alternatives):
            act = way.intent, isinstance(way.test, Foreseen)
            ways.setdefault(act, way)
            best[act] += not place
            near[act] += WAYS - min(place, WAYS)
    # Sorting keeps the order of alike ones: what extracts and was best somewhere goes before all others.
    ranked = sorted(ways, key=lambda act: (-best[act], -near[act]))
    ranked.sort(key=lambda act: not (act[1] and best[act]))
    first = ranked[: WAYS - 1]
    last = next((ways[act].intent for act in ranked if not act[1] and act not in first), DrillBy(ANY, STAY))
    return Order(DRILL, (*(ways[act] for act in first), Alternative(last)), round_)


def _way(rules: Rules, view: RockwellView, round_: int, choice: Drill) -> Alternative:
    """An act that is to extract a tile if it does so; another one as long as its tile is unrevealed."""
    intent = DrillBy(**{name: getattr(choice, name) for name in choice.__struct_fields__})
    assert isinstance(rules, Foresight)  # Rockwell's do
    foreseen, _ = rules.foresee(view, DRILL, round_, intent)
    for consequence in foreseen:
        if consequence.code == "extracts":
            return Alternative(intent, Foreseen("extracts", {"tile": consequence.params["tile"]}))
    final = choice.second if choice.second >= 0 else choice.to
    hidden = [tile for tile in ON[final] if view.back[tile] < 0]
    return Alternative(intent, Condition("revealed", {"tile": hidden[0]}, expected=False) if hidden else None)


def _trades(view: RockwellView, space: Any, choice: Trade | Pass) -> list[Alternative]:
    """The trade; if it should hold less by then, all that there is."""
    if isinstance(choice, Pass):
        return [Alternative(choice)]
    if choice.amount > 0:
        return [Alternative(Buy(choice.kind, choice.amount))]
    return [Alternative(Sell(choice.kind, -choice.amount)), Alternative(Sell(choice.kind, ALL))]


def _works(view: RockwellView, space: Any, choice: Any) -> list[Alternative]:
    """The best actions, should the first have become illegal; the last is of another sort than the first."""
    assert view.seat is not None
    best, *others = workbot.ranked(view, space, view.seat)
    if best[0] == PASS:
        return [Alternative(choice)]
    others = others[:-1]  # a pass is the last of them
    sorts = [chosen for chosen in others[1:] if chosen[0] != best[0]]
    return [Alternative(space.build(chosen)) for chosen in [best, *others[:1], *sorts[:1]]]


_WAYS: dict[str, Callable[[RockwellView, Any, Any], list[Alternative]]] = {
    BID: _bids,
    PLACE: _places,
    INSURE: _insurances,
    MARKET: _trades,
    WORKSHOP: _works,
}
"""Kinds whose choices are said otherwise in an order; but for drills the others are their own intents."""
