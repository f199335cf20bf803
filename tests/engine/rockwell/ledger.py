"""A book of every company's stock kept from events alone, by somebody who reads nothing else."""

from collections.abc import Callable, Iterable
from typing import Any

from engine.contract import Event
from engine.rockwell.components import Tables
from engine.rockwell.events import (
    BidsRevealed,
    Bribed,
    DangerStruck,
    Delivered,
    DieTaken,
    Extracted,
    Hired,
    Insured,
    LevelBought,
    MineshaftBuilt,
    MineshaftMoved,
    Raised,
    Shared,
    Traded,
    Yielded,
)
from engine.rockwell.state import State


class Ledger:
    """Cubes, money and insurance of every company as the events so far come to."""

    def __init__(self, tables: Tables) -> None:
        self.cubes = [list(tables.start_cubes) for _ in range(tables.seats)]
        self.money = [tables.start_money] * tables.seats
        self.insurance = [0] * tables.seats
        self._danger = False
        self._later: list[Shared] = []

    def read(self, events: Iterable[Event]) -> None:
        """Enter what happened."""
        for event in events:
            enter = _ENTRIES.get(type(event.data))
            if enter is not None:
                enter(self, event.data)

    def agrees(self, state: State) -> bool:
        """Whether the companies hold what the book says."""
        return all(
            (company.cubes, company.money, company.insurance) == entry
            for company, entry in zip(
                state.companies, zip(self.cubes, self.money, self.insurance, strict=True), strict=True
            )
        )

    def _gain(self, seat: int, cubes: Iterable[int], sign: int = 1) -> None:
        """Nothing of the automaton's is kept."""
        for kind, count in enumerate(cubes if seat < len(self.cubes) else ()):
            self.cubes[seat][kind] += sign * count

    def _bids(self, event: BidsRevealed) -> None:
        for bid in event.bids:
            self._gain(bid.seat, bid.cubes, -1)
            self.money[bid.seat] -= bid.money

    def _insured(self, event: Insured) -> None:
        self._gain(event.seat, event.cubes, -1)
        self.insurance[event.seat] += sum(event.cubes)

    def _extracted(self, event: Extracted) -> None:
        self._danger = event.danger

    def _shared(self, event: Shared) -> None:
        """Without danger all is theirs at once; with it the priority of a mine owner waits for the others' fate."""
        if self._danger and any(share.seat < len(self.cubes) for share in event.shares):
            self._later.append(event)
            return
        for share in event.shares:
            self._gain(share.seat, share.cubes)
        self._gain(event.priority, event.rest)

    def _struck(self, event: DangerStruck) -> None:
        self._gain(event.seat, event.kept)
        self.insurance[event.seat] -= event.insurance
        for shared in self._later:
            if shared.priority not in {share.seat for share in shared.shares}:
                self._gain(shared.priority, shared.rest)
        self._later.clear()

    def _yielded(self, event: Yielded) -> None:
        self._gain(event.seat, event.cubes)

    def _traded(self, event: Traded) -> None:
        self.cubes[event.seat][event.kind] += event.amount
        self.money[event.seat] += event.money if event.amount < 0 else -event.money

    def _delivered(self, event: Delivered) -> None:
        self._gain(event.seat, event.cost, -1)

    def _fee(self, event: Any) -> None:
        self.money[event.seat] -= event.fee

    def _price(self, event: Any) -> None:
        self.money[event.seat] -= event.price


_ENTRIES: dict[type, Callable[[Ledger, Any], None]] = {
    BidsRevealed: Ledger._bids,
    Insured: Ledger._insured,
    Extracted: Ledger._extracted,
    Shared: Ledger._shared,
    DangerStruck: Ledger._struck,
    Yielded: Ledger._yielded,
    Traded: Ledger._traded,
    Delivered: Ledger._delivered,
    Hired: Ledger._fee,
    DieTaken: Ledger._fee,
    Bribed: Ledger._fee,
    Raised: Ledger._price,
    LevelBought: Ledger._price,
    MineshaftBuilt: Ledger._price,
    MineshaftMoved: Ledger._price,
}
