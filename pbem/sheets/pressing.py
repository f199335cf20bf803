"""Whom press goes to."""

from engine.orders.shape import Command
from pbem.games.position import Position, holds


def readers(position: Position, writer: int, command: Command) -> list[int]:
    """The seats that a message goes to: those with a player, never back to its writer."""
    to = command.params["to"]
    named = range(len(position.seats)) if to == ["all"] else [seat for seat in to if isinstance(seat, int)]
    others = [seat for seat in named if seat != writer and seat in position.players]
    return [seat for seat in others if holds(position.seats[seat])]
