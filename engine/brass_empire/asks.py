"""The questions that effects ask: their spaces, and putting them, unless the act that is going on said the answer."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.brass_empire.battle import struck_by_effect
from engine.brass_empire.choices import EFFECT, Accept, Acquire, Decline, Dismiss, Pick, Steal, Strike
from engine.brass_empire.play import Play
from engine.brass_empire.state import EMPTY, Asking, State
from engine.brass_empire.tables import DESIGN, LABOR, Compiled, Tables
from engine.contract import Decision, Part
from engine.errors import Illegal
from engine.spaces import allows

STOP = "stop"
"""In place of one more card: that was all."""
POOLS = {"labor": (LABOR,), "design": (DESIGN,), "any": (LABOR, DESIGN)}


def pending(tables: Tables, state: State, step: Asking) -> Decision:
    """The side whose effect it is, whoever's turn it is."""
    return Decision(EFFECT, (step.seat,))


def space(tables: Tables, state: State, step: Asking) -> Any:
    """What may be answered to a question."""
    effect = tables.effects[step.effect]
    if step.may:
        return MaySpace()
    seat = step.seat
    match effect.do:
        case "dismiss":
            company = state.companies[seat]
            return CardsSpace(Dismiss, [*company.hand, *company.discard], 0, effect.n)
        case "acquire_free":
            return AcquireSpace(tables, state, seat, effect)
        case "damage":
            return OneSpace(Strike, "target", struck_by_effect(tables, state, seat, effect.target))
        case "steal_brass":
            return OneSpace(Steal, "seat", victims(tables, state, seat))
    return OneSpace(Pick, "option", list(range(len(effect.options))))


def kind(tables: Tables, effect: int, may: bool) -> tuple[type, ...]:
    """The structs that answer such a question."""
    if may:
        return (Accept, Decline)
    return {
        "dismiss": (Dismiss,),
        "acquire_free": (Acquire, Decline),
        "damage": (Strike,),
        "steal_brass": (Steal,),
    }.get(tables.effects[effect].do, (Pick,))


def put(play: Play, step: Asking, answer: Callable[[Play, Asking, Any], None]) -> None:
    """Ask, unless a wish of the act that is going on answers: the first of its kind that is legal."""
    state = play.state
    if state.wishes and step.seat == state.seat:
        kinds = kind(play.tables, step.effect, step.may)
        for place, wish in enumerate(state.wishes):
            if type(wish) in kinds and allows(space(play.tables, state, step), wish):
                state.wishes = (*state.wishes[:place], *state.wishes[place + 1 :])
                answer(play, step, wish)
                return
    state.stack.append(step)


def victims(tables: Tables, state: State, side: int) -> list[int]:
    """The opponents that have brass to be stolen."""
    return [foe for foe in tables.foes[side] if state.companies[foe].brass > 0]


def acquirable(tables: Tables, state: State, effect: Compiled) -> list[tuple[int, int]]:
    """Row and card of each kind of card that may be had free."""
    found: list[tuple[int, int]] = []
    for row in POOLS[effect.pool]:
        cards = sorted({card for card in state.rows[row] if card != EMPTY})
        found += [(row, card) for card in cards if tables.labor[card] + tables.construction[card] <= effect.n]
    return found


class OneSpace:
    """One of several values."""

    __slots__ = ("_make", "_name", "values")

    def __init__(self, make: Any, name: str, values: list[int]) -> None:
        self._make = make
        self._name = name
        self.values = values

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The only part."""
        return None if chosen else Part(self._name, self.values)

    def build(self, chosen: tuple[Any, ...]) -> Any:
        """The answer."""
        return self._make(chosen[0])

    def split(self, choice: Any) -> tuple[Any, ...]:
        """The value."""
        if type(choice) is not self._make:
            raise Illegal("wrong_kind", given=choice)
        return (getattr(choice, self._name),)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """No such option, target or company."""
        return f"no_such_{self._name}", {}


class MaySpace:
    """Whether an effect is to happen."""

    __slots__ = ()

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """Yes or no."""
        return None if chosen else Part("accept", (True, False))

    def build(self, chosen: tuple[Any, ...]) -> Any:
        """The answer."""
        return Accept() if chosen[0] else Decline()

    def split(self, choice: Any) -> tuple[Any, ...]:
        """Yes or no."""
        if type(choice) not in (Accept, Decline):
            raise Illegal("wrong_kind", given=choice)
        return (type(choice) is Accept,)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Yes and no are all there is."""
        return "wrong_kind", {}


