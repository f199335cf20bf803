"""Answers to the questions that an act may bring up, said with the act."""

from typing import Any

from engine.brass_empire import asks
from engine.brass_empire.asks import STOP
from engine.brass_empire.choices import Dismiss
from engine.brass_empire.state import Asking, State
from engine.brass_empire.tables import Tables
from engine.contract import Part
from engine.errors import Illegal


class Wishes:
    """Answers, said ahead, to the questions that an act may bring up; `playing` are cards that leave the hand by it.

    Questions of a kind are answered in their order: a later one only if an earlier one is.
    """

    __slots__ = ("_asked", "_playing", "_state", "_tables")

    def __init__(self, tables: Tables, state: State, asked: list[tuple[int, bool]], playing: tuple[int, ...]) -> None:
        self._tables = tables
        self._state = state
        self._asked = asked
        self._playing = playing

    def _of(self, index: int) -> Any:
        """What may be answered to a question, as things stand."""
        tables, state = self._tables, self._state
        company = state.companies[state.seat]
        number, may = self._asked[index]
        effect = tables.effects[number]
        if not may and effect.do == "dismiss":
            hand = company.hand[:]
            for card in self._playing:
                if card in hand:
                    hand.remove(card)
            return asks.CardsSpace(Dismiss, [*hand, *company.discard], 0, effect.n)
        return asks.space(tables, state, Asking(state.seat, number, -1, may))

    def _kinds(self, index: int) -> tuple[type, ...]:
        return asks.kind(self._tables, *self._asked[index])

    def _values(self, used: list[int]) -> list[Any]:
        """No more, or a question after those answered, every earlier one of whose kind is answered too."""
        values: list[Any] = [STOP]
        open_: set[tuple[type, ...]] = set()
        for index in range(len(self._asked)):
            kinds = self._kinds(index)
            if index in used or kinds in open_:
                continue
            open_.add(kinds)
            part = self._of(index).part(()) if not used or index > used[-1] else None
            if part is not None and part.values:
                values.append(index)
        return values

    def part(self, said: tuple[Any, ...]) -> Part | None:
        """The next question, or the next part of an answer."""
        used: list[int] = []
        at = 0
        while at < len(said):
            if said[at] == STOP:
                return None
            space = self._of(said[at])
            used.append(said[at])
            start = at = at + 1
            while True:
                part: Part | None = space.part(said[start:at])
                if part is None:
                    break
                if at == len(said):
                    return part
                at += 1
        values = self._values(used)
        return Part("wish", values) if len(values) > 1 else None

    def build(self, said: tuple[Any, ...]) -> tuple[Any, ...]:
        """The wishes."""
        wishes = []
        at = 0
        while at < len(said) and said[at] != STOP:
            space = self._of(said[at])
            start = at = at + 1
            while space.part(said[start:at]) is not None:
                at += 1
            wishes.append(space.build(said[start:at]))
        return tuple(wishes)

    def split(self, wishes: tuple[Any, ...]) -> tuple[Any, ...]:
        """The questions that the wishes answer, each the first of its kind that is open, and the answers' parts."""
        said: list[Any] = []
        used: list[int] = []
        for wish in wishes:
            index = next(
                (index for index in range(len(self._asked)) if index not in used and type(wish) in self._kinds(index)),
                -1,
            )
            if index < 0 or (used and index < used[-1]) or index not in self._values(used):
                raise Illegal("wish_unasked", part="wish", given=wish)
            space = self._of(index)
            used.append(index)
            parts = space.split(wish)
            said += [index, *parts]
            if not _whole(space, parts):
                return tuple(said)
        if len(self._values(used)) > 1:
            said.append(STOP)
        return tuple(said)


def _whole(space: Any, parts: tuple[Any, ...]) -> bool:
    """Whether the parts are legal; of those that are not the first is told."""
    for place, value in enumerate(parts):
        part = space.part(parts[:place])
        if part is None or value not in part.values:
            return False
    return space.part(parts) is None
