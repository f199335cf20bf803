"""What the values of the parts of choices are called in lists of figures: the names that orders use."""

from typing import Any

from engine.rockwell.choices import LEFT, NOT_SAID
from engine.rockwell.geometry import BORDER, CENTRE, ENTRANCES, ON, TILE_NAMES
from engine.rockwell.state import BOARD_NAMES

SEAT_NAMES = ("red", "green", "purple", "white")
SPOTS = frozenset({"to", "second", "onto", "tile", "origin"})


def named(part: str, value: Any) -> str:
    """The name of a part's value, ready to stand in a table."""
    if value == NOT_SAID:
        return "none"
    if part in SPOTS:
        return _spot(value)
    match part:
        case "board":
            return BOARD_NAMES[value]
        case "slot":
            return str(value + 1)
        case "crew":
            return f"c{value + 1}"
        case "bribe":
            return f"c{value % 4 + 1} of {value // 4 + 1}"
        case "die":
            return "left" if value == LEFT else str(value)
    return str(value).lower()


def _spot(spot: int) -> str:
    if spot == CENTRE:
        return "core"
    if spot in ENTRANCES:
        return f"entrance {spot - ENTRANCES.start + 1}"
    return "-".join(TILE_NAMES[tile] for tile in ON[spot]) if spot >= BORDER else TILE_NAMES[spot]
