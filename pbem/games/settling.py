"""When play goes on without a deadline: once all who are waited for are ready, after the settling time."""

from collections.abc import Sequence, Set
from datetime import datetime, timedelta

from pbem import clock
from pbem.games.due import past_deadline
from pbem.games.policy import PAUSED
from pbem.games.position import expected, numbers
from pbem.games.schedule import not_before
from pbem.storage.models import Game, Seat


def settling(game: Game, seats: Sequence[Seat]) -> datetime | None:
    """From when play goes on as things stand, None while somebody is waited for. One that is set already stays."""
    return settling_with(game, seats, {seat.number for seat in seats if seat.ready})


def settling_with(game: Game, seats: Sequence[Seat], ready: Set[int]) -> datetime | None:
    """The same if these seats were ready."""
    if game.held == PAUSED:
        return None
    if game.status != "playing" or game.forced or past_deadline(game, clock.now()):
        return game.settle_until
    waiting = numbers(game.waiting)
    if any(expected(seats[number]) and number not in ready for number in waiting):
        return None
    if game.settle_until is not None:
        return game.settle_until
    settled, earliest = clock.now() + timedelta(seconds=game.settling_seconds), not_before(game)
    return settled if earliest is None else max(settled, earliest)
