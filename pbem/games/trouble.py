"""Work that fails: counted before it starts, and given up after as many times as the settings say.

A game that is set aside keeps everything; only its deadline stops. Its players and moderator are told that the service
is at fault, the operator gets what is needed to replay it, and all other games go on.
"""

import structlog
from sqlalchemy import bindparam, update
from sqlmodel import col

from pbem import clock
from pbem.context import Service
from pbem.games.due import may_go_on
from pbem.games.notices import fault_letters
from pbem.games.position import players_of
from pbem.letters import put
from pbem.pauses import left_alone
from pbem.storage.models import Game
from pbem.storage.sessions import AWAY_SECONDS, locked_game

log = structlog.get_logger()

PAUSES = (1.0, 5.0, 20.0)
"""Real seconds before the next attempt after a first, second, third failure."""
_BEGUN = (
    update(Game)
    .where(col(Game.id) == bindparam("game"))
    .values(failures=col(Game.failures) + 1, not_before=bindparam("until"))
)


def begin(service: Service, game_id: int) -> bool:
    """Count an attempt and take the lease on the game's work.

    False where there is nothing to do, where somebody is at it, and where it was given up just now.
    """
    with service.writing() as session:
        game = locked_game(session, game_id)
        now = clock.now()
        if not may_go_on(session, game) or (game.not_before is not None and game.not_before > now):
            return False
        given_up = game.failures >= service.settings.attempts
        if not given_up:
            until = now + clock.span(service.settings.lease_seconds)
            session.connection().execute(_BEGUN, {"game": game_id, "until": until})
    if given_up:
        set_aside(service, game_id, "failed")
    return not given_up


def failed(service: Service, game_id: int) -> None:
    """The attempt failed, and the process lives: pause, or give up."""
    with service.writing() as session:
        game = locked_game(session, game_id)
        game.not_before = clock.now() + clock.span(PAUSES[min(game.failures, len(PAUSES)) - 1])
        session.add(game)
        given_up = game.failures >= service.settings.attempts
    if given_up:
        set_aside(service, game_id, "failed")


def spare(service: Service, game_id: int) -> None:
    """The attempt failed for want of the database: it does not count, and is made again a little later.

    Written as soon as the database is there; where the process ends first, it counts as one that ended its process.
    """
    now = clock.now()
    later, longest = now + clock.span(AWAY_SECONDS), now + clock.span(service.settings.lease_seconds)

    def write() -> None:
        # Maybe not before another has begun, whose later lease stays; written twice it allows one attempt more.
        with service.writing() as session:
            game = locked_game(session, game_id)
            game.failures = max(0, game.failures - 1)
            if game.not_before is not None and game.not_before <= longest:
                game.not_before = later
            session.add(game)

    service.unwritten.keep(write)


def calm(service: Service, game_id: int) -> None:
    """The attempt came to nothing, and nothing was wrong with it."""
    with service.writing() as session:
        game = locked_game(session, game_id)
        game.failures, game.not_before = 0, None
        session.add(game)


def leave_alone(service: Service, game_id: int) -> None:
    """The attempt was not this code's to make: nothing has failed, and it is tried again only after a long pause."""
    with service.writing() as session:
        game = locked_game(session, game_id)
        now = clock.now()
        owed = min(filter(None, (game.settle_until, game.deadline)), default=now)
        game.failures, game.not_before = 0, now + clock.span(left_alone(owed))
        session.add(game)


def set_aside(service: Service, game_id: int, problem: str) -> None:
    """Give the game up for now and tell everyone, without touching its rules."""
    log.error("game_set_aside", game=game_id, problem=problem)
    with service.reading() as session:
        game = session.get(Game, game_id)
        assert game is not None
        letters = fault_letters(service, session, game, players_of(session, game_id))
    with service.writing() as session:
        game = locked_game(session, game_id)
        if game.aside:
            return
        game.aside, game.problem, game.not_before = True, problem, None
        game.version += 1
        session.add(game)
        put(session, *letters)
