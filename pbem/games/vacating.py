"""A seat loses its player: it is nobody's from now on, and its reply addresses are void."""

from collections.abc import Sequence

from pbem import clock
from pbem.games.nmr import hold
from pbem.games.policy import QUIET
from pbem.games.position import LEFT, holds
from pbem.games.settling import settling
from pbem.storage.models import Game, Seat


def vacate(game: Game, seats: Sequence[Seat], number: int) -> None:
    """In the rows of a game and its seats.

    A game without any player stands still where it has a moderator, who may find others, until it is abandoned; else it
    is given up: nobody is left to play or to read. One that is over, or has moved, stays so: as much is told of it as
    before.
    """
    seat = seats[number]
    seat.resigned, seat.generation = clock.now(), seat.generation + 1
    game.settle_until = settling(game, seats)
    game.tend_at = clock.now()  # somebody may wait for the seat
    if game.status in LEFT or any(map(holds, seats)):
        return
    if game.moderator_id is None or game.status != "playing":
        game.status, game.ended, game.deadline, game.settle_until = "cancelled", clock.now(), None, None
    elif not game.held:
        hold(game, QUIET)
