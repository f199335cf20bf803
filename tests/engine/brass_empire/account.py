"""A book of every side's brass, and of where each card went, kept from events alone by somebody who reads nothing else.

In battle brass is health, which the book does not keep.
"""

from bisect import insort
from collections.abc import Callable, Iterable
from typing import Any

from engine.brass_empire.events import (
    Acquired,
    AutomatonGained,
    AutomatonTook,
    Bought,
    BrassTaken,
    Converted,
    Dismissed,
    Mined,
    Opened,
    Refilled,
    Started,
    Stole,
)
from engine.brass_empire.state import State
from engine.brass_empire.tables import EMPLOYEE, Tables
from engine.contract import Event


class Account:
    """Brass by side, the rows, and the cards that each company owns, as the events so far come to."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.brass = [0] * tables.sides
        self.rows: list[list[int]] = [[], []]
        self.owned = [sorted(tables.start) if seat < tables.seats else [] for seat in range(tables.sides)]

    def read(self, events: Iterable[Event]) -> None:
        """Enter what happened, as the public sees it."""
        for event in events:
            data = event.seen_by(None)
            enter = _ENTRIES.get(type(data))
            if enter is not None:
                enter(self, data)

    def wrong(self, state: State) -> list[str]:
        """What the state has otherwise than the book, nothing of a company that is out of a battle."""
        found = []
        if not self.tables.battle and self.brass != [company.brass for company in state.companies]:
            found.append("brass differs from what the events come to")
        rows = [sorted(card for card in row if card >= 0) for row in state.rows]
        if state.round and rows != self.rows:
            found.append("rows differ from what the events come to")
        for side, company in enumerate(state.companies):
            held = company.hand + company.deck + company.discard + company.coming
            held += [piece.card for piece in company.pieces]
            if side == state.seat:
                held += [card for card in state.played if self.tables.kind[card] == EMPLOYEE]
            held.sort()
            if side not in state.out and held != self.owned[side]:
                found.append("cards differ from what the events come to")
        return found

    def _take(self, row: int, card: int) -> None:
        self.rows[row].remove(card)

    def _started(self, event: Started) -> None:
        self.brass = [0] * self.tables.sides

    def _opened(self, event: Opened) -> None:
        self.rows = [sorted(card for card in row if card >= 0) for row in (event.labor, event.design)]

    def _refilled(self, event: Refilled) -> None:
        if event.card >= 0:
            insort(self.rows[event.row], event.card)

    def _bought(self, event: Bought) -> None:
        if event.source < 2:
            self._take(event.source, event.card)
        insort(self.owned[event.to], event.card)

    def _acquired(self, event: Acquired) -> None:
        self._take(event.row, event.card)
        insort(self.owned[event.to], event.card)

    def _took(self, event: AutomatonTook) -> None:
        self._take(event.row, event.card)
        insort(self.owned[1], event.card)

    def _dismissed(self, event: Dismissed) -> None:
        for card in event.cards:
            self.owned[event.seat].remove(card)

    def _gained(self, event: Any) -> None:
        self.brass[event.seat] += event.brass

    def _automaton(self, event: AutomatonGained) -> None:
        self.brass[1] += event.brass

    def _stole(self, event: Stole) -> None:
        self.brass[event.seat] += event.brass
        self.brass[event.victim] -= event.brass


_ENTRIES: dict[type, Callable[[Account, Any], None]] = {
    Started: Account._started,
    Opened: Account._opened,
    Refilled: Account._refilled,
    Bought: Account._bought,
    Acquired: Account._acquired,
    AutomatonTook: Account._took,
    Dismissed: Account._dismissed,
    Converted: Account._gained,
    Mined: Account._gained,
    BrassTaken: Account._gained,
    AutomatonGained: Account._automaton,
    Stole: Account._stole,
}
