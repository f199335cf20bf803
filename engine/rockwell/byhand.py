"""What a moderator may change by hand (`engine.contract.Changing`). All of it is public.

Only stocks hold a secret: how many cubes of a kind are insured. So cubes are given and taken, and never set: a count to
be reached would tell what there was.
"""

from collections.abc import Sequence
from typing import Any, NoReturn, TypeAlias, Union

import msgspec

from engine.changes import ChangeSpace, Kind
from engine.contract import Event, Part
from engine.errors import Illegal
from engine.rockwell import automaton, naming, stock
from engine.rockwell.components import Tables
from engine.rockwell.events import (
    AchievementSet,
    CrewPut,
    CubesGiven,
    LevelSet,
    MineshaftSet,
    MoneySet,
    PowerSet,
)
from engine.rockwell.geometry import BORDER, CENTRE, ENTRANCES, SPOTS, TILE_SPOTS
from engine.rockwell.state import ACHIEVEMENTS, KIND_NAMES, KINDS, Acting, Danger, Ripe, State

MOST_MONEY = 100_000
MOST_CUBES = 50
NOBODY = -1


class _NoChance:
    """A change draws nothing: what would go on by itself now is more than a change."""

    def draw(self, stream: str, n: int) -> NoReturn:
        """Says that what is asked would lapse."""
        raise Illegal("lapses")


NO_CHANCE = _NoChance()


class SetMoney(msgspec.Struct, frozen=True, tag="money"):
    """A company's money is to be so much."""

    seat: int
    money: int


class Give(msgspec.Struct, frozen=True, tag="give"):
    """Cubes of a kind come from the supply."""

    seat: int
    kind: int
    count: int


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Cubes of a kind that a company holds, and has not insured, go back to the supply."""

    seat: int
    kind: int
    count: int


class Put(msgspec.Struct, frozen=True, tag="crew"):
    """A crew is to be on a spot, with its subcontractor. The seat may be the automaton's."""

    seat: int
    crew: int
    to: int


class SetPower(msgspec.Struct, frozen=True, tag="power"):
    """A crew is to have that power."""

    seat: int
    crew: int
    power: int


class SetSafety(msgspec.Struct, frozen=True, tag="safety"):
    """A company is to have that level."""

    seat: int
    level: int


class SetMobility(msgspec.Struct, frozen=True, tag="mobility"):
    """A company is to have that level."""

    seat: int
    level: int


class SetMineshaft(msgspec.Struct, frozen=True, tag="mineshaft"):
    """The mineshaft on a tile is to be a company's, or NOBODY's: then there is none. Levels follow."""

    tile: int
    owner: int


class Claim(msgspec.Struct, frozen=True, tag="claim"):
    """A company is to have an achievement: the tile of most prestige that is left of it."""

    seat: int
    achievement: int


class Unclaim(msgspec.Struct, frozen=True, tag="unclaim"):
    """The company that claimed an achievement last is to have it no more."""

    seat: int
    achievement: int


RockwellChange: TypeAlias = Union[
    SetMoney, Give, Take, Put, SetPower, SetSafety, SetMobility, SetMineshaft, Claim, Unclaim
]


def space(tables: Tables, state: State) -> ChangeSpace:
    """Every change that may be made now. Raises Illegal `game_over`, and `in_the_middle` within an act."""
    if not state.stack:
        raise Illegal("game_over")
    if any(isinstance(step, Acting | Ripe | Danger) for step in state.stack):
        raise Illegal("in_the_middle")
    parts = _Parts(tables, state)
    return ChangeSpace(
        {
            "money": Kind(SetMoney, parts.money),
            "give": Kind(Give, parts.give),
            "take": Kind(Take, parts.take),
            "crew": Kind(Put, parts.crew),
            "power": Kind(SetPower, parts.power),
            "safety": Kind(SetSafety, parts.level),
            "mobility": Kind(SetMobility, parts.level),
            "mineshaft": Kind(SetMineshaft, parts.mineshaft),
            "claim": Kind(Claim, parts.claim),
            "unclaim": Kind(Unclaim, parts.unclaim),
        }
    )


