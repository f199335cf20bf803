"""The component set and the options of a game: read, checked, and laid out as tables for one number of companies."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from engine.components import place_said, sound
from engine.contract import Fault, SetName, Setup
from engine.errors import BadSetup, UnknownVersion
from engine.rockwell.componentcheck import check
from engine.rockwell.componentform import ComponentFile
from engine.rockwell.state import Cubes

VERSION = 1
BUILT_IN = Path(__file__).parent / "components" / "reconstructed.toml"
OPTIONS: dict[str, tuple[Any, ...]] = {
    "passing_triggers": (True, False),
    "straddle_per_company": (False, True),
    "phase_order": ("slots", "management"),
    "achievement_ties": ("management", "active-first"),
    "danger_spares_leftover": (False, True),
    "safety_before_cut": (False, True),
    "award_for_none": (False, True),
    "turn_limit": (0, *range(3, 31)),
}
"""Each option's legal values, the default first; what they do stands in brackets in `rules.md`. `turn_limit` 0 is
none."""

PLACES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""By the number of companies, which tiles of an achievement pile are used, the highest being 0 (RW-THR-2, RW-TWO-9)."""
ALL = 1000
"""What the highest level of safety saves: more cubes than any booty has."""


class Back(msgspec.Struct, frozen=True):
    """A tile: the power on its front; the pile 1..8 and a mineshaft's yield on its back."""

    power: int
    pile: int
    yields: Cubes


class Delivery(msgspec.Struct, frozen=True):
    """A delivery tile."""

    cost: Cubes
    prestige: int


class Card(msgspec.Struct, frozen=True):
    """An extraction card."""

    cubes: Cubes
    danger: bool


class Tables(msgspec.Struct, frozen=True):
    """All that never changes in a game.

    fees: by the power of a subcontractor, 0..4. power_prices: by the power that a crew has, 1..3. safety, mineshaft,
    mobility: price by the level that a company has, 0..2. saves: by level of safety 0..3. backs: by stratum, then as
    `State.back`. cards: by pile 0..7. rights: what each slot of Board I allows. grants: by board, the transactions
    or actions of each slot; for Board I just as many entries as slots. achievements: prestige by kind, top first.
    """

    seats: int
    set_name: str
    set_edition: int
    market: Cubes
    fees: tuple[int, ...]
    power_prices: tuple[int, ...]
    safety: tuple[int, ...]
    mineshaft: tuple[int, ...]
    mobility: tuple[int, ...]
    saves: tuple[int, ...]
    start_cubes: Cubes
    start_money: int
    bribery_tiles: int
    dice: int
    backs: tuple[tuple[Back, ...], ...]
    cards: tuple[tuple[Card, ...], ...]
    deliveries: tuple[tuple[Delivery, ...], ...]
    rights: tuple[str, ...]
    grants: tuple[tuple[int, ...], ...]
    achievements: tuple[tuple[int, ...], ...]
    passing_triggers: bool
    straddle_per_company: bool
    phase_order: str
    achievement_ties: str
    danger_spares_leftover: bool
    safety_before_cut: bool
    award_for_none: bool
    turn_limit: int


def tables(setup: Setup) -> Tables:
    """The tables of a setup. Raises BadSetup naming the place, UnknownVersion for rules that this code lacks."""
    if not 1 <= setup.version <= VERSION:
        raise UnknownVersion(str(setup.version))
    if setup.seats not in PLACES:
        raise BadSetup("seats", "seats", {"given": setup.seats, "least": 2, "most": 4})
    options = _options(setup.options)
    components = _built_in() if setup.components is None else _read(setup.components)
    four = setup.seats == 4
    boards = components.boards.four if four else components.boards.fewer
    prices = components.prices
    market = prices.market
    return Tables(
        seats=setup.seats,
        set_name=components.set.name,
        set_edition=components.set.edition,
        market=(market.zinc, market.copper, market.silver, market.gold),
        fees=(0, *prices.subcontractor),
        power_prices=(0, *prices.power),
        safety=tuple(prices.safety.four if four else prices.safety.fewer),
        mineshaft=tuple(prices.mineshaft.four if four else prices.mineshaft.fewer),
        mobility=tuple(prices.mobility),
        saves=(0, *(ALL if saved == "all" else saved for saved in components.safety.lowers_loss_by)),
        start_cubes=four_cubes(components.start.cubes),
        start_money=components.start.money,
        bribery_tiles=components.start.bribery_tiles,
        dice=components.start.subcontractor_dice,
        backs=tuple(
            tuple(Back(tile.power, tile.pile, four_cubes(tile.yields)) for tile in ring) for _, ring in components.tiles
        ),
        cards=tuple(
            tuple(Card((zinc, copper, silver, gold), danger) for zinc, copper, silver, gold, danger in cards)
            for _, cards in components.extraction
        ),
        deliveries=tuple(
            tuple(Delivery(four_cubes(tile.cost), tile.prestige) for tile in pile) for _, pile in components.deliveries
        ),
        rights=tuple(boards.control_center),
        grants=((1,) * len(boards.control_center), tuple(boards.stock_exchange), tuple(boards.workshop)),
        achievements=tuple(tuple(pile[place] for place in PLACES[setup.seats]) for _, pile in components.achievements),
        **options,
    )


class RockwellSets:
    """See `engine.contract.ComponentSets`."""

    built_in = BUILT_IN

    def check(self, components: Mapping[str, Any]) -> Sequence[Fault]:
        """All that is wrong with a set; one that differs from the built-in set needs a name of its own."""
        faults = check(components)
        name = sound(components, faults, "set", "name")
        if name == _built_in().set.name and components != parsed():
            faults.append(Fault("name_taken", ("set", "name"), {"given": name}))
        return faults

    def name(self, components: Mapping[str, Any] | None) -> SetName:
        """What a sound set is called."""
        given = _built_in() if components is None else ComponentFile.model_validate(components)
        return SetName(given.set.name, given.set.edition, components is None or components == parsed())


SETS = RockwellSets()


def parsed() -> dict[str, Any]:
    """The built-in file as it is parsed, a fresh one at each call."""
    return tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))


def four_cubes(counts: Sequence[int]) -> Cubes:
    """Zinc, copper, silver and gold."""
    zinc, copper, silver, gold = counts
    return zinc, copper, silver, gold


def _read(components: Mapping[str, Any]) -> ComponentFile:
    """A parsed component file, checked whole. Raises BadSetup for the first that is wrong."""
    for fault in SETS.check(components):
        raise BadSetup(fault.code, place_said(fault.place), fault.params)
    return ComponentFile.model_validate(components)


@cache
def _built_in() -> ComponentFile:
    return ComponentFile.model_validate(parsed())


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {name: values[0] for name, values in OPTIONS.items()}
    for name, value in given.items():
        if name not in OPTIONS:
            raise BadSetup("unknown_option", f"options.{name}", {"known": tuple(OPTIONS)})
        if not any(type(value) is type(legal) and value == legal for legal in OPTIONS[name]):
            raise BadSetup("option_value", f"options.{name}", {"given": value, "legal": OPTIONS[name]})
        chosen[name] = value
    return chosen
