"""The archive: games that are over or have moved, kept whole and out of the lists."""

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.position import LEFT, game_row
from pbem.rulings.authority import Actor, leader
from pbem.rulings.record import id_of
from pbem.storage.models import Game
from pbem.storage.sessions import locked_game


def archive(service: Service, code: str, actor: Actor) -> None:
    """Put a game that is over, or has moved, away. Once it is, nothing changes.

    It is no ruling, for nothing of the game changes. Raises Refused `no_game`, `not_moderator`, and
    `wrong_status` for a game that is still played here.
    """
    game = _led(service, code, actor)
    if game.status not in LEFT:
        raise Refused("wrong_status", status=game.status)
    with service.writing() as session:
        game = locked_game(session, id_of(game))
        game.archived = game.archived or clock.now()
        session.add(game)


def restore(service: Service, code: str, actor: Actor) -> None:
    """Take a game back into the lists. Raises as `archive` does."""
    game = _led(service, code, actor)
    # An earlier release left games there that were taken up again.
    if game.status not in LEFT and game.archived is None:
        raise Refused("wrong_status", status=game.status)
    with service.writing() as session:
        game = locked_game(session, id_of(game))
        game.archived = None
        session.add(game)


def _led(service: Service, code: str, actor: Actor) -> Game:
    with service.reading() as session:
        game = game_row(session, code)
        leader(session, game, actor)
    return game