class _Parts:
    """By kind what may come next."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables = tables
        self.state = state
        self.seats = range(tables.seats)
        self.owners = range(len(state.at) // 4)

    def money(self, chosen: tuple[Any, ...]) -> Part | None:
        return _at(chosen, Part("seat", list(self.seats)), Part("money", range(MOST_MONEY + 1)))

    def give(self, chosen: tuple[Any, ...]) -> Part | None:
        return _at(
            chosen,
            Part("seat", list(self.seats)),
            Part("material", list(KINDS)),
            Part("count", range(1, MOST_CUBES + 1)),
        )

    def take(self, chosen: tuple[Any, ...]) -> Part | None:
        companies = self.state.companies
        if not chosen:
            return Part("seat", [seat for seat in self.seats if any(companies[seat].cubes)])
        cubes = companies[chosen[0]].cubes
        if len(chosen) == 1:
            return Part("material", [kind for kind in KINDS if cubes[kind]])
        return Part("count", range(1, cubes[chosen[1]] + 1)) if len(chosen) == 2 else None

    def crew(self, chosen: tuple[Any, ...]) -> Part | None:
        if len(chosen) == 2:
            here = self.state.at[chosen[0] * 4 + chosen[1]]
            return Part("to", [spot for spot in _spots(chosen[1]) if spot != here])
        return self._crew(chosen)

    def power(self, chosen: tuple[Any, ...]) -> Part | None:
        return Part("power", range(1, 5)) if len(chosen) == 2 else self._crew(chosen)

    def _crew(self, chosen: tuple[Any, ...]) -> Part | None:
        return _at(chosen, Part("seat", list(self.owners)), Part("crew", list(range(4))))

    def level(self, chosen: tuple[Any, ...]) -> Part | None:
        return _at(chosen, Part("seat", list(self.seats)), Part("level", range(4)))

    def mineshaft(self, chosen: tuple[Any, ...]) -> Part | None:
        return _at(chosen, Part("tile", list(TILE_SPOTS)), Part("owner", [NOBODY, *self.seats]))

    def claim(self, chosen: tuple[Any, ...]) -> Part | None:
        return self._achievement(chosen, lambda seat: self._kinds(seat, claimed=False))

    def unclaim(self, chosen: tuple[Any, ...]) -> Part | None:
        return self._achievement(
            chosen, lambda seat: [kind for kind in self._kinds(seat, claimed=True) if self._is_last(seat, kind)]
        )

    def _achievement(self, chosen: tuple[Any, ...], kinds: Any) -> Part | None:
        if not chosen:
            return Part("seat", [seat for seat in self.seats if kinds(seat)])
        return Part("achievement", kinds(chosen[0])) if len(chosen) == 1 else None

    def _kinds(self, seat: int, *, claimed: bool) -> list[int]:
        held = self.state.companies[seat].claimed
        return [kind for kind in range(len(ACHIEVEMENTS)) if bool(held[kind]) == claimed]

    def _is_last(self, seat: int, kind: int) -> bool:
        last = self.tables.achievements[kind][self.state.achievements[kind] - 1]
        return self.state.companies[seat].claimed[kind] == last


def _at(chosen: Sequence[Any], *parts: Part) -> Part | None:
    """The next of parts that don't depend on one another."""
    return parts[len(chosen)] if len(chosen) < len(parts) else None


def _spots(crew: int) -> list[int]:
    """All spots where a crew may be at all: of the entrances only its own."""
    return [*TILE_SPOTS, CENTRE, ENTRANCES[crew], *range(BORDER, SPOTS)]


def change(tables: Tables, state: State, made: RockwellChange, events: list[Event]) -> None:
    """Make one, and tell it."""
    events.append(Event(_made(tables, state, made)))


def _made(tables: Tables, state: State, made: RockwellChange) -> Any:
    match made:
        case SetMoney(seat, money):
            before, state.companies[seat].money = state.companies[seat].money, money
            return MoneySet(seat, before, money)
        case Give(seat, kind, count):
            stock.gain(state.companies[seat], _of(kind, count))
            return CubesGiven(seat, kind, count)
        case Take(seat, kind, count):
            stock.pay(state.companies[seat], _of(kind, count))
            return CubesGiven(seat, kind, -count)
        case Put(seat, crew, to):
            origin, state.at[seat * 4 + crew] = state.at[seat * 4 + crew], to
            return CrewPut(seat, crew, origin, to)
        case SetPower(seat, crew, power):
            before, state.power[seat * 4 + crew] = state.power[seat * 4 + crew], power
            return PowerSet(seat, crew, before, power)
        case SetSafety(seat, level):
            before, state.companies[seat].safety = state.companies[seat].safety, level
            return LevelSet(seat, "safety", before, level)
        case SetMobility(seat, level):
            before, state.companies[seat].mobility = state.companies[seat].mobility, level
            return LevelSet(seat, "mobility", before, level)
        case SetMineshaft(tile, owner):
            return _own(state, tile, owner)
        case Claim(seat, achievement):
            return _claim(tables, state, seat, achievement)
        case Unclaim(seat, achievement):
            return _unclaim(state, seat, achievement)


def _of(kind: int, count: int) -> list[int]:
    cubes = [0] * len(KINDS)
    cubes[kind] = count
    return cubes


def _own(state: State, tile: int, owner: int) -> MineshaftSet:
    before, state.mineshaft[tile] = state.mineshaft[tile], owner
    for seat, company in enumerate(state.companies):
        company.mineshaft = state.mineshaft.count(seat)
    return MineshaftSet(tile, before, owner)


def _claim(tables: Tables, state: State, seat: int, achievement: int) -> AchievementSet:
    prestige = tables.achievements[achievement][state.achievements[achievement]]
    state.achievements[achievement] += 1
    state.companies[seat].claimed[achievement] = prestige
    return AchievementSet(seat, achievement, prestige)


def _unclaim(state: State, seat: int, achievement: int) -> AchievementSet:
    claimed = state.companies[seat].claimed
    prestige, claimed[achievement] = claimed[achievement], 0
    state.achievements[achievement] -= 1
    return AchievementSet(seat, achievement, prestige, gone=True)


def called(tables: Tables, part: str, value: Any) -> str:
    """What orders would call a value of a part."""
    match part:
        case "seat" | "owner":
            if value == NOBODY:
                return "nobody"
            return "automaton" if value == automaton.SEATS == tables.seats else naming.SEAT_NAMES[value]
        case "material":
            return KIND_NAMES[value]
        case "achievement":
            return ACHIEVEMENTS[value].replace("_", " ")
    return naming.named(part, value)
