"""Who may open the pages of a game that show what all may know: its players, and whoever leads it."""

from dataclasses import dataclass

from pbem.games.position import seat_rows
from pbem.storage.models import Game, Seat
from pbem.web.desk import led
from pbem.web.pages import me, seat_if_any, service


@dataclass(frozen=True)
class Spectator:
    """The visitor's seat, None for who leads the game without one; `told` is the last entry that they may see."""

    game: Game
    seat: Seat | None
    told: int

    @property
    def number(self) -> int | None:
        """The seat's number."""
        return self.seat.number if self.seat is not None else None


def spectator(code: str) -> Spectator:
    """The visitor as one of those; not found for anybody else.

    Who leads the game sees what some player has been told, of what all may know: that is no look at hidden things.
    """
    found = seat_if_any(code, me().id)
    if found is not None:
        return Spectator(*found, found[1].told)
    game = led(code)
    assert game.id is not None
    with service().reading() as reading:
        return Spectator(game, None, max((seat.told for seat in seat_rows(reading, game.id)), default=0))
