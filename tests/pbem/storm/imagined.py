"""What a seat sees is the same in another state that it must think possible: pages, letters, choices, answers."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from random import Random
from unittest.mock import patch

from pbem import clock
from pbem.games.position import Position
from tests.pbem.games import inmemory, sights
from tests.pbem.games.worlds import imagined
from tests.pbem.world import writing
from tests.pbem.world.world import Broken

ASKING = "check\nshow orders\nhelp\nto all: see you\nend\nnot ready"


@dataclass(frozen=True)
class Still(clock.Clock):
    """A clock that stands still, so that letters can be compared to the byte."""

    at: datetime = inmemory.NOON

    def now(self) -> datetime:
        """Always the same."""
        return self.at


def compare(stands: Position, seat: int, random: Random) -> bool:
    """Whether the other state differs. Raises Broken for anything that the seat could tell it by."""
    texts = {"orders": "\n".join(writing.sheet(stands, seat, random)), "commands": ASKING}
    other = imagined(stands, seat, random)
    ticking = clock.clock()
    service = inmemory.service()
    clock.use(Still(at=clock.now()))
    try:
        with patch.object(secrets, "token_bytes", bytes), patch.object(inmemory, "NOON", clock.now()):
            seen, there = (sights.of_position(service, each, seat, texts) for each in (stands, other))
    finally:
        clock.use(ticking)
    found = sights.differences(seen, there)
    if found:
        raise Broken(f"{stands.game.code}: seat {seat} can tell by {', '.join(found)} what it may not know")
    return bool(stands.table.state != other.table.state)
