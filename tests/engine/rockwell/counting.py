"""What an onlooker who reads events alone can count: tiles and bribery tiles."""

from collections.abc import Iterable

from engine.contract import Event
from engine.rockwell.components import Tables
from engine.rockwell.events import Bribed, Extracted, TurnEnded
from engine.rockwell.state import State


class Counting:
    """Tiles that were extracted, and bribery tiles that were used in the turn."""

    def __init__(self, tables: Tables) -> None:
        self._bribery = tables.bribery_tiles
        self._extracted: set[int] = set()
        self._twice = False
        self._used = 0

    def read(self, events: Iterable[Event]) -> None:
        """Count what happened."""
        for event in events:
            if isinstance(event.data, Extracted):
                self._twice = self._twice or event.data.tile in self._extracted
                self._extracted.add(event.data.tile)
            elif isinstance(event.data, Bribed):
                self._used += 1
            elif isinstance(event.data, TurnEnded):
                self._used = 0

    def wrong(self, state: State) -> Iterable[str]:
        """What does not agree with a state, by code."""
        if self._twice:
            yield "extracted_twice"
        if self._extracted != {tile for tile, back in enumerate(state.back) if back >= 0}:
            yield "extracted_or_revealed"
        if state.bribery + self._used != self._bribery:
            yield "bribery_tiles"
