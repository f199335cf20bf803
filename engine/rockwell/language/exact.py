"""The intent that asks for just one choice."""

from typing import Any

import msgspec

from engine.rockwell.choices import Bid, Cover, Drill, Insure, Place, Trade
from engine.rockwell.geometry import ENTRANCES
from engine.rockwell.language.intents import STAY, BidOf, Buy, CoverBy, DrillBy, InsureOf, PlaceOn, Sell


def exactly(choice: Any) -> Any:
    """An intent that only this choice fits."""
    match choice:
        case Bid(money, cubes):
            return BidOf(money, cubes)
        case Insure(cubes):
            return InsureOf(cubes)
        case Place(board, slot):
            return PlaceOn(board, slot)
        case Drill():
            said = msgspec.structs.asdict(choice)
            return DrillBy(**{**said, "to": STAY if choice.to in ENTRANCES else choice.to})
        case Cover(insurance):
            return CoverBy(insurance)
        case Trade(kind, amount):
            return Buy(kind, amount) if amount > 0 else Sell(kind, -amount)
    return choice
