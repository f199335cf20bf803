"""One call of `start` or `apply` as it goes on."""

from typing import Any

from engine.brass_empire.events import Gained, Played
from engine.brass_empire.state import State
from engine.brass_empire.tables import Tables
from engine.contract import Chance, Event


class GameOver(Exception):
    """The game is over at once, whatever was still to happen."""


class Play:
    """What all who carry out rules need: the state that they change, the tables, chance, and the events so far.

    Cards played one after the other, and what they make, are told in one event.
    """

    __slots__ = ("_cards", "_construction", "_labor", "chance", "events", "state", "tables")

    def __init__(self, tables: Tables, state: State, chance: Chance, events: list[Event]) -> None:
        self.tables = tables
        self.state = state
        self.chance = chance
        self.events = events
        self._cards: list[int] = []
        self._labor = 0
        self._construction = 0

    def tell(self, data: Any) -> None:
        """An event for everyone."""
        if self._cards or self._labor or self._construction:
            self.flush()
        self.events.append(Event(data))

    def tell_own(self, seat: int, data: Any, instead: Any) -> None:
        """An event that its seat sees whole, and who may see its hand; the others see what stands in its place."""
        if self._cards or self._labor or self._construction:
            self.flush()
        self.events.append(Event(data, self._around(seat), instead))

    def tell_beside(self, seat: int, data: Any, instead: Any = None) -> None:
        """As `tell_own`, and between no cards that are told together.

        Where among them it stood follows from what the company had in mind to play, which nobody else knows.
        """
        self.events.append(Event(data, self._around(seat), instead))

    def _around(self, seat: int) -> tuple[int, ...]:
        mate = self.tables.mates[seat] if self.tables.team_hands else -1
        return (seat,) if mate < 0 else (min(seat, mate), max(seat, mate))

    def played(self, card: int) -> None:
        """The company whose turn it is has played a card face up."""
        self._cards.append(card)

    def gain(self, labor: int, construction: int) -> None:
        """It may spend so much more until its turn ends."""
        self.state.labor += labor
        self.state.construction += construction
        self._labor += labor
        self._construction += construction

    def flush(self) -> None:
        """Tell of what was kept back."""
        labor, construction = self._labor, self._construction
        if self._cards:
            self.events.append(Event(Played(self.state.seat, tuple(self._cards), labor, construction)))
            self._cards = []
        elif labor or construction:
            self.events.append(Event(Gained(self.state.seat, labor, construction)))
        self._labor = self._construction = 0
