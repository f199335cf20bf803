"""What a game needs beside play, found by the sweep at its `tend_at`: a silent seat opened, a stop ended.

Each part of it fails by itself: it is counted, and tried again after a pause, and all others are done meanwhile.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from sqlmodel import Session, col, select, update

from engine.errors import UnknownRules, UnknownVersion
from pbem import chores, clock
from pbem.context import Service
from pbem.door import TEND
from pbem.games.course import ABANDONED, Step, take
from pbem.games.due import GRACE_SECONDS
from pbem.games.gathering import seat_next
from pbem.games.guests import begin_if_due, expire_one, leave_out, next_look, remind_one
from pbem.games.offering import lapse_one, next_lapse, offer_next
from pbem.games.policy import ASKED, QUIET, STANDIN, Policy, policy_of
from pbem.games.position import expected, seat_rows
from pbem.games.schedule import stage_end
from pbem.games.ungathered import call_off_if_due, called_off_at
from pbem.games.vacating import vacate
from pbem.storage.models import Game, Seat, Submission
from pbem.storage.sessions import AWAY
from pbem.voting.deciding import decide

log = structlog.get_logger()

MOST = 50
"""How much is done for one game at once; the sweep comes back for the rest."""


def tend(service: Service, game_id: int) -> bool:
    """Do what is due for the game and say when to look again; whether anything was done."""
    with service.reading() as session:
        tried = chores.next_tries(session, _PARTS, game_id)
    for done in range(MOST):
        began = clock.now()
        with service.reading() as session:
            game = session.get_one(Game, game_id)
        if not any(
            _does(service, game_id, name, tried) for name in _PARTS if name not in tried or tried[name] <= began
        ):
            _look_again(service, game, began, tried.values())
            return done > 0
    return True


def _does(service: Service, game_id: int, name: str, tried: dict[str, datetime]) -> bool:
    """Whether that part of tending has done something. `tried` has the next try of each that failed, and is kept."""
    try:
        is_done = _PARTS[name](service, game_id)
    except (UnknownVersion, UnknownRules, SoftTimeLimitExceeded, *AWAY):
        raise  # nothing is wrong with this part more than with the others
    except Exception as error:
        log.error("tending_failed", part=name, game=game_id, kind=type(error).__name__)  # noqa: TRY400 - may quote it
        tried[name] = chores.stumbled(service, name, game_id)
        return False
    if tried.pop(name, None) is not None:
        chores.done(service, name, game_id)
    return is_done


def _take_step(service: Service, game_id: int) -> bool:
    """Take a step in the game's course that is due; whether there was one."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        step = _due(session, game)
    if step is not None:
        take(service, game_id, game.version, step)
    return step is not None


def _due(session: Session, game: Game) -> Step | None:
    if game.status != "playing" or game.aside or game.id is None:
        return None
    policy, now = policy_of(game), clock.now()
    for seat in seat_rows(session, game.id):
        if expected(seat) and policy.open_after and seat.missed >= policy.open_after:
            return _open_seat(seat, policy)
    if game.deadline is not None or game.held not in (ASKED, QUIET):
        return None
    if _was_heard(session, game):
        until = stage_end(game, now).isoformat()
        return Step("taken_up", {"until": until}, lambda game, _: _go_on(game, until))
    later = _until(game, policy)
    if later is None or later > now:
        return None
    if game.held == QUIET:
        return Step(ABANDONED, {}, _abandon)
    passed = (now - clock.span(GRACE_SECONDS)).isoformat()
    return Step("asked_in_vain", {}, lambda game, _: _go_on(game, passed))


def _until(game: Game, policy: Policy) -> datetime | None:
    """When a stop ends by itself."""
    if game.held_since is None or game.deadline is not None:
        return None
    if game.held == ASKED and policy.ask_hours:
        return game.held_since + timedelta(hours=policy.ask_hours)
    if game.held == QUIET and policy.abandon_days:
        return game.held_since + timedelta(days=policy.abandon_days)
    return None


def _was_heard(session: Session, game: Game) -> bool:
    """Whether a player has acted since the game stands still."""
    mine = col(Submission.game_id) == game.id, col(Submission.acted).is_(True)
    query = select(Submission.id).where(*mine, col(Submission.stored) >= game.held_since).limit(1)
    return session.exec(query).first() is not None


def _go_on(game: Game, deadline: str) -> None:
    game.held, game.held_since, game.quiet = "", None, 0
    game.deadline, game.sequence = datetime.fromisoformat(deadline), game.sequence + 1


def _open_seat(seat: Seat, policy: Policy) -> Step:
    """The seat is nobody's, and waits for another player; its old reply addresses are void."""
    number = seat.number
    params: dict[str, Any] = {"seat": number, "stages": seat.missed}

    def change(game: Game, seats: list[Seat]) -> None:
        if policy.nmr == STANDIN:
            seats[number].standin = policy.level
        vacate(game, seats, number)

    return Step("seat_opened", params, change)


def _abandon(game: Game, _: list[Seat]) -> None:
    game.status, game.ended, game.deadline, game.settle_until = "cancelled", clock.now(), None, None


def _look_again(service: Service, game: Game, began: datetime, tries: Collection[datetime]) -> None:
    """Only where nothing has happened since `game` was read that asks for a look of its own.

    What was due when the parts `began` and is not done is for one that rests, to the first of `tries`.
    """
    with service.writing() as session:
        as_read = col(Game.id) == game.id, col(Game.version) == game.version, col(Game.tend_at) == game.tend_at
        stops = _until(game, policy_of(game)) if game.status == "playing" and not game.aside else None
        looks = (
            stops,
            next_lapse(service, session, game),
            next_look(service, session, game),
            called_off_at(session, game),
        )
        later = min((at for at in (*looks, *tries) if at is not None and at > began), default=None)
        session.connection().execute(update(Game).where(*as_read).values(tend_at=later))


_LIFE = (lapse_one, offer_next, begin_if_due, leave_out, expire_one, remind_one, seat_next, call_off_if_due, decide)
"""What gives seats to people, and what they decide."""
_PARTS: Mapping[str, Callable[[Service, int], bool]] = {
    f"{TEND}.{part.__name__.strip('_')}": part for part in (*_LIFE, _take_step)
}
"""By the names that their failures are counted by. Each does one thing that is due, and says whether there was one."""
