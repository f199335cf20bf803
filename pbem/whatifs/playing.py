"""Playing a what-if: each act of its owner goes as far as the sheets answer. Pure, but for what stands in its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from engine.contract import Bot, Rules, RulesModule
from engine.orders.sheet import Sheet, answer
from engine.play import Record, StageEnded, run
from engine.table import Table
from pbem.sheets.stored import decode_sheet, encode_sheet

ANOTHER = 100
"""Stages that one act may play through."""


class Moment(msgspec.Struct, frozen=True):
    """Where a what-if stands: its table, its sheets by seat, and what the last act has played.

    `stood` are the sheets that the act found, `closed` says whether a stage ended in it.
    """

    table: bytes
    sheets: dict[int, bytes]
    stood: dict[int, bytes] = {}
    records: tuple[Record, ...] = ()
    closed: bool = True

    @classmethod
    def opening(cls, table: Table) -> "Moment":
        """Where nothing was played yet."""
        return cls(table.snapshot(), {})

    def encoded(self) -> bytes:
        """As its row keeps it."""
        return msgspec.msgpack.encode(self)


@dataclass(frozen=True)
class Stands:
    """A moment, opened: its choices, events and orders that were passed over are plain values."""

    module: RulesModule
    rules: Rules
    table: Table
    pace: str
    sheets: dict[int, Sheet]
    stood: dict[int, Sheet]
    records: tuple[Record, ...]
    closed: bool

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that the pending decision asks; none where it is over."""
        decision = self.rules.pending(self.table.state)
        return () if decision is None else decision.seats

    @property
    def awaited(self) -> tuple[int, ...]:
        """Those of them whose sheets do not answer it."""
        rules, state = self.rules, self.table.state
        decision = rules.pending(state)
        if decision is None:
            return ()
        said = {seat: answer(rules, state, seat, decision, self.sheets[seat], frozenset()) for seat in decision.seats}
        return tuple(seat for seat, given in said.items() if given.choice is None)


@dataclass(frozen=True)
class Act:
    """What the owner does: the sheets that are to stand, seats that take the default of what is pending, and stand-ins
    that answer for a seat until another one is asked."""

    sheets: Mapping[int, Sheet]
    passing: frozenset[int] = frozenset()
    standins: Mapping[int, Bot] = field(default_factory=dict)


def play(stands: Stands, act: Act) -> Moment:
    """What comes of an act. `stands.table` moves on with it."""
    table, sheets, everybody = stands.table, dict(act.sheets), frozenset(range(stands.rules.setup.seats))
    records: list[Record] = []
    used: frozenset[tuple[int, int]] = frozenset()
    passing, closed = act.passing, False
    for _ in range(ANOTHER):
        done = run(table, stands.pace, sheets, used, frozenset(), everybody, passing, act.standins)
        records += done.records
        used |= {given.ref for each in done.records for given in each.entry.answers if given.ref is not None}
        if not isinstance(done.stop, StageEnded):
            break
        closed, passing, used = True, frozenset(), frozenset()
        sheets = {seat: sheet.standing() for seat, sheet in sheets.items()}
    return Moment(
        table.snapshot(),
        _stored({seat: _left(sheet, used) for seat, sheet in sheets.items()}),
        _stored(act.sheets),
        tuple(records),
        closed,
    )


def _left(sheet: Sheet, used: frozenset[tuple[int, int]]) -> Sheet:
    """What can still be used."""
    return Sheet(tuple(kept for kept in sheet.orders if kept.order.always or kept.ref not in used))


def _stored(sheets: Mapping[int, Sheet]) -> dict[int, bytes]:
    return {seat: encode_sheet(sheet) for seat, sheet in sheets.items() if sheet.orders}


def opened_sheets(rules: Rules, stored: Mapping[int, bytes]) -> dict[int, Sheet]:
    """The sheets of all seats."""
    return {seat: decode_sheet(rules, stored.get(seat, b"")) for seat in range(rules.setup.seats)}
