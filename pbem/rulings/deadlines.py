"""A moderator's acts on how a game runs: its deadlines, and whether it stands still."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.due import PLAYED
from pbem.games.lifecycle import MOST_HOURS
from pbem.games.nmr import hold
from pbem.games.policy import PAUSED
from pbem.games.position import MOVED, game_row
from pbem.games.schedule import stage_end
from pbem.games.settling import settling
from pbem.rulings.authority import EXTENDED, FORCED, MOVED_BACK, Actor
from pbem.rulings.record import rule
from pbem.storage.models import Game, Seat


def extend_deadline(service: Service, code: str, hours: float, actor: Actor) -> datetime:
    """Put the deadline off by that many hours, from now where it has passed; the new one.

    Raises Refused `no_game`, `wrong_status`, `paused`, `no_reason`, `not_moderator`, `bad_hours`, `nothing_changed` for
    no time at all, `deadline_past` where it would lie behind.
    """
    check_hours(hours)

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        _check_runs(game)
        now = clock.now()
        deadline = max(game.deadline or now, now if hours > 0 else datetime.min.replace(tzinfo=now.tzinfo))
        deadline += timedelta(hours=hours)
        if deadline <= now:
            raise Refused("deadline_past")
        game.deadline, game.sequence = deadline, game.sequence + 1
        return {"until": deadline.isoformat()}

    ruling = rule(service, code, actor, EXTENDED, act, at_once=True)
    return datetime.fromisoformat(msgspec.json.decode(ruling.params)["until"])


def check_hours(hours: float) -> None:
    """Raises Refused `bad_hours`, `nothing_changed` for what no deadline can be put off by."""
    if not abs(hours) <= MOST_HOURS:
        raise Refused("bad_hours", most=MOST_HOURS)
    if not hours:
        raise Refused("nothing_changed")


def put_deadline_off(service: Service, game: Game, span: timedelta, actor: Actor) -> None:
    """Put the deadline of the game's present stage off, that long from now; the ruling names the stage.

    Raises Refused `wrong_status` where the stage has closed meanwhile, and as `extend_deadline`.
    """
    stage, deadline = (game.line, game.stage_key), clock.now() + span

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if (game.line, game.stage_key) != stage:
            raise Refused("wrong_status", status=game.status)
        game.deadline, game.sequence = deadline, game.sequence + 1
        return {"until": deadline.isoformat(), "stage": game.stage_key}

    rule(service, game.code, actor, EXTENDED, act, at_once=True)


def end_deadline(service: Service, code: str, actor: Actor) -> None:
    """Let the deadline be now: what is missing is dealt with as if it had passed. Raises as `extend_deadline`."""

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        _check_runs(game)
        # What came before this counts, and nothing that comes after it.
        now = clock.now()
        game.deadline, game.sequence = now - timedelta(seconds=game.grace_seconds), game.sequence + 1
        game.settle_until = now
        return {}

    rule(service, code, actor, "deadline_ended", act)


def force_stage(service: Service, code: str, actor: Actor) -> None:
    """Play on now with what the sheets say, whoever is not ready. Raises as `extend_deadline`."""

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        _check_runs(game)
        game.forced, game.settle_until = True, clock.now()
        return {}

    rule(service, code, actor, FORCED, act)


def pause(service: Service, code: str, actor: Actor) -> None:
    """Let the game stand still until it is taken up again: orders are kept, and no deadline runs.

    Raises Refused `paused_already` and as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status != "playing":
            raise Refused("wrong_status", status=game.status)
        if game.held == PAUSED:
            raise Refused("paused_already")
        hold(game, PAUSED)
        return {}

    rule(service, code, actor, "paused", act, at_once=True)


def resume(service: Service, code: str, actor: Actor) -> None:
    """Take up a game that was set aside, that stands still, or that was ended as one that has moved, with a whole
    stage's time to its deadline at least; or let one go on whose reports were to be looked over.

    Raises as `extend_deadline`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        held, review, has_moved = game.held, game.review, game.status == MOVED

    def release(game: Game, seats: list[Seat]) -> dict[str, Any]:
        game.review = False
        return {}

    def unhold(game: Game, seats: list[Seat]) -> dict[str, Any]:
        game.held, game.held_since, game.quiet = "", None, 0
        deadline = stage_end(game, clock.now())
        game.deadline, game.sequence = deadline, game.sequence + 1
        game.settle_until = settling(game, seats)
        return {"until": deadline.isoformat()}

    def take_back(game: Game, seats: list[Seat]) -> dict[str, Any]:
        game.status, game.ended, game.archived, game.tend_at = "playing", None, None, clock.now()
        return unhold(game, seats)

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status in PLAYED and not game.aside:
            raise Refused("goes_on")
        if not game.aside:
            raise Refused("wrong_status", status=game.status)
        game.aside, game.problem, game.failures, game.not_before = False, "", 0, None
        if game.deadline is not None:
            game.deadline = max(game.deadline, stage_end(game, clock.now()))  # none comes nearer than it was told
            game.sequence += 1
        return {}

    if has_moved:
        rule(service, code, actor, MOVED_BACK, take_back, at_once=True)
    elif review:
        rule(service, code, actor, "released", release, at_once=True)
    elif held:
        rule(service, code, actor, "unpaused", unhold, at_once=True)
    else:
        rule(service, code, actor, "resumed", act, at_once=True)


def _check_runs(game: Game) -> None:
    """Raises Refused `paused` where no deadline runs until the game is taken up again."""
    if game.held == PAUSED:
        raise Refused("paused")
