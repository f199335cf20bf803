"""Another world for the whole service: wherever it reads a game, it finds what a seat must think possible as well."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from types import FunctionType
from typing import Any

import msgspec
import pytest
from sqlmodel import Session, col, select

from engine.chance import RandomChance
from engine.contract import Event
from engine.orders.sheet import Sheet
from engine.table import Table
from pbem.games.earlier import table_after
from pbem.games.position import Position, position, position_of, stored_events
from pbem.sheets.stored import encode_sheet
from pbem.storage.models import Seat
from tests.pbem.games.worlds import ANY, GAMES
from tests.pbem.playing import Match


@dataclass
class World:
    """The game as it may be, for a seat: now, at any earlier step, and in what others alone were told.

    `reads` counts how often the service has looked, by what it looked for: a page that does not is not compared.
    """

    now: Position
    seat: int
    random: Random
    reads: Counter[str] = field(default_factory=Counter)

    def position(self, *_: object) -> Position:
        """In place of a game's position."""
        self.reads["positions"] += 1
        return self.now

    def table_after(self, session: Session, stands: Position, number: int) -> Table:
        """Another state that the seat thought possible then."""
        self.reads["earlier tables"] += 1
        table = table_after(session, stands, number)
        table.state = table.rules.imagine(table.rules.view(table.state, self.seat), RandomChance(self.random))
        return table

    def stored_events(self, stored: bytes) -> list[Event]:
        """The same for all to see and for the seat; for the others something else."""
        self.reads["events"] += 1
        return [self._other(event) for event in stored_events(stored)]

    def _other(self, event: Event) -> Event:
        if event.seats is None or self.seat in event.seats:
            return event
        rules = self.now.rules
        hidden = GAMES.get(self.now.game.rules, ANY)
        data = hidden.event(msgspec.convert(event.data, rules.event_type), self.random)
        return msgspec.structs.replace(event, data=msgspec.to_builtins(data))


@contextmanager
def moved_to(world: World, match: Match) -> Iterator[None]:
    """For the time of a block, also for what names are bound to in any module; nobody else's sheet is there."""
    instead: dict[Callable[..., Any], Callable[..., Any]] = {
        position: world.position,
        position_of: world.position,
        table_after: world.table_after,
        stored_events: world.stored_events,
    }
    with pytest.MonkeyPatch.context() as patched, _sheets_of_others_gone(match, world.seat):
        for module in [each for name, each in sys.modules.items() if name.startswith("pbem.")]:
            for name, value in list(vars(module).items()):
                if isinstance(value, FunctionType) and value in instead:
                    patched.setattr(module, name, instead[value])
        yield


@contextmanager
def _sheets_of_others_gone(match: Match, seat: int) -> Iterator[None]:
    with match.service.writing() as session:
        kept = {row.number: row.sheet for row in _others(session, match, seat)}
        for row in _others(session, match, seat):
            row.sheet = encode_sheet(Sheet())
    yield
    with match.service.writing() as session:
        for row in _others(session, match, seat):
            row.sheet = kept[row.number]


def _others(session: Session, match: Match, seat: int) -> list[Seat]:
    return list(session.exec(select(Seat).where(col(Seat.game_id) == match.id, col(Seat.number) != seat)))
