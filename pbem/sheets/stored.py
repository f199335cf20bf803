"""Sheets and readings as they are stored: canonical msgpack, with the rules module's own intents inside."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from types import GenericAlias
from typing import Any

import msgspec
from sqlalchemy import true
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import col

from engine.contract import Rules
from engine.journal import canonical
from engine.orders.shape import Alternative, Order, Reading
from engine.orders.sheet import Kept, Sheet
from pbem.sheets.folding import takes_back, written
from pbem.storage.models import Seat, Submission

_EMPTY = b""


class Opened(msgspec.Struct, frozen=True, array_like=True):
    """A seat's sheet as the last acknowledgement of a stage sealed it, encoded, with the seal and its salt.

    What earlier releases opened is without its `seal`.
    """

    seat: int
    nonce: bytes
    sheet: bytes
    seal: bytes = b""


def opened_now(seats: Iterable[Seat]) -> list[Opened]:
    """The sheets that are sealed now."""
    return [Opened(seat.number, seat.nonce, seat.sheet, seat.seal) for seat in seats if seat.nonce]


def opened_sheets(stored: bytes) -> list[Opened]:
    """The sheets of a stage that has closed, as they are kept."""
    return msgspec.msgpack.decode(stored, type=list[Opened])


def of_present_player(seat: Seat) -> ColumnElement[bool]:
    """Of submissions: whether the seat's present player sent them, and not somebody who had the seat before."""
    return col(Submission.stored) >= seat.joined if seat.joined is not None else true()


def encode_sheet(sheet: Sheet) -> bytes:
    """The bytes of a sheet, empty for an empty one."""
    return canonical(sheet) if sheet.orders else _EMPTY


def decode_sheet(rules: Rules, raw: bytes) -> Sheet:
    """A stored sheet."""
    if not raw:
        return Sheet()
    kept = msgspec.msgpack.decode(raw, type=Sheet).orders
    orders = _typed(rules, [each.order for each in kept])
    return Sheet(tuple(Kept(each.ref, order) for each, order in zip(kept, orders, strict=True)))


def encode_reading(reading: Reading) -> bytes:
    """The normal form of a submission."""
    return canonical(reading)


def decode_reading(rules: Rules, raw: bytes) -> Reading:
    """A stored reading."""
    found = msgspec.msgpack.decode(raw, type=Reading)
    orders = iter(_typed(rules, [line.order for line in found.lines if line.order is not None]))
    lines = tuple(
        msgspec.structs.replace(line, order=next(orders)) if line.order is not None else line for line in found.lines
    )
    return msgspec.structs.replace(found, lines=lines)


def orders_for_once(rules: Rules, row: Submission) -> tuple[Kept, ...]:
    """The orders of a late submission but for its standing ones, which counted at once."""
    orders = written(row.number, decode_reading(rules, row.reading))
    return tuple(kept for kept in orders if not kept.order.always)


def orders_alone(raw: bytes) -> bytes:
    """A stored reading with its orders, what in it takes them back, and nothing of what its writer wrote."""
    found = msgspec.msgpack.decode(raw, type=Reading)
    kept = [line for line in found.lines if line.order is not None or takes_back(line)]
    lines = tuple(msgspec.structs.replace(line, text="", doubts=()) for line in kept)
    return encode_reading(msgspec.structs.replace(found, lines=lines))


def _typed(rules: Rules, orders: Sequence[Order]) -> list[Order]:
    """The orders with their intents as the rules' own structs: all in one conversion, for each has its price."""
    said = [option.intent for order in orders for option in order.alternatives]
    intents = iter(msgspec.convert({"intents": said}, _intents(rules.intent_type)).intents)
    return [_with(order, intents) for order in orders]


def _with(order: Order, intents: Iterator[Any]) -> Order:
    alternatives = tuple(Alternative(next(intents), option.test) for option in order.alternatives)
    return msgspec.structs.replace(order, alternatives=alternatives)


@cache
def _intents(intent_type: Any) -> Any:
    """A struct with a row of a game's intents: msgspec looks a struct's types over once, other types each time."""
    return msgspec.defstruct("Intents", [("intents", GenericAlias(list, (intent_type,)))])
