"""The end of a game before its rules end it: by agreement of its players, or by a ruling."""

from typing import Any

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.rulings.authority import Actor
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
        game.held, game.held_since, game.review = "", None, False
        game.aside, game.problem, game.failures, game.not_before = False, "", 0, None
        return {"how": how} | ({"seat": seat} if seat is not None else {})

    rule(service, code, actor, ENDED if how == RULED else AGREED, act, at_once=True)
