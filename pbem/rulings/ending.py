"""The end of a game before its rules end it: by agreement of its players, by a ruling, or as it goes on elsewhere."""

from typing import Any

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.position import MOVED
from pbem.rulings.authority import MOVED_ON, Actor
from pbem.rulings.record import rule
from pbem.storage.models import Game, Seat
from pbem.voting.proposals import CONCEDE, RULED

ENDED, AGREED = "ended", "ended_agreed"
"""The acts on record."""


def end_game(service: Service, code: str, how: str, seat: int | None, actor: Actor) -> None:
    """End the game with the standings as they are; the last report follows, with the secret.

    `how` is one of `pbem.voting.proposals`: a draw, a concession to `seat`, or a ruling. A game that stands still, is
    held for review or was set aside ends as well. Raises as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status != "playing":
            raise Refused("wrong_status", status=game.status)
        game.agreed = how if how != CONCEDE else f"{CONCEDE} {seat}"
        game.forced, game.settle_until = True, clock.now()
        _let_go(game)
        return {"how": how} | ({"seat": seat} if seat is not None else {})

    rule(service, code, actor, ENDED if how == RULED else AGREED, act, at_once=True)


def move_game(service: Service, code: str, actor: Actor) -> None:
    """End the game here alone, as it is played on at another house with the same secret: nothing hidden is told, ever.

    There is neither a last report nor a record of it. `pbem.rulings.deadlines.resume` takes it back. Raises as
    `end_game`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status != "playing" or game.agreed:
            raise Refused("wrong_status", status=game.status)
        game.status, game.ended = MOVED, clock.now()
        game.deadline, game.sequence = None, game.sequence + 1
        game.forced, game.settle_until = False, None
        _let_go(game)
        return {}

    rule(service, code, actor, MOVED_ON, act, at_once=True)


def _let_go(game: Game) -> None:
    """Nothing holds it any more: neither a pause, nor a review, nor that it was set aside."""
    game.held, game.held_since, game.review = "", None, False
    game.aside, game.problem, game.failures, game.not_before = False, "", 0, None
