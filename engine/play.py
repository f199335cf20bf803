"""Playing a stage by the sheets of its seats, as far as they and the pace go."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from engine.contract import Asked, Bot, Decision, Event, Rules, Stage, View
from engine.errors import Unsound
from engine.journal import Entry
from engine.orders.outlook import obstacle
from engine.orders.shape import Order
from engine.orders.sheet import Answer, Kept, Sheet, Tried, answer
from engine.table import Answered, Table

Ref: TypeAlias = tuple[int, int]
NOBODY: Mapping[int, Bot] = MappingProxyType({})


class Record(msgspec.Struct, frozen=True):
    """A decision carried out: its entry, what happened, and by seat the orders that were looked at and not used."""

    entry: Entry
    events: tuple[Event, ...]
    tried: dict[int, tuple[Tried, ...]]


class Waiting(msgspec.Struct, frozen=True):
    """The game waits for these seats to answer the pending decision."""

    seats: tuple[int, ...]


class StageEnded(msgspec.Struct, frozen=True):
    """The stage is played to its end; the pending decision belongs to the next."""

    stage: Stage


class Over(msgspec.Struct, frozen=True):
    """The game has ended."""


Stop: TypeAlias = Waiting | StageEnded | Over


class Run(msgspec.Struct, frozen=True):
    """What was played, in order, and why it stopped."""

    records: tuple[Record, ...]
    stop: Stop


def run(
    table: Table,
    pace: str,
    sheets: Mapping[int, Sheet],
    used: frozenset[Ref],
    silent: frozenset[int],
    ready: frozenset[int],
    passing: frozenset[int] = frozenset(),
    standins: Mapping[int, Bot] = NOBODY,
) -> Run:
    """Play from where the table stands, never past the end of the stage.

    `used` are the orders that the present line of the journal has used (`journal.used_orders`). A `silent` seat
    takes the default where its sheet does not answer, a `passing` one does so for the decision that is pending now
    alone; a seat neither silent nor `ready` is waited for. A private decision never stops play. For a seat in
    `standins` its stand-in makes the choice that the sheet does not answer, when the decision is carried out; nobody
    waits for it. Raises Unsound if what was played breaks the rules module's own invariants.
    """
    rules, state = table.rules, table.state
    stage = rules.stage(state, pace)
    records: list[Record] = []
    stop: Stop | None = None
    while stop is None:
        decision = rules.pending(state)
        if decision is None:
            stop = Over()
        elif rules.stage(state, pace) != stage:
            stop = StageEnded(stage)
        else:
            taking = silent | standins.keys() | (frozenset() if records else passing)
            said = _said(rules, state, decision, sheets, used, taking)
            waiting = () if decision.private else _waiting(said, taking, ready)
            if waiting:
                stop = Waiting(waiting)
            else:
                records.append(_carry_out(table, decision, stage, said, standins))
                used |= {given.ref for given in said.values() if given.ref is not None}
    broken = tuple(rules.invariants(state))
    if broken:
        raise Unsound(broken)
    return Run(tuple(records), stop)


def unanswered(rules: Rules, state: Any, seat: int, sheet: Sheet, used: frozenset[Ref], pace: str) -> tuple[Asked, ...]:
    """What the present stage asks of a seat and its sheet does not answer, in order of play.

    At the brisk pace that is of the whole agenda, else of the pending decision alone. `times` is how often an
    answer is still missing. A seat has answered when nothing `required` is left. It follows from the seat's view
    and sheet alone.
    """
    decision = rules.pending(state)
    asked_now = decision is not None and seat in decision.seats
    if pace != "brisk":
        if decision is None or not asked_now or _answers(rules, state, seat, decision, sheet, used):
            return ()
        return (Asked(decision.kind, decision.round),)
    missing = unwritten(rules, state, seat, sheet, used, pace)
    if decision is not None and asked_now and not _answers(rules, state, seat, decision, sheet, used):
        now = Asked(decision.kind, decision.round)
        if not any((asked.kind, asked.round) == (now.kind, now.round) for asked in missing):
            return (now, *missing)
    return missing


def unwritten(rules: Rules, state: Any, seat: int, sheet: Sheet, used: frozenset[Ref], pace: str) -> tuple[Asked, ...]:
    """What of the whole agenda of the present stage, asked now or not, a seat's sheet has no order for.

    An order that is known to be past hope in this stage answers nothing.
    """
    view = rules.view(state, seat)
    agenda = rules.agenda(view, pace)
    hopeful = Sheet(tuple(kept for kept in sheet.orders if not _is_past_hope(rules, view, kept.order, agenda)))
    return _missing(agenda, hopeful, used)


def may_be_used(rules: Rules, state: Any, seat: int, orders: Iterable[Order], pace: str) -> bool:
    """Whether one of these orders is not known to be past hope in the present stage, as the seat sees it."""
    view = rules.view(state, seat)
    agenda = rules.agenda(view, pace)
    return not all(_is_past_hope(rules, view, order, agenda) for order in orders)


def _is_past_hope(rules: Rules, view: View, order: Order, agenda: Sequence[Asked]) -> bool:
    against = obstacle(rules, view, order, agenda)
    return against is not None and against.for_good


def _missing(agenda: Sequence[Asked], sheet: Sheet, used: frozenset[Ref]) -> tuple[Asked, ...]:
    """What of an agenda no order is there for; orders count in the order in which play would use them."""
    free = [kept for kept in sheet.orders if kept.order.always or kept.ref not in used]
    missing = []
    for asked in agenda:
        times = asked.times
        while times and (kept := _first_for(asked, free)) is not None:
            times -= 1
            if not kept.order.always:
                free.remove(kept)
        if times:
            missing.append(msgspec.structs.replace(asked, times=times))
    return tuple(missing)


def _first_for(asked: Asked, free: Sequence[Kept]) -> Kept | None:
    for kept in sorted(free, key=lambda kept: kept.order.always):
        if kept.order.kind == asked.kind and kept.order.round in (0, asked.round):
            return kept
    return None


def _answers(rules: Rules, state: Any, seat: int, decision: Decision, sheet: Sheet, used: frozenset[Ref]) -> bool:
    return answer(rules, state, seat, decision, sheet, used).choice is not None


def _said(
    rules: Rules,
    state: Any,
    decision: Decision,
    sheets: Mapping[int, Sheet],
    used: frozenset[Ref],
    silent: frozenset[int],
) -> dict[int, Answer]:
    """What each seat's sheet says, all against the same state; a seat that is not waited for can't hold play."""
    return {
        seat: answer(rules, state, seat, decision, sheets.get(seat, Sheet()), used, may_hold=seat not in silent)
        for seat in decision.seats
    }


def _waiting(said: Mapping[int, Answer], silent: frozenset[int], ready: frozenset[int]) -> tuple[int, ...]:
    return tuple(
        seat for seat, given in said.items() if seat not in silent and (given.choice is None or seat not in ready)
    )


def _carry_out(
    table: Table, decision: Decision, stage: Stage, said: Mapping[int, Answer], standins: Mapping[int, Bot]
) -> Record:
    answers = {seat: _answered(table, decision, seat, given, standins.get(seat)) for seat, given in said.items()}
    tried = {seat: given.tried for seat, given in said.items() if given.tried}
    entry, events = table.decide(answers, stage.key)
    return Record(entry, tuple(events), tried)


def _answered(table: Table, decision: Decision, seat: int, given: Answer, standin: Bot | None) -> Answered:
    rules, state = table.rules, table.state
    if given.choice is not None:
        return Answered(given.choice, "order", given.ref, given.alternative)
    if standin is not None:
        choice = standin(rules.view(state, seat), decision, rules.space(state, seat), table.whims(seat))
        return Answered(choice, "standin")
    return Answered(rules.default(state, seat), "default")
