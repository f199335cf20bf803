"""What a moderator may change by hand in a company's turn (`engine.contract.Changing`).

Which card goes from a hand to its deck, or back, only who may see that hand is told: the others see how many there are.
Every other place is open to all, or what it holds follows from what is.
"""

from bisect import insort
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias, Union

import msgspec

from engine.brass_empire import brass
from engine.brass_empire.events import BrassSet, CardMoved, DamageSet, ResourceSet
from engine.brass_empire.stages import SEAT_NAMES
from engine.brass_empire.state import DOWN, Piece, State, Turn
from engine.brass_empire.tables import HEALTH, ROWS, Tables
from engine.brass_empire.turnspace import may_do_more
from engine.changes import ChangeSpace, Kind
from engine.contract import Event, Part
from engine.errors import Illegal

MOST_BRASS = 200
MOST_RESOURCES = 99
HAND, DECK, DISCARD = PILES = range(3)
"""A place is side * 3 + pile, or one of these:"""
DISMISSED, LABOR_DECK, DESIGN_DECK = COMMON = range(21, 24)
_PILE_NAMES = ("hand", "deck", "discard")
_COMMON_NAMES = ("dismissed", "labor deck", "design deck")


class SetBrass(msgspec.Struct, frozen=True, tag="brass"):
    """A side is to have so much brass, the rest from or to the pool; in battle so much health."""

    seat: int
    brass: int


class MoveCard(msgspec.Struct, frozen=True, tag="card"):
    """A card goes from a place to another."""

    origin: int
    card: int
    to: int


class SetDamage(msgspec.Struct, frozen=True, tag="damage"):
    """A card in play, or the platform, is to have so much damage; `which` of several alike, from 1 in play order."""

    seat: int
    card: int
    damage: int
    which: int


class SetLabor(msgspec.Struct, frozen=True, tag="labor"):
    """The company whose turn it is may still spend so much."""

    amount: int


class SetConstruction(msgspec.Struct, frozen=True, tag="construction"):
    """The company whose turn it is may still spend so much."""

    amount: int


BrassChange: TypeAlias = Union[SetBrass, MoveCard, SetDamage, SetLabor, SetConstruction]


def space(tables: Tables, state: State) -> ChangeSpace:
    """Every change that may be made now. Raises Illegal `game_over`, and `in_the_middle` but in a turn between acts."""
    if not state.stack:
        raise Illegal("game_over")
    if not isinstance(state.stack[-1], Turn):
        raise Illegal("in_the_middle")
    parts = _Parts(tables, state)
    return ChangeSpace(
        {
            "brass": Kind(SetBrass, parts.brass),
            "card": Kind(MoveCard, parts.card),
            "damage": Kind(SetDamage, parts.damage),
            "labor": Kind(SetLabor, parts.amount),
            "construction": Kind(SetConstruction, parts.amount),
        }
    )


