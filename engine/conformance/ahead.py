"""Laws of orders sent ahead: a sheet answers for its own seat alone, and what is foreseen follows from the view."""

from typing import Any

from engine.chance import RandomChance
from engine.conformance.orders import altered, can_be_done, ideas
from engine.conformance.walk import Position, hold, positions, same
from engine.contract import Rules, RulesModule
from engine.journal import canonical
from engine.orders.outlook import consequences, obstacle
from engine.orders.shape import Order
from engine.orders.sheet import Answer, Sheet, answer

_AHEAD = 6
"""Questions of an agenda for which orders are looked at."""


def apart(module: RulesModule, rules: Rules, seed: int) -> None:
    """A sheet answers for its own seat alone: it touches no state, and whom else was asked before is nothing to it."""
    for position in positions(rules, seed):
        seats = position.decision.seats
        before = canonical(position.state)
        alone = {seat: _answered(module, rules, position, seat) for seat in seats}
        hold(canonical(position.state) == before, "apart", f"answering changed the state at {position}")
        again = {seat: _answered(module, rules, position, seat) for seat in reversed(seats)}
        hold(alone == again, "apart", f"answers depend on who was asked before at {position}")


def foreseen(module: RulesModule, rules: Rules, seed: int) -> None:
    """What is foreseen of orders, and what stands against them, is the same on real and imagined states.

    And nothing is said to stand against an order that can be carried out.
    """
    for position in positions(rules, seed):
        seat = position.number % rules.setup.seats
        view = rules.view(position.state, seat)
        other = rules.view(rules.imagine(view, RandomChance(position.random)), seat)
        for pace in module.paces:
            orders = [
                order
                for asked in rules.agenda(view, pace)[:_AHEAD]
                for order in module.language.ideas(rules, view, asked.kind, asked.round)
            ]
            real, imagined = (_outlook(rules, each, orders, pace) for each in (view, other))
            hold(real == imagined, "foreseen", f"{real} but {imagined} imagined, of seat {seat} at {position}")
        hold(same(rules.view(position.state, seat), view), "foreseen", f"the view was touched at {position}")
        for asked in position.decision.seats:
            _nothing_against(module, rules, position, asked)


def _answered(module: RulesModule, rules: Rules, position: Position, seat: int) -> Answer:
    sheet = Sheet().with_submission(1, ideas(module, rules, position, seat))
    return answer(rules, position.state, seat, position.decision, sheet, frozenset())


def _outlook(rules: Rules, view: Any, orders: list[Order], pace: str) -> list[Any]:
    against = [obstacle(rules, view, order, rules.agenda(view, pace)) for order in orders]
    return [against, list(consequences(rules, view, orders, pace))]


def _nothing_against(module: RulesModule, rules: Rules, position: Position, seat: int) -> None:
    view = rules.view(position.state, seat)
    for order in (*ideas(module, rules, position, seat), *altered(module, rules, position, seat)):
        if can_be_done(rules, position, seat, order):
            for pace in module.paces:
                found = obstacle(rules, view, order, rules.agenda(view, pace))
                hold(found is None, "foreseen", f"{found} against {order}, which can be done, at {position}")
