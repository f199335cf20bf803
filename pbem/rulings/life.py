"""A moderator's acts on a game as a whole: its start, and what it does when no orders come."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import start
from pbem.games.policy import changed, encode, policy_of
from pbem.games.position import game_row, numbers, players_of
from pbem.games.rules import module_of
from pbem.games.schedule import changed as changed_schedule
from pbem.games.schedule import schedule_of, set_schedule, stage_end, written
from pbem.rulings.authority import Actor, ruler
from pbem.rulings.record import id_of, rule, ruling_on
from pbem.storage.models import Account, Game, Seat

KEEP, ANEW = "keep", "anew"
DEADLINES = (KEEP, ANEW)
"""What becomes of the deadline that the game has when its schedule is another: it stays, or is set anew."""


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


def settings_written(text: str) -> dict[str, str]:
    """Settings as a form has them, NAME=VALUE each in a line. Raises Refused `setting_line`."""
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.split("\n"))):
        name, mark, value = line.partition("=")
        if not mark or name.strip() in found:
            raise Refused("setting_line", given=line[:60])
        found[name.strip()] = value
    return found


def change_schedule(service: Service, code: str, given: Mapping[str, str], actor: Actor, deadline: str = KEEP) -> None:
    """Change when the game's stages may end; `given` are settings as written, `deadline` is one of `DEADLINES`.

    A deadline that is set anew is that which the stage would have had from its opening, but leaves half of a stage's
    time from now at least. Raises Refused `nothing_changed`, `bad_choice`, `paused` where there is no deadline to be
    set anew, what `pbem.games.schedule.changed` raises, and as `extend_deadline`.
    """
    if deadline not in DEADLINES:
        raise Refused("bad_choice", given=deadline, known=", ".join(DEADLINES))
    with service.reading() as session:
        game = game_row(session, code)
        players = players_of(session, id_of(game))
        people = [players[seat].account for seat in numbers(game.waiting) if seat in players]

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        before = schedule_of(game)
        after = changed_schedule(before, given)
        if after == before:
            raise Refused("nothing_changed")
        set_schedule(game, after)
        values = written(after)
        params = {"schedule": ", ".join(f"{name}={values[name]}" for name in given)}
        return params | (_anew(game, people) if deadline == ANEW else {})

    rule(service, code, actor, "schedule_changed", act, at_once=True)


def _anew(game: Game, people: Sequence[Account]) -> dict[str, Any]:
    """The stage's deadline by the schedule as it is now, in the game's row."""
    if game.deadline is None:
        raise Refused("paused")
    latest = clock.now() - timedelta(seconds=game.stage_seconds // 2)
    game.deadline = stage_end(game, max(game.opened or latest, latest), people)
    game.sequence += 1
    return {"until": game.deadline.isoformat()}
