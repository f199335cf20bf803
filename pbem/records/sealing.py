"""Whether what a journal played is what was sealed: each order that it used has to stand on a sheet whose seal its
entry holds, and to make the choice that the entry has; each default has to be the rules' own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.contract import Decision, Rules
from engine.errors import BadJournal, Hold, Illegal
from engine.journal import START, Entry, Given
from engine.orders.sheet import Kept, Sheet, answer

ORDER, DEFAULT, STANDIN = "order", "default", "standin"
SOURCES = (ORDER, DEFAULT, STANDIN)
"""What gives the answers that a service plays. Nothing shows what a stand-in would choose: that one did is told."""

ODD = (KeyError, ValueError, TypeError, AttributeError, IndexError)
"""What rules may raise at an intent or a condition that no reader makes, as a file may have it."""
Ref = tuple[int, int]
Holder = tuple[int, bytes]
"""A sheet by its seat and seal."""


@dataclass(frozen=True)
class Opened:
    """The sheets that a record opens. `unbound` are those that earlier releases opened and no entry holds."""

    sheets: Mapping[Holder, Sheet]
    unbound: Sequence[Holder]


@dataclass(frozen=True)
class Use:
    """An order that answered for its seat at an entry, by the seal of the sheet that it stands on."""

    entry: Entry
    seat: int
    seal: bytes
    ref: Ref
    came_up: bool
    """Whether its conditions held, and no alternative before came first, as this release reads them: they may be read
    better without another version of the rules, so that one that did not is told and no fault."""


def decides(entry: Entry) -> bool:
    """Whether seats were asked at it."""
    return entry.note is None and entry.kind != START


def unbound(entries: Iterable[Entry]) -> int:
    """How many decisions are without the seals of their sheets, as earlier releases played them."""
    return sum(decides(entry) and entry.seals is None for entry in entries)


class Sealing:
    """The sheets along one line of a journal, from its first entry on; `uses` are of the entries that it looked at."""

    def __init__(self, rules: Rules, pace: str, opened: Opened) -> None:
        self.uses: list[Use] = []
        self._rules = rules
        self._pace = pace
        self._opened = opened
        self._stood: dict[int, bytes] = {}
        """By seat the last seal that an entry had."""
        self._used: dict[Ref, int] = {}
        """By order the seat that it answered for. One that is not standing serves once in a game."""
        self._bound = self._began_unbound = False

    def follow(self, entry: Entry, state: Any) -> None:
        """Look at the next entry. `state` is the one before it, None where the entry was looked at on another line.

        Raises BadJournal `seals` where they are not one for each of some seats, in order; `unbound` for an entry
        without seals behind one with them; `unopened` for a seal that the record does not open; `other_stage` for one
        that was not open; `source` for an answer that nothing gives, `default` for one that is not the default, `order`
        for an order that is on no such sheet, was used up or makes another choice.
        """
        if not decides(entry):
            return
        self._bind(entry)
        if state is not None:
            self._look_at(entry, state)
        for given in entry.answers:
            if given.ref is not None and self._used.setdefault(given.ref, given.seat) != given.seat:
                raise BadJournal("order", entry.number)

    def _bind(self, entry: Entry) -> None:
        if entry.seals is None:
            if self._bound:
                raise BadJournal("unbound", entry.number)
            self._began_unbound = True
            return
        self._bound = True
        seats = [seat for seat, _ in entry.seals]
        if seats != sorted({*seats} & {*range(self._rules.setup.seats)}):
            raise BadJournal("seals", entry.number)
        if any(each not in self._opened.sheets for each in entry.seals):
            raise BadJournal("unopened", entry.number)
        self._stood |= dict(entry.seals)

    def _look_at(self, entry: Entry, state: Any) -> None:
        decision = self._rules.pending(state)
        if decision is None:
            raise BadJournal("illegal_game_over", entry.number)
        if tuple(given.seat for given in entry.answers) != decision.seats:
            raise BadJournal("illegal_not_asked", entry.number)
        if (decision.kind, decision.round) != (entry.kind, entry.round):
            raise BadJournal("decision", entry.number)
        if entry.stage != self._rules.stage(state, self._pace).key:
            raise BadJournal("other_stage", entry.number)
        for given in entry.answers:
            self._look_at_answer(entry, given, decision, state)

    def _look_at_answer(self, entry: Entry, given: Given, decision: Decision, state: Any) -> None:
        is_order = given.source == ORDER
        if given.source not in SOURCES or is_order != (given.ref is not None) or (given.alternative and not is_order):
            raise BadJournal("source", entry.number)
        if given.source == DEFAULT and self._rules.default(state, given.seat) != given.choice:
            raise BadJournal("default", entry.number)
        if not is_order or entry.seals is None:
            return
        for seal, kept in self._orders(given.seat, dict(entry.seals)):
            if kept.ref == given.ref and self._makes(given, decision, state, kept):
                came_up = self._came_up(given, decision, state, kept)
                self.uses.append(Use(entry, given.seat, seal, kept.ref, came_up))
                return
        raise BadJournal("order", entry.number)

    def _orders(self, seat: int, sealed: Mapping[int, bytes]) -> Iterator[tuple[bytes, Kept]]:
        """What can have stood for a seat: its sheet, or the standing orders of the last one, as nothing came since."""
        if seat in self._stood:
            seal = self._stood[seat]
            sheet = self._opened.sheets[seat, seal]
            yield from ((seal, kept) for kept in (sheet if seat in sealed else sheet.standing()).orders)
        elif self._began_unbound:
            for owner, seal in self._opened.unbound:
                if owner == seat:
                    yield from ((seal, kept) for kept in self._opened.sheets[owner, seal].standing().orders)

    def _makes(self, given: Given, decision: Decision, state: Any, kept: Kept) -> bool:
        order = kept.order
        if order.kind != decision.kind or order.round not in (0, decision.round):
            return False
        if (kept.ref in self._used and not order.always) or given.alternative not in range(len(order.alternatives)):
            return False
        try:
            choice = self._rules.fit(state, given.seat, order.alternatives[given.alternative].intent)
        except (Illegal, Hold, *ODD):
            return False
        return bool(choice == given.choice)

    def _came_up(self, given: Given, decision: Decision, state: Any, kept: Kept) -> bool:
        try:
            alone = Sheet((kept,))
            made = answer(self._rules, state, given.seat, decision, alone, frozenset(), may_hold=False)
        except ODD:
            return False
        return made.choice is not None and made.alternative == given.alternative
