"""Laws of orders: examples are sound and read back, and what a sheet comes to follows from the seat's view."""

from random import Random
from typing import Any

import msgspec

from engine.chance import RandomChance, pick_from
from engine.conformance.choices import change_one
from engine.conformance.walk import Position, hold, positions
from engine.contract import Rules, RulesModule
from engine.errors import Illegal
from engine.orders.reader import read
from engine.orders.shape import Alternative, Order
from engine.orders.sheet import Sheet, answer
from engine.orders.writer import write
from engine.play import unanswered
from engine.spaces import check, sample

_ALTERED = 3


def written(module: RulesModule, rules: Rules, seed: int) -> None:
    """Examples of what is asked can be carried out, and each order written reads back to the same order."""
    for position in positions(rules, seed):
        for seat in position.decision.seats:
            where = f"seat {seat} at {position}"
            view = rules.view(position.state, seat)
            for order in ideas(module, rules, position, seat):
                hold(can_be_done(rules, position, seat, order), "written", f"{order} can't be done by {where}")
                text = write(order, module.language, view)
                reading = read(text, module.language, view)
                hold(reading.orders == (order,), "written", f"{text!r} reads to {reading.lines} for {where}")


def exact(module: RulesModule, rules: Rules, seed: int) -> None:
    """Each legal choice can be ordered: the order comes to that one, or to one that no line can tell from it."""
    for position in positions(rules, seed):
        decision = position.decision
        for seat in decision.seats:
            view = rules.view(position.state, seat)
            choice = sample(rules.space(position.state, seat), pick_from(position.random))
            order = _asking(module, rules, view, position, choice)
            said = answer(rules, position.state, seat, decision, Sheet().with_submission(1, [order]), frozenset())
            where = f"to {choice} by seat {seat} at {position}"
            hold(said.choice is not None, "exact", f"{order} comes to nothing: {said.tried}, {where}")
            again = _asking(module, rules, view, position, said.choice)
            hold(again == order, "exact", f"{order} comes to {said.choice}, {where}")
            text = write(order, module.language, view)
            reading = read(text, module.language, view)
            hold(reading.orders == (order,), "exact", f"{text!r} reads to {reading.lines}, {where}")


def _asking(module: RulesModule, rules: Rules, view: Any, position: Position, choice: Any) -> Order:
    intent = module.language.intent(rules, view, choice)
    return Order(position.decision.kind, (Alternative(intent),), position.decision.round)


def sheets(module: RulesModule, rules: Rules, seed: int) -> None:
    """What a sheet answers, why it does not, and what it leaves open are the same on real and imagined states."""
    for position in positions(rules, seed):
        for seat in position.decision.seats:
            view = rules.view(position.state, seat)
            state = rules.imagine(view, RandomChance(position.random))
            orders = [*altered(module, rules, position, seat), *ideas(module, rules, position, seat)]
            for beginning in range(0, len(orders) + 1, 1 + len(orders) // 4):
                sheet = Sheet().with_submission(1, orders[beginning:])
                real = _comes_to(module, rules, position, position.state, seat, sheet)
                other = _comes_to(module, rules, position, state, seat, sheet)
                hold(real == other, "sheets", f"{real} but {other} imagined, of {sheet} by seat {seat} at {position}")


def _comes_to(
    module: RulesModule, rules: Rules, position: Position, state: Any, seat: int, sheet: Sheet
) -> tuple[Any, ...]:
    said = answer(rules, state, seat, position.decision, sheet, frozenset())
    return (said, *(unanswered(rules, state, seat, sheet, frozenset(), pace) for pace in module.paces))


def ideas(module: RulesModule, rules: Rules, position: Position, seat: int) -> list[Order]:
    """The examples of what is asked of a seat."""
    view = rules.view(position.state, seat)
    return list(module.language.ideas(rules, view, position.decision.kind, position.decision.round))


def altered(module: RulesModule, rules: Rules, position: Position, seat: int) -> list[Order]:
    """Orders like the examples, most of which can't be carried out."""
    made = []
    for order in ideas(module, rules, position, seat):
        for intent in variants(rules, order.alternatives[0].intent, position.random):
            made.append(Order(order.kind, (Alternative(intent),), order.round))
    return made


def variants(rules: Rules, intent: Any, random: Random) -> list[Any]:
    """Intents like one, of which most can't be carried out."""
    plain = msgspec.to_builtins(intent)
    found = []
    for _ in range(_ALTERED):
        try:
            found.append(msgspec.convert(change_one(plain, random), rules.intent_type))
        except msgspec.ValidationError:
            continue
    return found


def can_be_done(rules: Rules, position: Position, seat: int, order: Order) -> bool:
    """Whether one of an order's alternatives is legal now."""
    for alternative in order.alternatives:
        try:
            choice = rules.fit(position.state, seat, alternative.intent)
        except Illegal:
            continue
        check(rules.space(position.state, seat), choice)
        return True
    return False
