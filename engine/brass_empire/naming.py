"""What lists of figures call the values of parts of a choice: the names of the built-in cards, as orders use them."""

from typing import Any

from engine.brass_empire.asks import STOP
from engine.brass_empire.cards import CORPORATIONS, built_in
from engine.brass_empire.choices import COMPANIES, FROM_RESERVE, PIECES
from engine.brass_empire.stages import SEAT_NAMES


def named(part: str, value: Any) -> str:
    """The name of a part's value, ready to stand in a table."""
    match part:
        case "corporation":
            return CORPORATIONS[value] if value >= 0 else "any"
        case "card" if value != "stop":
            source, card = value if isinstance(value, tuple) else (-1, value)
            name = built_in()[card].name.lower() if card in range(len(built_in())) else str(card)
            return f"{name} from reserve" if source == FROM_RESERVE else name
        case "unit" | "piece" if value != "stop":
            return "any"
        case "target":
            return "platform" if value < COMPANIES else "company" if value < PIECES else "card in play"
        case "seat":
            return SEAT_NAMES[value] if value in range(len(SEAT_NAMES)) else str(value)
        case "option":
            return str(value + 1)
    return str(value).lower()


def spot(part: str, value: Any) -> str:
    """What a place of the picture is called that a value of a part of a choice names: `row-0-17`, `piece-20`."""
    if value == STOP:
        return ""
    if part == "card" and isinstance(value, tuple):
        source, card = value
        return "" if source == FROM_RESERVE else f"row-{source}-{card}"
    if part in ("unit", "piece"):
        return f"piece-{value}"
    if part == "target":
        return f"platform-{value}" if value < COMPANIES else "" if value < PIECES else f"piece-{value}"
    return ""
