"""What a component set has to fit beside its form, with the statements of the rules that say so."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.components import Place, form_faults, sound
from engine.contract import Fault
from engine.rockwell.componentform import Achievements, Boards, ComponentFile, Deliveries, Extraction, Tiles
from engine.rockwell.layout import exists

CARDS = 48
RULES: Mapping[Place, str] = {
    ("prices", "market"): "RW-MKT-1",
    ("prices", "power"): "RW-WRK-2",
    ("prices", "subcontractor"): "RW-SUB-1",
    ("prices", "mobility"): "RW-WRK-10",
    ("prices", "safety"): "RW-WRK-4",
    ("prices", "mineshaft"): "RW-WRK-5",
    ("safety",): "RW-DNG-3",
    ("start",): "RW-SET-12",
    ("start", "bribery_tiles"): "RW-SET-7",
    ("start", "subcontractor_dice"): "RW-SET-7",
    ("tiles",): "RW-SET-2",
    ("extraction",): "RW-SET-9",
    ("deliveries",): "RW-SET-10",
    ("boards",): "RW-VP-2",
    ("boards", "four", "control_center"): "RW-BRB-1",
    ("boards", "fewer", "control_center"): "RW-BRB-1",
    ("boards", "four", "stock_exchange"): "RW-MKT-10",
    ("boards", "fewer", "stock_exchange"): "RW-MKT-10",
    ("boards", "four", "workshop"): "RW-WRK-20",
    ("boards", "fewer", "workshop"): "RW-WRK-20",
    ("achievements",): "RW-SET-11",
}
"""Which statement each part of the file belongs to."""


def check(components: Mapping[str, Any]) -> list[Fault]:
    """All that is wrong with a set."""
    form = [replace(fault, rule=_rule(fault.place)) for fault in form_faults(ComponentFile, components)]
    return [*form, *_misfits(components, form)]


def _rule(place: Place) -> str:
    """The statement of the innermost part that has one."""
    for end in range(len(place), 0, -1):
        if place[:end] in RULES:
            return RULES[place[:end]]
    return ""


def _misfits(components: Mapping[str, Any], form: Sequence[Fault]) -> Iterator[Fault]:
    """What does not go together, as far as the form lets it be looked at."""
    yield from _prices(components, form)
    yield from _layout(components, form)
    yield from _cards(components, form)
    yield from _deliveries(components, form)
    for size, companies in (("four", 4), ("fewer", 3)):
        yield from _boards(components, form, size, companies)
    yield from _prestige(components, form)


def _prices(components: Mapping[str, Any], form: Sequence[Fault]) -> Iterator[Fault]:
    market = sound(components, form, "prices", "market") or {}
    values = [market[kind] for kind in Deliveries.model_fields if market]
    if values != sorted(set(values)):
        yield Fault("market_order", ("prices", "market"), {"given": values}, "RW-MKT-1")
    fees = sound(components, form, "prices", "subcontractor") or []
    yield from _falls(("prices", "subcontractor"), fees, "RW-SUB-1")


def _falls(place: Place, costs: Sequence[int], rule: str, *inside: str) -> Iterator[Fault]:
    for number in range(1, len(costs)):
        if costs[number] < costs[number - 1]:
            params = {"given": costs[number], "least": costs[number - 1]}
            yield Fault("cost_falls", (*place, number, *inside), params, rule)


def _layout(components: Mapping[str, Any], form: Sequence[Fault]) -> Iterator[Fault]:
    tiles = sound(components, form, "tiles")
    if tiles is not None and not exists([[tile["power"] for tile in tiles[ring]] for ring in Tiles.model_fields]):
        yield Fault("no_layout", ("tiles",), {}, "RW-SET-3")


def _cards(components: Mapping[str, Any], form: Sequence[Fault]) -> Iterator[Fault]:
    extraction, tiles = sound(components, form, "extraction"), sound(components, form, "tiles")
    if extraction is not None:
        total = sum(len(extraction[pile]) for pile in Extraction.model_fields)
        if total != CARDS:
            yield Fault("card_count", ("extraction",), {"given": total, "needed": CARDS}, "RW-SET-9")
    drawing = Counter(tile["pile"] for ring in Tiles.model_fields for tile in tiles[ring]) if tiles is not None else {}
    for number, name in enumerate(Extraction.model_fields, 1):
        cards = sound(components, form, "extraction", name)
        if cards is not None and len(cards) < drawing.get(number, 0):
            params = {"given": len(cards), "needed": drawing[number]}
            yield Fault("pile_too_small", ("extraction", name), params, "RW-EXT-3")


def _deliveries(components: Mapping[str, Any], form: Sequence[Fault]) -> Iterator[Fault]:
    for kind in Deliveries.model_fields:
        pile = sound(components, form, "deliveries", kind) or []
        costs = [sum(tile["cost"]) for tile in pile]
        for number, cost in enumerate(costs):
            if not cost:
                yield Fault("no_cost", ("deliveries", kind, number, "cost"), {}, "RW-WRK-16")
        yield from _falls(("deliveries", kind), costs, "RW-SET-10", "cost")


def _boards(components: Mapping[str, Any], form: Sequence[Fault], size: str, companies: int) -> Iterator[Fault]:
    """At most one board with fewer slots than companies: then each always finds a slot for at least one of its two."""
    boards = sound(components, form, "boards", size)
    short = [name for name in Boards.model_fields if boards and len(boards[name]) < companies]
    for name in short[1:]:
        params = {"given": len(boards[name]), "needed": companies}
        yield Fault("too_few_slots", ("boards", size, name), params, "RW-VP-4")


def _prestige(components: Mapping[str, Any], form: Sequence[Fault]) -> Iterator[Fault]:
    for kind in Achievements.model_fields:
        pile = sound(components, form, "achievements", kind) or []
        if sorted(pile, reverse=True) != pile:
            yield Fault("prestige_rises", ("achievements", kind), {"given": pile}, "RW-SET-11")
