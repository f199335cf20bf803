"""Whether the orders that a journal used are those that were sealed: each has to stand on a sheet whose seal its entry
holds, and to make the choice that the entry has."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.contract import Rules
from engine.errors import BadJournal, Hold, Illegal
from engine.journal import START, Entry, Given
from engine.orders.sheet import Kept, Sheet

Sheets = Mapping[tuple[int, bytes], Sheet]
"""The sheets that a record opens, by seat and seal."""


def unbound(entries: Iterable[Entry]) -> int:
    """How many decisions are without the seals of their sheets, as earlier releases played them."""
    return sum(_decides(entry) and entry.seals is None for entry in entries)


class Sealing:
    """The sheets along one line of a journal, from its first entry on."""

    def __init__(self, rules: Rules, sheets: Sheets) -> None:
        self._rules = rules
        self._sheets = sheets
        self._stood: dict[int, bytes] = {}
        """By seat the last seal that an entry had."""
        self._used: set[tuple[int, int]] = set()
        self._stage = ""
        self._bound = False

    def follow(self, entry: Entry, state: Any) -> None:
        """Look at the next entry. `state` is the one before it, None where the entry was looked at on another line.

        Raises BadJournal `unbound` for one without seals behind one with them, `unopened` for a seal that the record
        does not open, `order` for an order that is on no such sheet or makes another choice.
        """
        if not _decides(entry):
            return
        if entry.seals is None:
            if self._bound:
                raise BadJournal("unbound", entry.number)
            return
        self._bound = True
        if entry.stage != self._stage:
            self._stage = entry.stage
            self._used.clear()
        now = dict(entry.seals)
        if any(each not in self._sheets for each in now.items()):
            raise BadJournal("unopened", entry.number)
        self._stood |= now
        ordered = [given for given in entry.answers if given.source == "order"]
        if state is not None and not all(self._follows(entry, given, state, given.seat in now) for given in ordered):
            raise BadJournal("order", entry.number)
        self._used |= {given.ref for given in ordered if given.ref is not None}

    def _follows(self, entry: Entry, given: Given, state: Any, is_sealed: bool) -> bool:
        for kept in self._orders(given.seat, is_sealed):
            if kept.ref == given.ref and self._makes(entry, given, state, kept):
                return True
        return False

    def _orders(self, seat: int, is_sealed: bool) -> Iterator[Kept]:
        """What can have stood for a seat: its sheet, or the standing orders of the last one, as nothing came since."""
        if seat in self._stood:
            sheet = self._sheets[seat, self._stood[seat]]
            yield from (sheet if is_sealed else sheet.standing()).orders
        else:  # of a game that began under an earlier release
            for (owner, _), sheet in self._sheets.items():
                if owner == seat:
                    yield from sheet.standing().orders

    def _makes(self, entry: Entry, given: Given, state: Any, kept: Kept) -> bool:
        order, decision = kept.order, self._rules.pending(state)
        if decision is None or given.seat not in decision.seats:
            return False
        if (order.kind, decision.kind) != (entry.kind, entry.kind) or order.round not in (0, entry.round):
            return False
        if (kept.ref in self._used and not order.always) or given.alternative not in range(len(order.alternatives)):
            return False
        try:
            choice = self._rules.fit(state, given.seat, order.alternatives[given.alternative].intent)
        except (Illegal, Hold, KeyError, ValueError, TypeError, AttributeError, IndexError):
            return False  # a file may have an intent that no reader makes
        return bool(choice == given.choice)


def _decides(entry: Entry) -> bool:
    return entry.note is None and entry.kind != START
