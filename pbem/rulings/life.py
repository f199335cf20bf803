"""A moderator's acts on a game as a whole: its start, and what it does when no orders come."""

from collections.abc import Mapping
from typing import Any

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import start
from pbem.games.policy import changed, encode, policy_of
from pbem.games.position import game_row
from pbem.games.rules import module_of
from pbem.games.schedule import changed as changed_schedule
from pbem.games.schedule import schedule_of, set_schedule, written
from pbem.rulings.authority import Actor, ruler
from pbem.rulings.record import rule, ruling_on
from pbem.storage.models import Game, Seat


def start_game(service: Service, code: str, actor: Actor) -> None:
    """Begin with those who have joined; told in the first report.

    Raises Refused `no_game`, `wrong_status`, `no_reason`, `not_moderator`, `all_not_joined` where nobody has.
    """
    with service.reading() as session:
        account = ruler(session, game_row(session, code), actor)
    start(service, code, lambda game: ruling_on(game, account, actor, "started", {}))


def change_policy(service: Service, code: str, given: Mapping[str, str], actor: Actor) -> None:
    """Change what the game does when no orders come; `given` are settings as written.

    Raises Refused `nothing_changed`, what `pbem.games.policy.changed` raises, and as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        before = policy_of(game)
        after = changed(before, given, module_of(game).bots)
        if after == before:
            raise Refused("nothing_changed")
        game.policy, game.tend_at = encode(after), clock.now()
        return {"policy": ", ".join(f"{name}={getattr(after, name)}" for name in given)}

    rule(service, code, actor, "policy_changed", act, at_once=True)


def change_schedule(service: Service, code: str, given: Mapping[str, str], actor: Actor) -> None:
    """Change when the game's stages may end, from the next deadline on; `given` are settings as written.

    Raises Refused `nothing_changed`, what `pbem.games.schedule.changed` raises, and as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        before = schedule_of(game)
        after = changed_schedule(before, given)
        if after == before:
            raise Refused("nothing_changed")
        set_schedule(game, after)
        values = written(after)
        return {"schedule": ", ".join(f"{name}={values[name]}" for name in given)}

    rule(service, code, actor, "schedule_changed", act, at_once=True)
