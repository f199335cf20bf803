"""The legal actions of a company in the workshop, part by part."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.contract import Part
from engine.errors import Illegal
from engine.rockwell import mineshafts
from engine.rockwell.choices import Deliver, Mineshaft, Mobility, MoveMineshaft, Pass, Raise, Safety
from engine.rockwell.components import Tables
from engine.rockwell.geometry import CENTRE, TILE_SPOTS
from engine.rockwell.state import KIND_NAMES, KINDS, State

PASS = "pass"
POWER = tuple(f"power_{crew + 1}" for crew in range(4))
SAFETY = "safety"
MOBILITY = "mobility"
MINESHAFT = "mineshaft"
MOVE_MINESHAFT = "move_mineshaft"
DELIVER = tuple(f"deliver_{name}" for name in KIND_NAMES)
_ALONE: dict[str, Any] = {
    PASS: Pass(),
    SAFETY: Safety(),
    MOBILITY: Mobility(),
    **{name: Raise(crew) for crew, name in enumerate(POWER)},
    **{name: Deliver(pile) for pile, name in enumerate(DELIVER)},
}
"""The actions that say all; the others name a tile, or two."""
_NAMES = {choice: name for name, choice in _ALONE.items()}


class WorkSpace:
    """The action, then the tile of a mineshaft; for one that moves, from where and whereto."""

    __slots__ = ("_first", "_money", "_own", "_seat", "_state", "tables")

    def __init__(self, tables: Tables, state: State, seat: int) -> None:
        self.tables = tables
        self._state = state
        self._seat = seat
        self._first = seat * 4
        self._own = state.companies[seat]
        self._money = self._own.money

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The action, then the tiles that it names."""
        if not chosen:
            return Part("action", [PASS, *self.purchases(), *self._deliveries()])
        if chosen[0] == MINESHAFT and len(chosen) == 1:
            return Part("tile", mineshafts.tiles(mineshafts.sites(self._state, self._seat, self._own.mineshaft + 1)))
        if chosen[0] == MOVE_MINESHAFT and len(chosen) == 1:
            return Part("origin", self._shafts())
        if chosen[0] == MOVE_MINESHAFT and len(chosen) == 2:
            return Part("to", mineshafts.tiles(self._destinations()))
        return None

    def build(self, chosen: tuple[Any, ...]) -> Any:
        """The choice of complete parts."""
        if chosen[0] == MINESHAFT:
            return Mineshaft(chosen[1])
        if chosen[0] == MOVE_MINESHAFT:
            return MoveMineshaft(chosen[1], chosen[2])
        return _ALONE[chosen[0]]

    def split(self, choice: object) -> tuple[Any, ...]:
        """The action, and the tiles that it names."""
        if isinstance(choice, Mineshaft):
            return (MINESHAFT, choice.tile)
        if isinstance(choice, MoveMineshaft):
            return (MOVE_MINESHAFT, choice.origin, choice.to)
        if isinstance(choice, Raise):
            return (_name(POWER, choice.crew, "no_such_crew"),)
        if isinstance(choice, Deliver):
            return (_name(DELIVER, choice.pile, "no_such_pile"),)
        if isinstance(choice, Pass | Safety | Mobility):
            return (_NAMES[choice],)
        raise Illegal("wrong_kind", given=choice)

    def purchases(self) -> list[str]:
        """The actions for money that the company can take: they follow from what everyone knows."""
        tables, own, money = self.tables, self._own, self._money
        actions = self._raises()
        if own.safety < 3 and money >= tables.safety[own.safety]:
            actions.append(SAFETY)
        if own.mobility < 3 and money >= tables.mobility[own.mobility]:
            actions.append(MOBILITY)
        if (
            own.mineshaft < 3
            and money >= tables.mineshaft[own.mineshaft]
            and mineshafts.sites(self._state, self._seat, own.mineshaft + 1)
        ):
            actions.append(MINESHAFT)
        if own.mineshaft and self._shafts() and self._destinations():
            actions.append(MOVE_MINESHAFT)
        return actions

    def _raises(self) -> list[str]:
        """Not at the centre, below power 4, and paid (RW-WRK-21, RW-WRK-22)."""
        state, prices, money, first = self._state, self.tables.power_prices, self._money, self._first
        if money < prices[1]:
            return []
        return [
            POWER[crew]
            for crew in range(4)
            if state.at[first + crew] != CENTRE
            and state.power[first + crew] < 4
            and money >= prices[state.power[first + crew]]
        ]

    def _shafts(self) -> list[int]:
        return [tile for tile in TILE_SPOTS if self._state.mineshaft[tile] == self._seat]

    def _destinations(self) -> int:
        """Where its levels, as far as it can pay them, let a mineshaft go: bit by tile."""
        mask = 0
        for level in range(1, self._own.mineshaft + 1):
            if self._money >= self.tables.mineshaft[level - 1]:
                mask |= mineshafts.sites(self._state, self._seat, level)
        return mask

    def moving_price(self, to: int) -> int:
        """What it costs to move a mineshaft to a tile where one may go."""
        return self.tables.mineshaft[mineshafts.cheapest(self._state, self._seat, self._own.mineshaft, to) - 1]

    def _deliveries(self) -> list[str]:
        return [DELIVER[pile] for pile in KINDS if self._can_deliver(pile)]

    def _can_deliver(self, pile: int) -> bool:
        cost = self._cost(pile)
        return bool(cost) and all(held >= count for held, count in zip(self._own.cubes, cost, strict=True))

    def _cost(self, pile: int) -> Sequence[int]:
        """What the top tile costs in cubes; nothing at all where the pile is used up."""
        gone = self._state.deliveries[pile]
        tiles = self.tables.deliveries[pile]
        return tiles[gone].cost if gone < len(tiles) else ()

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """What is missing: money, a level, a site, cubes."""
        if not chosen:
            return self._why_not_action(value)
        if value not in TILE_SPOTS:
            return "no_such_tile", {}
        if chosen[0] == MOVE_MINESHAFT and len(chosen) == 1:
            return "not_own_mineshaft", {"tile": value}
        if self._state.mineshaft[value] >= 0:
            return "mineshaft_there", {"tile": value, "seat": self._state.mineshaft[value]}
        level = self._own.mineshaft
        if chosen[0] == MINESHAFT:
            return "no_site", {"tile": value, "level": level + 1}
        allowed = mineshafts.cheapest(self._state, self._seat, level, value)
        if allowed:
            return self._cannot_pay(self.tables.mineshaft[allowed - 1])
        return "no_site", {"tile": value, "level": level}

    def _cannot_pay(self, price: int) -> tuple[str, Mapping[str, object]]:
        return "cannot_pay", {"price": price, "has": self._money}

    def _why_not_action(self, action: Any) -> tuple[str, Mapping[str, object]]:
        if action in POWER:
            return self._why_not_raise(POWER.index(action))
        if action in DELIVER:
            return self._why_not_deliver(DELIVER.index(action))
        if action == MOVE_MINESHAFT:
            return self._why_not_move()
        own, tables = self._own, self.tables
        level, prices = {
            SAFETY: (own.safety, tables.safety),
            MOBILITY: (own.mobility, tables.mobility),
            MINESHAFT: (own.mineshaft, tables.mineshaft),
        }[action]
        if level == 3:
            return "no_level_left", {"what": action}
        if self._money < prices[level]:
            return self._cannot_pay(prices[level])
        return "no_site_at_all", {"level": level + 1}

    def _why_not_raise(self, crew: int) -> tuple[str, Mapping[str, object]]:
        if self._state.at[self._first + crew] == CENTRE:
            return "crew_at_centre", {}
        power = self._state.power[self._first + crew]
        return ("most_power", {}) if power == 4 else self._cannot_pay(self.tables.power_prices[power])

    def _why_not_deliver(self, pile: int) -> tuple[str, Mapping[str, object]]:
        cost = self._cost(pile)
        if not cost:
            return "pile_empty", {"pile": pile}
        return "cannot_deliver", {"pile": pile, "cost": tuple(cost), "has": tuple(self._own.cubes)}

    def _why_not_move(self) -> tuple[str, Mapping[str, object]]:
        if not self._shafts():
            return "no_mineshaft", {}
        if self._money < self.tables.mineshaft[0]:
            return self._cannot_pay(self.tables.mineshaft[0])
        return "no_site_at_all", {"level": self._own.mineshaft}


def _name(names: Sequence[str], number: int, code: str) -> str:
    if 0 <= number < len(names):
        return names[number]
    raise Illegal(code, given=number)
