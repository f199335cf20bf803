"""Sheets and readings as they are stored: canonical msgpack, with the rules module's own intents inside."""

import msgspec

from engine.contract import Rules
from engine.journal import canonical
from engine.orders.shape import Order, Reading
from engine.orders.sheet import Kept, Sheet

_EMPTY = b""


def encode_sheet(sheet: Sheet) -> bytes:
    """The bytes of a sheet, empty for an empty one."""
    return canonical(sheet) if sheet.orders else _EMPTY


def decode_sheet(rules: Rules, raw: bytes) -> Sheet:
    """A stored sheet."""
    if not raw:
        return Sheet()
    found = msgspec.msgpack.decode(raw, type=Sheet)
    return Sheet(tuple(Kept(kept.ref, _typed(rules, kept.order)) for kept in found.orders))


def encode_reading(reading: Reading) -> bytes:
    """The normal form of a submission."""
    return canonical(reading)


def decode_reading(rules: Rules, raw: bytes) -> Reading:
    """A stored reading."""
    found = msgspec.msgpack.decode(raw, type=Reading)
    lines = tuple(
        msgspec.structs.replace(line, order=_typed(rules, line.order)) if line.order is not None else line
        for line in found.lines
    )
    return msgspec.structs.replace(found, lines=lines)


def _typed(rules: Rules, order: Order) -> Order:
    alternatives = tuple(
        msgspec.structs.replace(option, intent=msgspec.convert(option.intent, rules.intent_type))
        for option in order.alternatives
    )
    return msgspec.structs.replace(order, alternatives=alternatives)
