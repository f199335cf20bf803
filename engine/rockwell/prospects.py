"""What tiles promise, as far as everyone can tell: for stand-ins. Values are in dollars at market value."""

from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from engine.rockwell.components import Tables
from engine.rockwell.geometry import NEIGHBOURS, ON, TILE_SPOTS
from engine.rockwell.state import KINDS
from engine.rockwell.view import RockwellView

LOST_CUBE = 700
"""What a cube lost to danger is about worth: the most valuable go first."""
LEFT_OVER = 350
"""What is about left over for each company that shares."""
GAME = 11
"""About how many turns a game has."""
PRESTIGE = 1000
"""What a point of prestige is about worth: five gold cubes deliver five."""
CARD = 300
"""What an extraction card is about worth."""


_NEAR = tuple(itemgetter(*neighbours) for neighbours in NEIGHBOURS)


class Prospect(NamedTuple):
    """The mean value of the card of a tile, the number of its cubes, and how often it bears the danger symbol."""

    value: float
    cubes: float
    danger: float


@lru_cache(maxsize=16)
def prospects(tables: Tables) -> dict[tuple[int, int], Prospect]:
    """By stratum and power required: over all backs that are printed so, and all cards of their piles."""
    found = {}
    for stratum, backs in enumerate(tables.backs):
        for power in {back.power for back in backs}:
            cards = [card for back in backs if back.power == power for card in tables.cards[back.pile - 1]]
            value = sum(tables.market[kind] * card.cubes[kind] for card in cards for kind in KINDS)
            cubes = sum(sum(card.cubes) for card in cards)
            danger = sum(1 for card in cards if card.danger)
            found[stratum, power] = Prospect(value / len(cards), cubes / len(cards), danger / len(cards))
    return found


class Scout:
    """One look at the board from a seat's view: who is where with how much, and what each tile promises."""

    __slots__ = ("field", "powers", "promise", "seat", "strength", "tables", "view")

    def __init__(self, tables: Tables, view: RockwellView, seat: int) -> None:
        self.tables = tables
        self.view = view
        self.seat = seat
        self.strength = [0] * 32
        self.powers: list[dict[int, int]] = [{} for _ in TILE_SPOTS]
        self._count_crews()
        known = prospects(tables)
        self.promise = [
            None if view.back[tile] >= 0 else known.get((tile // 8, view.required[tile])) for tile in TILE_SPOTS
        ]
        self.field = self._field()

    def _count_crews(self) -> None:
        view = self.view
        for number, spot in enumerate(view.at):
            power = view.power[number] + view.die[number]
            for tile in ON[spot]:
                self.strength[tile] += power
                there = self.powers[tile]
                there[number >> 2] = there.get(number >> 2, 0) + power

    def _field(self) -> list[float]:
        """What it is worth to stand on each tile: its own promise, or that of better ones nearby, a step away each."""
        view = self.view
        first = self.seat * 4
        own = sum(view.power[first : first + 4])
        field = [0.0] * 32
        for tile, promise in enumerate(self.promise):
            if promise is not None:
                reach = min(1.0, (self.strength[tile] + own * 0.6) / view.required[tile])
                field[tile] = promise.value * reach * reach / (2 + len(self.powers[tile]))
        for _ in range(2):
            field = [max(here, 0.8 * max(near(field))) for here, near in zip(field, _NEAR, strict=True)]
        return field

    def prestige(self, achievement: int) -> int:
        """The prestige of the tile that the next company to meet it claims."""
        tiles = self.tables.achievements[achievement]
        gone = self.view.achievements[achievement]
        return tiles[gone] if gone < len(tiles) else 0

    def booty(self, tile: int, added: int, guests: dict[int, int] | None = None) -> float:
        """What the seat may expect if it extracts the tile with `added` power more of its own there.

        `guests` is the power that it brings of others.
        """
        promise = self.promise[tile]
        if promise is None:
            return 0.0
        powers = dict(self.powers[tile])
        for owner, power in (guests or {}).items():
            powers[owner] = powers.get(owner, 0) + power
        own = powers.pop(self.seat, 0) + added
        sharers = len(powers) + 1
        value = promise.value / sharers + CARD
        shaft = self.view.mineshaft[tile]
        if shaft == self.seat or (shaft < 0 and own >= max(powers.values(), default=0)):
            value += LEFT_OVER * (sharers - 1)
        assert self.view.own is not None
        saved = self.tables.saves[self.view.own.safety] + self.view.own.insurance
        return value - promise.danger * LOST_CUBE * max(0.0, min(own, promise.cubes / sharers) - saved)

    def stake(self, tile: int, strength: int) -> float:
        """What it is worth to be on a tile that holds so much power and is not extracted yet."""
        promise = self.promise[tile]
        if promise is None:
            return 0.0
        lacking = max(0, self.view.required[tile] - strength)
        sharers = len(self.powers[tile].keys() | {self.seat})
        return float(promise.value / sharers * 0.55 * 0.75**lacking)
