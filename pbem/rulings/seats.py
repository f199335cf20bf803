"""A moderator's acts on who plays a seat."""

from typing import Any

from pbem import clock
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.lifecycle import check_level
from pbem.games.position import expected, game_row, numbers, position
from pbem.games.rules import module_of
from pbem.games.settling import settling
from pbem.games.telling import asks_of
from pbem.rulings.authority import Actor
from pbem.rulings.record import id_of, rule
from pbem.storage.models import Game, Seat


def stand_in(service: Service, code: str, number: int, level: str, actor: Actor) -> None:
    """Let a stand-in of that level play a seat from now on, for its player or where it has none.

    What the seat's sheet says comes first, and its player goes on getting reports; what the sheet does not answer the
    stand-in does, and the game does not wait. Raises Refused `no_seat`, `unknown_level`, `standin_already`, and as
    `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        check_level(module_of(game), level)
        if seats[number].standin == level:
            raise Refused("standin_already", level=level)
        seats[number].standin = level
        _wait_for(game, set(numbers(game.waiting)) - {number})
        game.settle_until = settling(game, seats)
        return {"seat": number, "level": level}

    rule(service, code, actor, "standin_set", act, at_once=True)


def give_back(service: Service, code: str, number: int, actor: Actor) -> None:
    """End what a stand-in does for a seat: its player, if it has one, is waited for again.

    Raises Refused `no_seat`, `no_standin` where none plays it, and as `extend_deadline`; and Busy.
    """
    with service.reading() as session:
        game = game_row(session, code)
        asked = game.status == "playing" and number in asks_of(position(session, id_of(game)))
    version = game.version

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        if not seats[number].standin:
            raise Refused("no_standin")
        if game.version != version:
            raise Busy  # whether the seat is asked now may be another thing
        seats[number].standin = ""
        if asked and expected(seats[number]):
            _ask_again(game, seats, number)
        return {"seat": number}

    rule(service, code, actor, "standin_ended", act, at_once=True)


def _ask_again(game: Game, seats: list[Seat], number: int) -> None:
    """At the brisk pace it is one more seat to wait for; at the strict one play itself finds that it is, and asks."""
    if game.pace == "brisk":
        _wait_for(game, {*numbers(game.waiting), number})
        game.settle_until = settling(game, seats)
    else:
        game.settle_until = clock.now()


def _wait_for(game: Game, seats: set[int]) -> None:
    game.waiting = ",".join(map(str, sorted(seats)))
