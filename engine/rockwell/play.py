"""One call of `start` or `apply` as it goes on."""

from typing import Any

from engine.contract import Chance, Event
from engine.rockwell.components import Tables
from engine.rockwell.state import State


class Play:
    """What all who carry out rules need: the state that they change, the tables, chance, and the events so far."""

    __slots__ = ("chance", "events", "state", "tables")

    def __init__(self, tables: Tables, state: State, chance: Chance, events: list[Event]) -> None:
        self.tables = tables
        self.state = state
        self.chance = chance
        self.events = events

    def tell(self, data: Any) -> None:
        """An event for everyone."""
        self.events.append(Event(data))
