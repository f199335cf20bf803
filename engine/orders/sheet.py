"""A seat's sheet: which orders stand, and what they answer when a decision comes up."""

from collections.abc import Iterable

import msgspec

from engine.contract import Choice, Condition, Decision, Every, Foreseen, Foresight, Intent, Rules, Test, View
from engine.errors import Hold, Illegal
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
    """An order that was looked at and not used: `reason` is the code of the illegality of its last alternative that
    was tried, with parameters; `pause` for one that holds play; or `condition`, with `fact`, the part of a test that
    did not hold, as plain values."""

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
    rules: Rules,
    state: object,
    seat: int,
    decision: Decision,
    sheet: Sheet,
    used: frozenset[tuple[int, int]],
    may_hold: bool = True,
) -> Answer:
    """The first unused order of that kind and round whose tests hold, and in it the first legal alternative.

    Orders for once come before standing ones: what stands for good is for what nothing else was said of. An order that
    holds play ends the search, unless the seat is one that nobody waits for (`may_hold` False).
    """
    view: View = None
    tried: list[Tried] = []
    for kept in sorted(sheet.orders, key=lambda kept: kept.order.always):
        order = kept.order
        if order.kind != decision.kind or order.round not in (0, decision.round):
            continue
        if kept.ref in used and not order.always:
            continue
        if view is None:
            view = rules.view(state, seat)
        failed = unmet(rules, view, order.test)
        if failed is not None:
            tried.append(_unmet(kept.ref, failed))
            continue
        reason: Tried | None = None
        for index, alternative in enumerate(order.alternatives):
            act = Act(order.kind, decision.round, alternative.intent)
            failed = unmet(rules, view, alternative.test, act)
            if failed is not None:
                reason = reason or _unmet(kept.ref, failed)
                continue
            try:
                choice = rules.fit(state, seat, alternative.intent)
            except Hold:
                reason = Tried(kept.ref, "pause")
                if may_hold:
                    return Answer(None, tried=(*tried, reason))
                break
            except Illegal as illegal:
                reason = Tried(kept.ref, illegal.code, dict(illegal.params))
                continue
            return Answer(choice, kept.ref, index, tuple(tried))
        if reason is not None:
            tried.append(reason)
    return Answer(None, tried=tuple(tried))


class Act(msgspec.Struct, frozen=True):
    """What an alternative would do: the act that a `Foreseen` test speaks of."""

    kind: str
    round: int
    intent: Intent


def met(rules: Rules, view: View, test: Test | None, act: Act | None = None) -> bool:
    """Whether a test holds in what a seat sees; no test always does."""
    return unmet(rules, view, test, act) is None


def unmet(rules: Rules, view: View, test: Test | None, act: Act | None = None) -> Test | None:
    """The first part of a test without which it does not hold in what a seat sees; None where it holds."""
    if test is None:
        return None
    if isinstance(test, Condition):
        return None if _holds(rules, view, test) == test.expected else test
    if isinstance(test, Foreseen):
        return None if _is_foreseen(rules, view, test, act) == test.expected else test
    failed = (unmet(rules, view, part, act) for part in test.parts)
    if isinstance(test, Every):
        return next((part for part in failed if part is not None), None)
    return test if all(part is not None for part in failed) else None


def _holds(rules: Rules, view: View, test: Condition) -> bool | None:
    """Whether a fact holds; None for one that the rules do not know, which neither holds nor does its opposite."""
    try:
        return rules.holds(view, test)
    except Illegal:
        return None


def _is_foreseen(rules: Rules, view: View, test: Foreseen, act: Act | None) -> bool:
    """Whether the act would have that consequence; one that can't be done, or foreseen, has none."""
    if act is None or not isinstance(rules, Foresight):
        return False
    try:
        told, _ = rules.foresee(view, act.kind, act.round, act.intent)
    except Illegal:
        return False
    return any(each.code == test.code and test.params.items() <= each.params.items() for each in told)


def _unmet(ref: tuple[int, int], failed: Test) -> Tried:
    return Tried(ref, "condition", {"fact": msgspec.to_builtins(failed)})
