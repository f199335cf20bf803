"""A moderator's look at what is hidden."""

from typing import Any

from pbem.context import Service
from pbem.games.position import Position, game_row, position
from pbem.rulings.authority import Actor, ruler
from pbem.rulings.record import id_of, rule
from pbem.storage.models import Game, Seat


def look(service: Service, code: str, actor: Actor) -> Position:
    """The whole position, hidden things and all; every player is told of the look at once, before it is shown.

    Raises as `extend_deadline`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        ruler(session, game, actor)

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        return {}

    rule(service, code, actor, "looked", act, secret=True, at_once=True)
    with service.reading() as session:
        return position(session, id_of(game))
