"""The form of a component file: its tables, how many of each thing there are, and within which bounds numbers lie."""

from typing import Annotated, Literal, TypeAlias

from annotated_types import Len
from pydantic import Field, StrictBool

from engine.components import Form

Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=99)]
Some: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=99)]
Price: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
Money: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
Name: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=60, pattern=r"^[\w ,.()'&/+-]+$")]
FourCounts: TypeAlias = Annotated[list[Count], Len(4, 4)]
Three: TypeAlias = Annotated[list[Price], Len(3, 3)]
Four: TypeAlias = Annotated[list[Price], Len(4, 4)]
Prestige: TypeAlias = Annotated[list[Some], Len(4, 4)]
Slots: TypeAlias = Annotated[list[Some], Len(1, 4)]
Cards: TypeAlias = list[tuple[Count, Count, Count, Count, StrictBool]]


class Tile(Form):
    """A tile: the power on its front; the pile and a mineshaft's yield on its back."""

    power: Some
    pile: Annotated[int, Field(strict=True, ge=1, le=8)]
    yields: FourCounts


class DeliveryTile(Form):
    """A delivery tile."""

    cost: FourCounts
    prestige: Count


Ring: TypeAlias = Annotated[list[Tile], Len(8, 8)]
Pile: TypeAlias = Annotated[list[DeliveryTile], Len(7, 7)]


class BySize(Form):
    """Prices of three levels, for four companies and for fewer."""

    four: Three
    fewer: Three


class Market(Form):
    """Market values."""

    zinc: Price
    copper: Price
    silver: Price
    gold: Price


class Prices(Form):
    """What things cost."""

    market: Market
    power: Three
    subcontractor: Four
    mobility: Three
    safety: BySize
    mineshaft: BySize


class Safety(Form):
    """How many cubes each level saves."""

    lowers_loss_by: Annotated[list[Count | Literal["all"]], Len(3, 3)]


class Start(Form):
    """What a game starts with."""

    cubes: FourCounts
    money: Money
    bribery_tiles: Count
    subcontractor_dice: Count


class Boards(Form):
    """The slots of the phase boards, from the left."""

    control_center: Annotated[list[Literal["bribery", "subcontracting"]], Len(1, 4)]
    stock_exchange: Slots
    workshop: Slots


class BoardsBySize(Form):
    """The phase boards for four companies and for fewer."""

    four: Boards
    fewer: Boards


class Set(Form):
    """What the set is called."""

    name: Name
    edition: Some


class Tiles(Form):
    """The tiles of each stratum."""

    A: Ring
    B: Ring
    C: Ring
    D: Ring


class Extraction(Form):
    """The piles of extraction cards."""

    pile_1: Cards
    pile_2: Cards
    pile_3: Cards
    pile_4: Cards
    pile_5: Cards
    pile_6: Cards
    pile_7: Cards
    pile_8: Cards


class Deliveries(Form):
    """The piles of delivery tiles."""

    zinc: Pile
    copper: Pile
    silver: Pile
    gold: Pile


class Achievements(Form):
    """The prestige of each pile's tiles, the top first."""

    eight_zinc_and_copper: Prestige
    six_extractions: Prestige
    ten_silver: Prestige
    three_crews_of_power_2: Prestige
    twelve_gold: Prestige
    all_crews_at_stratum_c: Prestige
    six_of_each: Prestige
    two_crews_of_power_4: Prestige
    centre_reached: Prestige


class ComponentFile(Form):
    """A component file."""

    set: Set
    prices: Prices
    safety: Safety
    start: Start
    tiles: Tiles
    extraction: Extraction
    deliveries: Deliveries
    boards: BoardsBySize
    achievements: Achievements
