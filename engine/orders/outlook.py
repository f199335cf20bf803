"""What a sheet's orders would come to, before their decisions come up: from the seat's view alone."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from engine.contract import (
    Asked,
    Condition,
    Consequence,
    Either,
    Every,
    Foresight,
    Obstacle,
    Outlook,
    Rules,
    Test,
    View,
)
from engine.errors import Illegal
from engine.orders.shape import Order
from engine.orders.sheet import Act, Kept, Sheet, answer, met, unmet

MAX_FORESEEN = 24
"""Orders of which consequences are told at most."""


def obstacle(rules: Rules, view: View, order: Order, agenda: Sequence[Asked]) -> Obstacle | None:
    """Why an order can't be used any more in this stage, or could not as things are now; None if nothing is known.

    `agenda` is what the stage may still ask of the seat whose view this is.
    A standing order has none: it waits for other stages too. `not_in_stage` says that the rest of the stage asks
    nothing of the kind, `round_over` that the order is for a round that is over. An order with an alternative that
    nothing stands against has none.
    """
    if order.always:
        return None
    asked = [each for each in agenda if each.kind == order.kind]
    rounds = [each for each in asked if order.round in (0, each.round) or not each.round]
    if not rounds:
        is_over = bool(asked) and order.round < min(each.round for each in asked)
        return Obstacle("round_over", {"round": order.round}) if is_over else Obstacle("not_in_stage")
    if not isinstance(rules, Outlook):
        return None
    never = _never(rules, rules, view, order.test)
    if never is not None:
        return never
    found: list[Obstacle] = []
    for alternative in order.alternatives:
        against = _never(rules, rules, view, alternative.test)
        against = against or rules.obstacle(view, order.kind, order.round, alternative.intent)
        if against is None:
            return None
        found.append(against)
    return next((each for each in found if not each.for_good), found[-1])


def _never(rules: Rules, ahead: Outlook, view: View, test: Test | None) -> Obstacle | None:
    """That a test can't hold any more, with the part of it that can't."""
    failed = unmet(rules, view, test)
    if failed is None or not _lasts(rules, ahead, view, failed):
        return None
    return Obstacle("never_holds", {"fact": msgspec.to_builtins(failed)})


def _lasts(rules: Rules, ahead: Outlook, view: View, failed: Test) -> bool:
    if isinstance(failed, Condition):
        return ahead.lasting(view, failed)
    if isinstance(failed, Every | Either):
        over = [_lasts(rules, ahead, view, part) for part in failed.parts]
        return any(over) if isinstance(failed, Every) else all(over)
    return False


def can_be_used(rules: Rules, state: object, seat: int, order: Order, pace: str) -> bool:
    """Whether an order could be carried out as things stand, as far as that can be said from the seat's view."""
    view = rules.view(state, seat)
    decision = rules.pending(state)
    if decision is not None and seat in decision.seats and decision.kind == order.kind:
        said = answer(rules, state, seat, decision, Sheet((Kept((0, 0), order),)), frozenset())
        return said.choice is not None or any(each.reason == "pause" for each in said.tried)
    if obstacle(rules, view, msgspec.structs.replace(order, always=False), rules.agenda(view, pace)) is not None:
        return False
    return not isinstance(rules, Foresight) or _may_be_done(rules, view, order)


def _may_be_done(ahead: Foresight, view: View, order: Order) -> bool:
    """Whether the first thing that it says could be done, as far as the rules foresee it."""
    try:
        ahead.foresee(view, order.kind, order.round, order.alternatives[0].intent)
    except Illegal as illegal:
        return illegal.code == "not_foreseen"
    return True


def consequences(
    rules: Rules, view: View, orders: Sequence[Order], pace: str
) -> Iterator[tuple[Order, tuple[Consequence, ...], Obstacle | None]]:
    """What everyone would see come of each order if nothing else changed, in order of play; then the orders that
    would be passed over each time they came up, with what would stand against them the last time.

    Each is looked at where those before it would leave the seat. Of an order of which the rules can tell nothing there
    is nothing. That one would be passed over is told only as far as the orders answer all that comes before it.
    """
    if not isinstance(rules, Foresight):
        return
    ahead: Foresight = rules
    left = dict(enumerate(orders))
    passed: dict[int, Obstacle] = {}
    is_answered = True
    for asked in list(rules.agenda(view, pace))[:MAX_FORESEEN]:
        for _ in range(min(asked.times, len(left))):
            found, against = _next(rules, ahead, view, left, asked)
            if is_answered:
                passed |= against
            if found is None:
                is_answered = False
                break
            place, told, view = found
            yield left[place], told, None
            passed.pop(place, None)
            if not left[place].always:
                del left[place]
            if view is None:
                return
    yield from ((left[place], (), against) for place, against in passed.items() if not left[place].always)


def _next(
    rules: Rules, ahead: Foresight, view: View, orders: Mapping[int, Order], asked: Asked
) -> tuple[tuple[int, tuple[Consequence, ...], View] | None, dict[int, Obstacle]]:
    """The place of the first order for what is asked that would be used, with what comes of it and the view after it;
    and what stands against those before it."""
    passed: dict[int, Obstacle] = {}
    for place, order in orders.items():
        if order.kind != asked.kind or order.round not in (0, asked.round) or not met(rules, view, order.test):
            continue
        for alternative in order.alternatives:
            act = Act(order.kind, asked.round, alternative.intent)
            if not met(rules, view, alternative.test, act):
                continue
            try:
                told, after = ahead.foresee(view, order.kind, asked.round, alternative.intent)
            except Illegal as illegal:
                if illegal.code != "not_foreseen":
                    passed[place] = Obstacle(illegal.code, dict(illegal.params), for_good=False)
                continue
            passed.pop(place, None)
            return (place, tuple(told), after), passed
    return None, passed