class CardsSpace:
    """Cards out of some, in the order of their numbers, at least so many and at most so many."""

    __slots__ = ("_cards", "_least", "_make", "_most")

    def __init__(self, make: Any, cards: list[int], least: int, most: int) -> None:
        self._make = make
        self._cards = sorted(cards)
        self._least = least
        self._most = min(most, len(cards))

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """Another card, or no more."""
        count = len(chosen)
        if count == self._most or STOP in chosen:
            return None
        # So that as many as are needed are left after it.
        needed = self._least - count
        last = chosen[-1] if chosen else -1
        rest = list(self._cards)
        for card in chosen:
            rest.remove(card)
        rest = [card for card in rest if card >= last]
        able = rest[: len(rest) - needed + 1] if needed > 0 else rest
        values: list[Any] = sorted(set(able))
        if needed <= 0:
            values.insert(0, STOP)
        return Part("card", values) if values != [STOP] else None

    def build(self, chosen: tuple[Any, ...]) -> Any:
        """The answer."""
        return self._make(tuple(card for card in chosen if card != STOP))

    def split(self, choice: Any) -> tuple[Any, ...]:
        """The cards, and that there are no more."""
        if type(choice) is not self._make:
            raise Illegal("wrong_kind", given=choice)
        cards: tuple[Any, ...] = choice.cards
        if len(cards) < self._most and self._may_stop(cards):
            return (*cards, STOP)
        return cards

    def _may_stop(self, cards: tuple[Any, ...]) -> bool:
        """Whether a part is asked for after these cards; none is when no card is left that could follow."""
        rest = list(self._cards)
        for card in cards:
            if card not in rest:
                return False
            rest.remove(card)
        return any(card >= (cards[-1] if cards else -1) for card in rest)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Too few, not there, or out of order."""
        if value == STOP:
            return "too_few_cards", {"least": self._least}
        if value in self._cards:
            return "not_so_many", {"card": value}
        return "no_such_card", {}


class AcquireSpace:
    """A card of a row, or none; for the teammate where the extra 1 can be paid."""

    __slots__ = ("_cards", "_mates", "_rows", "_state")

    def __init__(self, tables: Tables, state: State, seat: int, effect: Compiled) -> None:
        self._state = state
        self._rows = POOLS[effect.pool]
        self._cards = acquirable(tables, state, effect)
        self._mates = tables.teams and seat == state.seat and tables.mates[seat] not in state.out

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The card, then for whom."""
        if not chosen:
            return Part("card", [STOP, *self._cards])
        if len(chosen) == 1 and chosen[0] != STOP and self._mates:
            state = self._state
            extra = state.labor if chosen[0][0] == LABOR else state.construction
            if extra:
                return Part("mate", (False, True))
        return None

    def build(self, chosen: tuple[Any, ...]) -> Any:
        """The answer."""
        if chosen[0] == STOP:
            return Decline()
        row, card = chosen[0]
        return Acquire(card, row, len(chosen) > 1 and chosen[1])

    def split(self, choice: Any) -> tuple[Any, ...]:
        """The card, and for whom where that is asked."""
        if type(choice) is Decline:
            return (STOP,)
        if type(choice) is not Acquire:
            raise Illegal("wrong_kind", given=choice)
        parts = ((choice.row, choice.card),)
        if parts[0] in self._cards and self.part(parts) is not None:
            return (*parts, choice.mate)
        if choice.mate:
            raise Illegal("cannot_pay_more" if self._mates else "no_teammate", part="mate", given=True)
        return parts

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Not in the row, or too dear to be had so."""
        row, card = value
        if row in self._rows and card in self._state.rows[row] and card != EMPTY:
            return "too_dear", {"card": card}
        return "not_in_row", {}
