"""A deadline has passed without orders of some seats (NMR): what the game's policy does in place of playing on."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine.play import unanswered
from pbem import clock
from pbem.context import Service
from pbem.games.away import put_off
from pbem.games.course import Step, take
from pbem.games.due import past_deadline
from pbem.games.policy import ASKED, QUIET, STANDIN, WAIT, Policy, policy_of
from pbem.games.position import Position, expected, holds, numbers
from pbem.games.schedule import stage_end
from pbem.storage.models import Game, Ruling, Seat

ASKED_ACT = "nmr_asked"


def missing(position: Position) -> frozenset[int]:
    """The seats whose orders are waited for and did not come; a confirmed empty sheet is not missing."""
    waiting = numbers(position.game.waiting)
    return frozenset(seat for seat in waiting if _is_missing(position, position.seats[seat])) - position.excused


def standins_for(position: Position, silent: Iterable[int]) -> dict[int, Any]:
    """By seat the stand-in that plays this stage for it, because no orders of it came."""
    policy = policy_of(position.game)
    if policy.nmr != STANDIN:
        return {}
    earlier = {seat.number for seat in position.seats if seat.silent and not seat.sent and expected(seat)}
    bot = position.module.bots[policy.level]
    return {seat: bot(position.rules) for seat in sorted({*silent, *earlier} - position.standins.keys())}


def hold_up(service: Service, position: Position) -> bool:
    """Whether play does not go on over the deadline that has passed: the game waits, is put off, asks, or pauses.

    Not where a ruling ended the deadline or the stage, nor where the deadline waits for somebody who is away.
    """
    game, now = position.game, clock.now()
    if not past_deadline(game, now) or game.forced or game.settle_until is not None or _is_put_off(position):
        return False
    silent = missing(position)
    if game.id is None or (position.expected and not silent):
        return False
    with service.reading() as session:
        step = _step(session, position, silent)
    if step is None:
        return False
    take(service, game.id, game.version, step)  # where the game has changed meanwhile, the sweep finds it again
    return True


def nobody_sent(seats: Iterable[Seat]) -> bool:
    """Whether no player has sent anything in this stage, nor one for whom a stand-in plays."""
    return not any(seat.sent for seat in seats if holds(seat))


def _is_missing(position: Position, seat: Seat) -> bool:
    if not expected(seat) or seat.ready:
        return False
    if position.game.pace == "brisk":
        return not seat.sent
    state, sheet = position.table.state, position.sheets[seat.number]
    return bool(unanswered(position.rules, state, seat.number, sheet, position.used, position.game.pace))


def _is_put_off(position: Position) -> bool:
    game = position.game
    unready = [number for number in numbers(game.waiting) if not position.seats[number].ready]
    return put_off(game, game.deadline, unready, position.away) != game.deadline


def _step(session: Session, position: Position, silent: frozenset[int]) -> Step | None:
    game, policy = position.game, policy_of(position.game)
    nobody = nobody_sent(position.seats)
    params = {"seats": sorted(silent), "stage": game.stage_key}
    if nobody and policy.pause_after and game.quiet + 1 >= policy.pause_after:
        return _pause(params, policy)
    if not silent:
        return None  # stand-ins play for all who are left
    too_many = 100 * len(silent) > policy.ask_share * len(position.expected)
    if too_many and game.moderator_id is not None and not _was_asked(session, game):
        return Step(ASKED_ACT, params, lambda game, _: hold(game, ASKED), silent, asks=True)
    granted = frozenset(seat for seat in silent if position.seats[seat].extensions < policy.extensions)
    if granted:
        return _extend(params, policy, granted, silent)
    return _wait(params, game, nobody=nobody, silent=silent) if policy.nmr == WAIT else None


def hold(game: Game, why: str) -> None:
    """Let it stand still, with no deadline; the service looks after it from now on."""
    now = clock.now()
    game.held, game.held_since, game.tend_at = why, now, now
    game.deadline, game.settle_until, game.sequence = None, None, game.sequence + 1


def _pause(params: dict[str, Any], policy: Policy) -> Step:
    told = params | {"stages": policy.pause_after}
    if policy.abandon_days:
        told["until"] = (clock.now() + timedelta(days=policy.abandon_days)).isoformat()
    return Step("quiet_paused", told, lambda game, _: hold(game, QUIET), frozenset(params["seats"]))


def _extend(params: dict[str, Any], policy: Policy, granted: frozenset[int], silent: frozenset[int]) -> Step:
    """The deadline is put off once for all, at the cost of each who is silent and has something left."""
    until = clock.now() + timedelta(hours=policy.extension_hours)

    def change(game: Game, seats: list[Seat]) -> None:
        _move(game, until.isoformat())
        for seat in granted:
            seats[seat].extensions += 1

    return Step("nmr_extended", params | {"until": until.isoformat()}, change, silent)


def _wait(params: dict[str, Any], game: Game, *, nobody: bool, silent: frozenset[int]) -> Step:
    until = stage_end(game, clock.now()).isoformat()

    def change(game: Game, _: list[Seat]) -> None:
        _move(game, until)
        game.quiet = game.quiet + 1 if nobody else 0

    return Step("nmr_waited", params | {"until": until}, change, silent)


def _move(game: Game, until: str) -> None:
    game.deadline, game.sequence = datetime.fromisoformat(until), game.sequence + 1


def _was_asked(session: Session, game: Game) -> bool:
    """Whether its moderator was asked in this stage before: once is enough."""
    mine = col(Ruling.game_id) == game.id, col(Ruling.line) == game.line, col(Ruling.act) == ASKED_ACT
    stages = (msgspec.json.decode(each)["stage"] for each in session.exec(select(Ruling.params).where(*mine)))
    return game.stage_key in stages
