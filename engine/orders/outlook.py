"""What a sheet's orders would come to, before their decisions come up: from the seat's view alone."""

from collections.abc import Iterator, Sequence

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
from engine.orders.shape import Alternative, Order
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
) -> Iterator[tuple[Order, Alternative, tuple[Consequence, ...]]]:
    """What everyone would see come of each order if nothing else changed, in order of play: the order, its
    alternative that would be used, and what would follow.

    Each is looked at where those before it would leave the seat. Of an order that would not be used, or of which
    the rules can tell nothing, there is nothing.
    """
    if not isinstance(rules, Foresight):
        return
    ahead: Foresight = rules
    left = list(orders)
    for asked in list(rules.agenda(view, pace))[:MAX_FORESEEN]:
        for _ in range(min(asked.times, len(left))):
            found = _next(rules, ahead, view, left, asked)
            if found is None:
                break
            order, alternative, told, view = found
            if not order.always:
                left.remove(order)
            yield order, alternative, told


def _next(
    rules: Rules, ahead: Foresight, view: View, orders: Sequence[Order], asked: Asked
) -> tuple[Order, Alternative, tuple[Consequence, ...], View] | None:
    """The first order for what is asked that would be used."""
    for order in orders:
        if order.kind != asked.kind or order.round not in (0, asked.round) or not met(rules, view, order.test):
            continue
        for alternative in order.alternatives:
            act = Act(order.kind, asked.round, alternative.intent)
            if not met(rules, view, alternative.test, act):
                continue
            try:
                told, after = ahead.foresee(view, order.kind, asked.round, alternative.intent)
            except Illegal:
                continue
            return order, alternative, tuple(told), after
    return None