class _Parts:
    """By kind what may come next. Who is out of the battle has nothing any more."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables = tables
        self.state = state
        self.sides = [side for side in range(tables.sides) if side not in state.out]

    def brass(self, chosen: tuple[Any, ...]) -> Part | None:
        """The last token of the pool is for play to take, and the last health for a foe."""
        if not chosen:
            return Part("seat", self.sides)
        if len(chosen) > 1:
            return None
        held, pool = self.state.companies[chosen[0]].brass, self.state.pool
        if self.tables.battle:
            return Part("brass", range(1, (HEALTH if self.tables.health_cap else MOST_BRASS) + 1))
        return Part("brass", range(held + pool if pool else max(held, MOST_BRASS) + 1))

    def card(self, chosen: tuple[Any, ...]) -> Part | None:
        places = [*_places(self.tables, self.sides), *COMMON]
        if not chosen:
            return Part("origin", [place for place in places if _pile(self.state, place)])
        if len(chosen) == 1:
            return Part("card", sorted(set(_pile(self.state, chosen[0]))))
        if len(chosen) > 2:
            return None
        barred = {chosen[0], *(LABOR_DECK + row for row in ROWS if chosen[1] not in self.tables.pools[row])}
        return Part("to", [place for place in places if place not in barred])

    def damage(self, chosen: tuple[Any, ...]) -> Part | None:
        hurt = {side: _standing(self.tables, self.state, side) for side in self.sides}
        if not chosen:
            return Part("seat", [side for side in self.sides if hurt[side]])
        cards = [each.card for each in hurt[chosen[0]]]
        if len(chosen) == 1:
            return Part("card", sorted(set(cards)))
        if len(chosen) == 2:
            return Part("damage", range(_health(self.tables, chosen[1])))
        return Part("which", list(range(1, cards.count(chosen[1]) + 1))) if len(chosen) == 3 else None

    def amount(self, chosen: tuple[Any, ...]) -> Part | None:
        return None if chosen else Part("amount", range(MOST_RESOURCES + 1))


class _Standing(NamedTuple):
    """Something in play that can be damaged: its card, its place among the pieces (-1 for the platform), its damage."""

    card: int
    place: int
    damage: int


def _standing(tables: Tables, state: State, side: int) -> list[_Standing]:
    """What lies face up before a side and has more than one health."""
    company = state.companies[side]
    found = [
        _Standing(piece.card, place, piece.damage)
        for place, piece in enumerate(company.pieces)
        if not piece.down and tables.health[piece.card] > 1
    ]
    return found if company.platform == DOWN else [_Standing(tables.platform, -1, company.platform), *found]


def _health(tables: Tables, card: int) -> int:
    return tables.platform_health if card == tables.platform else tables.health[card]


def _places(tables: Tables, sides: Sequence[int]) -> list[int]:
    """The piles of companies; of the automaton its score pile."""
    return [side * len(PILES) + pile for side in sides for pile in PILES if side < tables.seats or pile == DISCARD]


def _pile(state: State, place: int) -> list[int]:
    if place in COMMON:
        return (state.gone, *state.decks)[place - DISMISSED]
    company = state.companies[place // len(PILES)]
    return (company.hand, company.deck, company.discard)[place % len(PILES)]


def change(tables: Tables, state: State, made: BrassChange, events: list[Event]) -> None:
    """Make one, and tell it."""
    match made:
        case SetBrass(seat, amount):
            events.append(Event(_set_brass(tables, state, seat, amount)))
        case MoveCard(origin, card, to):
            events.append(_move(tables, state, origin, card, to))
        case SetDamage():
            events.append(Event(_set_damage(tables, state, made)))
        case SetLabor(amount):
            before, state.labor = state.labor, amount
            events.append(Event(ResourceSet(state.seat, "labor", before, amount)))
        case SetConstruction(amount):
            before, state.construction = state.construction, amount
            events.append(Event(ResourceSet(state.seat, "construction", before, amount)))


def _set_brass(tables: Tables, state: State, seat: int, amount: int) -> BrassSet:
    """What is given comes from the pool or, once that is empty, from spare tokens; what is taken goes back there."""
    company = state.companies[seat]
    before, company.brass = company.brass, amount
    if not tables.battle:
        left = state.pool - state.spare + before - amount
        state.pool, state.spare = max(left, 0), max(-left, 0)
    return BrassSet(seat, before, amount, state.pool)


def _move(tables: Tables, state: State, origin: int, card: int, to: int) -> Event:
    _pile(state, origin).remove(card)
    pile = _pile(state, to)
    if to == DISMISSED or (to not in COMMON and to % len(PILES) == DISCARD):
        pile.append(card)
    else:
        insort(pile, card)
    seen = CardMoved(origin, to, card)
    side = origin // len(PILES)
    if origin in COMMON or to in COMMON or side != to // len(PILES) or DISCARD in (origin % 3, to % 3):
        return Event(seen)
    mate = tables.mates[side] if tables.team_hands else -1
    return Event(seen, (side,) if mate < 0 else (min(side, mate), max(side, mate)), CardMoved(origin, to))


def _set_damage(tables: Tables, state: State, made: SetDamage) -> DamageSet:
    company = state.companies[made.seat]
    alike = [each for each in _standing(tables, state, made.seat) if each.card == made.card]
    found = alike[made.which - 1]
    if found.place < 0:
        company.platform = made.damage
    else:
        piece = company.pieces[found.place]
        company.pieces[found.place] = Piece(piece.id, piece.card, made.damage, piece.down, piece.fresh, piece.used)
    return DamageSet(made.seat, made.card, found.damage, made.damage)


def settle(tables: Tables, state: State) -> None:
    """Nobody concludes anything. Raises Illegal `lapses` where the company could only end its turn, as all can see."""
    if brass.is_out(state, state.seat) or not may_do_more(tables, state):
        raise Illegal("lapses")


def called(tables: Tables, part: str, value: Any) -> str:
    """What orders would call a value of a part."""
    match part:
        case "seat":
            return _side(tables, value)
        case "card":
            return str(tables.cards[value].name).casefold()
        case "origin" | "to":
            if value in COMMON:
                return _COMMON_NAMES[value - DISMISSED]
            return f"{_side(tables, value // len(PILES))} {_PILE_NAMES[value % len(PILES)]}"
    return str(value)


def _side(tables: Tables, side: int) -> str:
    return SEAT_NAMES[side] if side < tables.seats else "automaton"
