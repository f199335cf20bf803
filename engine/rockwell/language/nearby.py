"""The legal choice nearest to one that was refused, as an order: `bid 99999` of who has $3,000 is near `bid 3000`."""

from typing import Any

from engine.errors import Illegal
from engine.rockwell.choices import Bid, Insure, Pass, Place, Trade
from engine.rockwell.language.fit import choice_of
from engine.rockwell.language.intents import BidOf, Buy, InsureOf, PlaceOn, Sell
from engine.spaces import closest


def nearby(rules: Any, state: Any, seat: int, intent: Any) -> Any:
    """An intent; None where the nearest number says nothing, as with tiles, or nothing but a pass is near."""
    if not isinstance(intent, BidOf | InsureOf | PlaceOn | Sell | Buy):
        return None
    try:
        space = rules.space(state, seat)
        choice = closest(space, space.split(choice_of(rules.tables, state, seat, intent)))
    except Illegal:
        return None
    return _intent(choice)


def _intent(choice: Any) -> Any:
    match choice:
        case Bid(money, cubes):
            return BidOf(money, cubes)
        case Insure(cubes):
            return InsureOf(cubes)
        case Place(board, slot):
            return PlaceOn(board, slot)
        case Trade(kind, amount):
            return Sell(kind, -amount) if amount < 0 else Buy(kind, amount)
        case Pass():
            return None
    raise TypeError(type(choice).__name__)
