"""A seal that a player was told: which sheet of a record it is that of, and what was played by it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine import registry
from engine.journal import Entry, canonical
from engine.orders.writer import write
from pbem.records.checking import BadRecord, Whole, has_control
from pbem.records.sealing import decides, unbound
from pbem.records.shape import Sealed, Stood
from pbem.sheets.stored import decode_sheet


@dataclass(frozen=True)
class Told:
    """The sheet of a seal: `stood` are the entries of the present line whose decisions it stood at, in `stages`, `used`
    those that an order of it answered, `played` the same with that order. `orders` are lines."""

    seal: str
    side: str
    stages: tuple[str, ...]
    stood: tuple[int, ...]
    used: tuple[int, ...]
    orders: tuple[str, ...]
    played: tuple[tuple[int, str], ...]
    left: tuple[tuple[int, int], ...]
    """Entries at which it stood on lines that play has left, by line and number."""
    unbound: tuple[int, ...]
    """Decisions of its stage that an earlier release played, whose entries hold no seals: it can't have stood there."""


def told(whole: Whole, given: str) -> Told:
    """The sheet of a seal, or of how one begins.

    Raises BadRecord `other_seal` where the record opens none like that, `other_seal_unbound` where that may be because
    earlier releases kept fewer, `hash_as_seal` for the seal of the secret, `unwritten` where there are no words for it.
    """
    sheets = [each for each in _sheets(whole) if each.seal.startswith(given.lower())]
    if not sheets:
        if whole.game.secret_hash.startswith(given.lower()):
            raise BadRecord("hash_as_seal", 1)
        raise BadRecord("other_seal_unbound" if unbound(whole.typed) else "other_seal", 1)
    return _told(whole, sheets)


def _sheets(whole: Whole) -> Iterator[Stood | Sealed]:
    for recorded in whole.entries:
        yield from recorded.sheets
    yield from whole.seals


def _told(whole: Whole, sheets: list[Stood | Sealed]) -> Told:
    sheet, present = sheets[0], whole.present
    holds = sheet.seat, bytes.fromhex(sheet.seal)
    entries = [entry for entry in whole.typed if holds in (entry.seals or ())]
    stood = [entry for entry in entries if present.get(entry.number) is entry]
    lines = _lines(whole, sheet)
    uses = [use for use in whole.uses if (use.seat, use.seal) == holds and present.get(use.entry.number) is use.entry]
    played = tuple(sorted((use.entry.number, lines[use.ref]) for use in uses))
    return Told(
        seal=sheet.seal,
        side=whole.game.sides[sheet.seat].name,
        stages=_stages(stood),
        stood=tuple(entry.number for entry in stood),
        used=tuple(number for number, _ in played),
        orders=tuple(lines.values()),
        played=played,
        left=tuple((entry.line, entry.number) for entry in entries if present.get(entry.number) is not entry),
        unbound=_unbound(present.values(), sheets),
    )


def _stages(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.stage for entry in entries))


def _unbound(present: Iterable[Entry], sheets: Iterable[Stood | Sealed]) -> tuple[int, ...]:
    """What an earlier release played in the stages in which these sheets were told."""
    stages = {each.stage for each in sheets if isinstance(each, Sealed)}
    return tuple(entry.number for entry in present if decides(entry) and entry.seals is None and entry.stage in stages)


def _lines(whole: Whole, sheet: Stood | Sealed) -> dict[tuple[int, int], str]:
    """The orders in words."""
    language, view = registry.load(whole.game.rules).language, whole.rules.view(whole.table.state, sheet.seat)
    try:
        orders = decode_sheet(whole.rules, canonical(sheet.sheet)).orders
        found = {kept.ref: write(kept.order, language, view) for kept in orders}
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise BadRecord("unwritten", 1) from error  # a file may have an intent that no reader makes
    if any(map(has_control, found.values())):
        raise BadRecord("unwritten", 1)
    return found
