"""A seat's sheet: which orders stand, and what they answer when a decision comes up."""

from collections.abc import Iterable

import msgspec

from engine.contract import Choice, Condition, Decision, Every, Rules, Test, View
from engine.errors import Illegal
from engine.orders.shape import Order


class Kept(msgspec.Struct, frozen=True):
    """An order on a sheet. `ref` names it for good: the submission's number and its place among that one's orders."""

    ref: tuple[int, int]
    order: Order


class Sheet(msgspec.Struct, frozen=True):
    """The orders of one seat that stand for a stage, oldest submission first, then in the order written."""

    orders: tuple[Kept, ...] = ()

    def with_submission(self, number: int, orders: Iterable[Order]) -> "Sheet":
        """The sheet after a submission: its lines replace all others of the kinds and rounds that it mentions.

        A line for any round replaces those for any round of its kind; one for round 2 only those for round 2.
        Standing orders replace standing orders alone.
        """
        return self.with_kept(tuple(Kept((number, index), order) for index, order in enumerate(orders)))

    def with_kept(self, new: tuple[Kept, ...]) -> "Sheet":
        """The same for orders that have their names already, such as those of a late submission."""
        mentioned = {_slot(kept.order) for kept in new}
        return Sheet(tuple(kept for kept in self.orders if _slot(kept.order) not in mentioned) + new)

    def without(self, kind: str, round_: int = -1) -> "Sheet":
        """The sheet with one kind of order cancelled, standing ones too; with a round, only those for that round."""
        return Sheet(
            tuple(kept for kept in self.orders if kept.order.kind != kind or round_ not in (-1, kept.order.round))
        )

    def without_standing(self, kind: str = "") -> "Sheet":
        """The sheet without the standing orders of a kind, or without any where no kind is given."""
        return Sheet(tuple(kept for kept in self.orders if not kept.order.always or kind not in ("", kept.order.kind)))

    def standing(self) -> "Sheet":
        """The standing orders alone: what is left on the sheet when a stage has closed."""
        return Sheet(tuple(kept for kept in self.orders if kept.order.always))


def _slot(order: Order) -> tuple[str, int, bool]:
    return (order.kind, order.round, order.always)


class Tried(msgspec.Struct, frozen=True):
    """An order that was looked at and not used: `reason` is `condition` or the code of the illegality of its last
    alternative, with parameters."""

    ref: tuple[int, int]
    reason: str
    params: dict[str, object] = {}


class Answer(msgspec.Struct, frozen=True):
    """What a sheet says to a decision: the choice, and the order and alternative (from 0) that gave it.

    `choice` is None where the sheet does not answer. `tried` are the orders looked at before.
    """

    choice: Choice | None
    ref: tuple[int, int] | None = None
    alternative: int = 0
    tried: tuple[Tried, ...] = ()


def answer(
    rules: Rules, state: object, seat: int, decision: Decision, sheet: Sheet, used: frozenset[tuple[int, int]]
) -> Answer:
    """The first unused order of that kind and round whose tests hold, and in it the first legal alternative."""
    view: View = None
    tried: list[Tried] = []
    for kept in sheet.orders:
        order = kept.order
        if order.kind != decision.kind or order.round not in (0, decision.round):
            continue
        if kept.ref in used and not order.always:
            continue
        if view is None:
            view = rules.view(state, seat)
        if not met(rules, view, order.test):
            tried.append(Tried(kept.ref, "condition"))
            continue
        reason = Tried(kept.ref, "condition")
        for index, alternative in enumerate(order.alternatives):
            if not met(rules, view, alternative.test):
                continue
            try:
                choice = rules.fit(state, seat, alternative.intent)
            except Illegal as illegal:
                reason = Tried(kept.ref, illegal.code, dict(illegal.params))
                continue
            return Answer(choice, kept.ref, index, tuple(tried))
        tried.append(reason)
    return Answer(None, tried=tuple(tried))


def met(rules: Rules, view: View, test: Test | None) -> bool:
    """Whether a test holds in what a seat sees; no test always does."""
    if test is None:
        return True
    if isinstance(test, Condition):
        return rules.holds(view, test) == test.expected
    if isinstance(test, Every):
        return all(met(rules, view, part) for part in test.parts)
    return any(met(rules, view, part) for part in test.parts)
