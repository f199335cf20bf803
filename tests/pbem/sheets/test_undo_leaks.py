"""Whether an act can be taken back follows from what its seat has seen."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.chance import RandomChance, pick_from
from engine.journal import Entry
from engine.orders.shape import Alternative, Order
from engine.orders.writer import write
from engine.spaces import sample
from engine.table import Table
from pbem.games.position import Position
from pbem.games.resolve import Outcome, resolve
from pbem.reports.data import plain
from pbem.sheets.undoing import CannotUndo, judge
from tests.pbem.games import inmemory
from tests.pbem.games.leaks import Search, search
from tests.pbem.games.worlds import table_of

WORLDS = 6


def verdict(table: Table, entries: list[Entry], seat: int) -> str:
    """The code of the refusal, empty where it can be taken back."""
    try:
        judge(table.rules, table, entries, seat)
    except CannotUndo as problem:
        return str(problem)
    return ""


def sees(outcome: Outcome, seat: int) -> Any:
    """What the seat has seen of a play, and sees now."""
    position = outcome.position
    events = [event.seen_by(seat) for record in outcome.records for event in record.events]
    return events, plain(position.rules.view(position.table.state, seat))


def acted(looked: Search, position: Position, seat: int) -> Position:
    """The position with one legal order of the seat on its sheet."""
    rules, state = position.rules, position.table.state
    decision = rules.pending(state)
    assert decision is not None
    choice = sample(rules.space(state, seat), pick_from(looked.random))
    order = Order(
        decision.kind,
        (Alternative(position.module.language.intent(rules, rules.view(state, seat), choice)),),
        decision.round,
    )
    line = write(order, position.module.language, rules.view(state, seat))
    return inmemory.submitted(position, seat, f"{line}\nready", {})


def elsewhere(before: Position, snapshot: bytes, seat: int, random: Random) -> tuple[Table, Outcome]:
    """The same act in another state that the seat must think possible: the table before it, and what came of it."""
    start, table = table_of(before, snapshot), table_of(before, snapshot)
    start.state = before.rules.imagine(before.rules.view(table.state, seat), RandomChance(random))
    table.state = start.state.copy()
    return start, resolve(replace(before, table=table))


@pytest.mark.parametrize(("name", "seats"), [("tinygame", 3), ("rockwell", 4), ("rockwell", 2)])
def test_whether_it_can_be_taken_back_tells_nothing_hidden(
    name: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every world in which the seat saw the same, the answer to `undo` is the same."""
    looked = search(monkeypatch, name, "strict", 7)
    counts: Counter[str] = Counter()
    for _ in range(30):
        position = looked._ahead(inmemory.begun(name, seats, "strict"), looked.random.randrange(60))
        decision = position.rules.pending(position.table.state)
        if decision is None or decision.private or len(decision.seats) != 1:
            continue
        seat = decision.seats[0]
        before = acted(looked, position, seat)
        snapshot = before.table.snapshot()
        real = resolve(before)
        entries = [record.entry for record in real.records]
        if not entries or entries[0].answers[0].seat != seat:
            continue
        said = verdict(table_of(before, snapshot), entries, seat)
        counts[said] += 1
        for _ in range(WORLDS):
            start, other = elsewhere(before, snapshot, seat, looked.random)
            if sees(other, seat) == sees(real, seat):
                counts["worlds"] += 1
                assert verdict(start, [record.entry for record in other.records], seat) == said
    print(dict(counts))
    assert counts["worlds"] > 0
    assert counts[""] > 0
