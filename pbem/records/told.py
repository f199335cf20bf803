"""A seal that a player was told: which sheet of a record it is that of, and what was played by it."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine import registry
from engine.journal import canonical
from engine.orders.writer import write
from pbem.records.checking import BadRecord, Whole
from pbem.records.shape import Sealed, Stood
from pbem.sheets.stored import decode_sheet


@dataclass(frozen=True)
class Told:
    """The sheet of a seal: `stood` are the entries whose decisions it stood at, in `stages`, `used` those that an order
    of it answered. `orders` are lines."""

    seal: str
    side: str
    stages: tuple[str, ...]
    stood: tuple[int, ...]
    used: tuple[int, ...]
    orders: tuple[str, ...]


def told(whole: Whole, given: str) -> Told:
    """The sheet of a seal, or of how one begins. Raises BadRecord `other_seal` where the record opens none like that,
    `unwritten` where there are no words for it."""
    for sheet in _sheets(whole):
        if sheet.seal.startswith(given.lower()) and sheet.seat in range(len(whole.game.sides)):
            return _told(whole, sheet)
    raise BadRecord("other_seal", 1)


def _sheets(whole: Whole) -> Iterator[Stood | Sealed]:
    for recorded in whole.entries:
        yield from recorded.sheets
    yield from whole.seals


def _told(whole: Whole, sheet: Stood | Sealed) -> Told:
    holds = sheet.seat, bytes.fromhex(sheet.seal)
    entries = [entry for entry in whole.typed if holds in (entry.seals or ())]
    used = {
        entry.number
        for entry in entries
        for given in entry.answers
        if given.seat == sheet.seat and given.source == "order"
    }
    return Told(
        sheet.seal,
        whole.game.sides[sheet.seat].name,
        tuple(dict.fromkeys(entry.stage for entry in entries)),
        tuple(sorted({entry.number for entry in entries})),
        tuple(sorted(used)),
        _lines(whole, sheet),
    )


def _lines(whole: Whole, sheet: Stood | Sealed) -> tuple[str, ...]:
    language, view = registry.load(whole.game.rules).language, whole.rules.view(whole.table.state, sheet.seat)
    try:
        orders = decode_sheet(whole.rules, canonical(sheet.sheet)).orders
        return tuple(write(kept.order, language, view) for kept in orders)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise BadRecord("unwritten", 1) from error  # a file may have an intent that no reader makes
