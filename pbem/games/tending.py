"""What a game needs beside play, found by the sweep at its `tend_at`: a silent seat opened, a stop ended."""

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select, update

from pbem import clock
from pbem.context import Service
from pbem.games.course import Step, take
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
from pbem.voting.deciding import decide

MOST = 50
"""How much is done for one game at once; the sweep comes back for the rest."""


_LIFE = (lapse_one, offer_next, begin_if_due, leave_out, expire_one, remind_one, seat_next, call_off_if_due, decide)
"""What gives seats to people, and what they decide: each does one thing that is due, and says whether there was one."""


def tend(service: Service, game_id: int) -> bool:
    """Do what is due for the game and say when to look again; whether anything was done."""
    for done in range(MOST):
        if any(each(service, game_id) for each in _LIFE):
            continue
        with service.reading() as session:
            game = session.get_one(Game, game_id)
            step = _due(session, game)
        if step is None:
            _look_again(service, game)
            return done > 0
        take(service, game_id, game.version, step)
    return True


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
        return Step("abandoned", {}, _abandon)
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


def _look_again(service: Service, game: Game) -> None:
    """Only where nothing has happened meanwhile that asks for a look of its own."""
    with service.writing() as session:
        as_read = col(Game.id) == game.id, col(Game.version) == game.version, col(Game.tend_at) == game.tend_at
        stops = _until(game, policy_of(game)) if game.status == "playing" and not game.aside else None
        looks = (
            stops,
            next_lapse(service, session, game),
            next_look(service, session, game),
            called_off_at(session, game),
        )
        later = min(filter(None, looks), default=None)
        session.connection().execute(update(Game).where(*as_read).values(tend_at=later))
