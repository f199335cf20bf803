"""A moderator's look at what is hidden: all players are told of it, at once, before it is shown."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbem.context import Service
from pbem.errors import Refused
from pbem.games.position import Position, game_row, numbers, position
from pbem.games.telling import Outlook, Telling
from pbem.reports.data import Report
from pbem.rulings.authority import Actor, ruler
from pbem.rulings.record import id_of, rule
from pbem.storage.models import Game, Seat

LOOKED, SEEN = "looked", "seen_as"


@dataclass(frozen=True)
class Shown:
    """What a moderator is shown of hidden things: reports as their seats would have them now.

    `version` is the game's, where they are what `send` would send.
    """

    reports: tuple[Report, ...]
    version: int | None = None


def look(service: Service, code: str, actor: Actor) -> Position:
    """The whole position, hidden things and all. Raises as `extend_deadline`."""
    with service.reading() as session:
        game = game_row(session, code)
        ruler(session, game, actor)

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        return {}

    rule(service, code, actor, LOOKED, act, secret=True, at_once=True)
    with service.reading() as session:
        return position(session, id_of(game))


def see_all(service: Service, code: str, actor: Actor) -> Shown:
    """What each seat sees now, and the orders on its sheet. Raises as `extend_deadline`."""
    stands = look(service, code, actor)
    return _seen(stands, range(len(stands.seats)))


def see_as(service: Service, code: str, number: int, actor: Actor) -> Shown:
    """What one seat sees now, and the orders on its sheet. Raises Refused `no_seat`, and as `extend_deadline`."""

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status != "playing":
            raise Refused("wrong_status", status=game.status)
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        return {"seat": number}

    ruling = rule(service, code, actor, SEEN, act, secret=True, at_once=True)
    with service.reading() as session:
        return _seen(position(session, ruling.game_id), [number])


def _seen(stands: Position, seats: Iterable[int]) -> Shown:
    game = stands.game
    stage = stands.rules.stage(stands.table.state, game.pace)
    is_over = stands.rules.pending(stands.table.state) is None
    outlook = Outlook(stage, numbers(game.waiting), game.deadline, closed=False, over=is_over, sheets=stands.sheets)
    telling = Telling(stands, (), outlook, ())
    return Shown(tuple(telling.report(seat) for seat in seats))
