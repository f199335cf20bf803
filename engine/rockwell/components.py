"""The component set and the options of a game: read, checked, and laid out as tables for one number of companies."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from engine.contract import Setup
from engine.errors import BadSetup, UnknownVersion
from engine.rockwell.layout import exists
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
}
"""Each option's legal values, the default first; what they do stands in brackets in `rules.md`."""

PLACES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""By the number of companies, which tiles of an achievement pile are used, the highest being 0 (RW-THR-2, RW-TWO-9)."""
ALL = 99
"""What the highest level of safety saves: more cubes than any booty has."""

Count = Annotated[int, msgspec.Meta(ge=0)]
Price = Annotated[int, msgspec.Meta(ge=1)]
FourCounts = tuple[Count, Count, Count, Count]
Three = Annotated[list[Price], msgspec.Meta(min_length=3, max_length=3)]
Four = Annotated[list[Price], msgspec.Meta(min_length=4, max_length=4)]
Slots = Annotated[list[Price], msgspec.Meta(min_length=1, max_length=4)]
Right = Literal["bribery", "subcontracting"]


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tile: the power on its front; the pile 1..8 and a mineshaft's yield on its back."""

    power: Price
    pile: Annotated[int, msgspec.Meta(ge=1, le=8)]
    yields: FourCounts


class Delivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A delivery tile."""

    cost: FourCounts
    prestige: Count


Ring = Annotated[list[Back], msgspec.Meta(min_length=8, max_length=8)]
Pile = Annotated[list[Delivery], msgspec.Meta(min_length=7, max_length=7)]
Cards = list[tuple[Count, Count, Count, Count, bool]]


class Card(msgspec.Struct, frozen=True):
    """An extraction card."""

    cubes: Cubes
    danger: bool


class _BySize(msgspec.Struct, forbid_unknown_fields=True):
    four: Three
    fewer: Three


class _Market(msgspec.Struct, forbid_unknown_fields=True):
    zinc: Price
    copper: Price
    silver: Price
    gold: Price


class _Prices(msgspec.Struct, forbid_unknown_fields=True):
    market: _Market
    power: Three
    subcontractor: Four
    mobility: Three
    safety: _BySize
    mineshaft: _BySize


class _Safety(msgspec.Struct, forbid_unknown_fields=True):
    lowers_loss_by: tuple[Count | Literal["all"], Count | Literal["all"], Count | Literal["all"]]


class _Start(msgspec.Struct, forbid_unknown_fields=True):
    cubes: FourCounts
    money: Count
    bribery_tiles: Count
    subcontractor_dice: Count


class _Boards(msgspec.Struct, forbid_unknown_fields=True):
    control_center: Annotated[list[Right], msgspec.Meta(min_length=1, max_length=4)]
    stock_exchange: Slots
    workshop: Slots


class _BoardsBySize(msgspec.Struct, forbid_unknown_fields=True):
    four: _Boards
    fewer: _Boards


class _Set(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    edition: int


class _Tiles(msgspec.Struct, forbid_unknown_fields=True):
    A: Ring
    B: Ring
    C: Ring
    D: Ring


class _Extraction(msgspec.Struct, forbid_unknown_fields=True):
    pile_1: Cards
    pile_2: Cards
    pile_3: Cards
    pile_4: Cards
    pile_5: Cards
    pile_6: Cards
    pile_7: Cards
    pile_8: Cards


class _Deliveries(msgspec.Struct, forbid_unknown_fields=True):
    zinc: Pile
    copper: Pile
    silver: Pile
    gold: Pile


class _Achievements(msgspec.Struct, forbid_unknown_fields=True):
    eight_zinc_and_copper: Four
    six_extractions: Four
    ten_silver: Four
    three_crews_of_power_2: Four
    twelve_gold: Four
    all_crews_at_stratum_c: Four
    six_of_each: Four
    two_crews_of_power_4: Four
    centre_reached: Four


class _Components(msgspec.Struct, forbid_unknown_fields=True):
    set: _Set
    prices: _Prices
    safety: _Safety
    start: _Start
    tiles: _Tiles
    extraction: _Extraction
    deliveries: _Deliveries
    boards: _BoardsBySize
    achievements: _Achievements


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


def tables(setup: Setup) -> Tables:
    """The tables of a setup. Raises BadSetup naming the place, UnknownVersion for rules that this code lacks."""
    if not 1 <= setup.version <= VERSION:
        raise UnknownVersion(str(setup.version))
    if setup.seats not in PLACES:
        raise BadSetup("seats", "seats", {"given": setup.seats, "least": 2, "most": 4})
    options = _options(setup.options)
    components = _built_in() if setup.components is None else read(setup.components)
    four = setup.seats == 4
    boards = components.boards.four if four else components.boards.fewer
    _check_boards(boards, setup.seats, "four" if four else "fewer")
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
        start_cubes=components.start.cubes,
        start_money=components.start.money,
        bribery_tiles=components.start.bribery_tiles,
        dice=components.start.subcontractor_dice,
        backs=tuple(tuple(ring) for ring in _entries(components.tiles).values()),
        cards=tuple(
            tuple(Card((zinc, copper, silver, gold), danger) for zinc, copper, silver, gold, danger in cards)
            for cards in _entries(components.extraction).values()
        ),
        deliveries=tuple(tuple(pile) for pile in _entries(components.deliveries).values()),
        rights=tuple(boards.control_center),
        grants=((1,) * len(boards.control_center), tuple(boards.stock_exchange), tuple(boards.workshop)),
        achievements=tuple(
            tuple(pile[place] for place in PLACES[setup.seats]) for pile in _entries(components.achievements).values()
        ),
        **options,
    )


def read(components: Mapping[str, Any]) -> _Components:
    """A parsed component file, checked whole. Raises BadSetup."""
    try:
        parsed = msgspec.convert(components, _Components)
    except msgspec.ValidationError as error:
        raise _bad_form(error) from error
    _check_cards(parsed)
    _check_deliveries(parsed)
    _check_prices(parsed)
    if not exists([[back.power for back in ring] for ring in _entries(parsed.tiles).values()]):
        raise BadSetup("no_layout", "tiles")
    return parsed


@cache
def _built_in() -> _Components:
    return read(tomllib.loads(BUILT_IN.read_text(encoding="utf-8")))


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {name: values[0] for name, values in OPTIONS.items()}
    for name, value in given.items():
        if name not in OPTIONS:
            raise BadSetup("unknown_option", f"options.{name}", {"known": tuple(OPTIONS)})
        if not any(type(value) is type(legal) and value == legal for legal in OPTIONS[name]):
            raise BadSetup("option_value", f"options.{name}", {"given": value, "legal": OPTIONS[name]})
        chosen[name] = value
    return chosen


def _bad_form(error: msgspec.ValidationError) -> BadSetup:
    """What msgspec found, with its place as a dotted path."""
    why, _, path = str(error).partition(" - at `$")
    place = re.sub(r"\[(\d+)\]", r".\1", path.rstrip("`")).lstrip(".")
    field = re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", why)
    if field is None:
        return BadSetup("form", place, {"why": why})
    code = "missing" if field[1] == "missing required" else "unknown"
    return BadSetup(code, f"{place}.{field[2]}".lstrip("."))


def _entries(section: msgspec.Struct) -> dict[str, Any]:
    """The entries of a section by their names, in the order of its form."""
    return {name: getattr(section, name) for name in section.__struct_fields__}


def _check_cards(parsed: _Components) -> None:
    piles = _entries(parsed.extraction)
    total = sum(len(cards) for cards in piles.values())
    if total != 48:
        raise BadSetup("card_count", "extraction", {"given": total, "needed": 48})
    needed = Counter(back.pile for ring in _entries(parsed.tiles).values() for back in ring)
    for pile, tiles in needed.items():
        cards = len(piles[f"pile_{pile}"])
        if cards < tiles:
            raise BadSetup("pile_too_small", f"extraction.pile_{pile}", {"given": cards, "needed": tiles})


def _check_deliveries(parsed: _Components) -> None:
    for kind, pile in _entries(parsed.deliveries).items():
        costs = [sum(tile.cost) for tile in pile]
        for place in range(7):
            if costs[place] == 0:
                raise BadSetup("price", f"deliveries.{kind}.{place}.cost")
            if place and costs[place] < costs[place - 1]:
                raise BadSetup("cost_falls", f"deliveries.{kind}.{place}.cost")


def _check_prices(parsed: _Components) -> None:
    market = parsed.prices.market
    if not market.zinc < market.copper < market.silver < market.gold:
        raise BadSetup("market_order", "prices.market")
    for place, fees in enumerate(zip(parsed.prices.subcontractor, parsed.prices.subcontractor[1:], strict=False)):
        if fees[0] > fees[1]:
            raise BadSetup("cost_falls", f"prices.subcontractor.{place + 1}")
    for kind, tiles in _entries(parsed.achievements).items():
        if sorted(tiles, reverse=True) != tiles:
            raise BadSetup("prestige_rises", f"achievements.{kind}")


def _check_boards(boards: _Boards, seats: int, size: str) -> None:
    """At most one board with fewer slots than companies: then each always finds a slot for at least one of its two."""
    short = [name for name in ("control_center", "stock_exchange", "workshop") if len(getattr(boards, name)) < seats]
    if len(short) > 1:
        raise BadSetup("too_few_slots", f"boards.{size}.{short[1]}", {"needed": seats})
