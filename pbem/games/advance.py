"""Play goes on: read without a transaction, resolve and compose without one, write in one short one.

If anything happened to the game in between (its version says so), nothing is written and the work starts anew.
"""

import structlog
from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine.errors import UnknownRules, UnknownVersion
from pbem.context import Service
from pbem.errors import Busy
from pbem.games import trouble
from pbem.games.due import may_go_on
from pbem.games.nmr import hold_up
from pbem.games.notices import Gone, absence_letters
from pbem.games.position import game_of, players_of, position, seat_rows
from pbem.games.posting import post
from pbem.games.recording import note_of
from pbem.games.resolve import Outcome, begin, resolve
from pbem.games.telling import Telling
from pbem.games.undelivered import put_off
from pbem.games.writing import write
from pbem.storage.models import Letter, Ruling
from pbem.storage.sessions import AWAY

log = structlog.get_logger()

TRIES = 20
_UNTOLD = (
    select(Ruling).where(col(Ruling.game_id) == bindparam("game"), col(Ruling.told) == "").order_by(col(Ruling.number))
)


def advance(service: Service, game_id: int) -> bool:
    """Take the game as far as it may go now; whether anything was written.

    Attempts are counted before the work starts, so that one that ends the process counts too; after as many as the
    settings allow the game is set aside. Raises what the rules raise, Busy, and AWAY, which does not count.
    """
    if not trouble.begin(service, game_id):
        return False
    try:
        for _ in range(TRIES):
            read = _read(service, game_id)
            if read is None:
                trouble.calm(service, game_id)
                return False
            version, outcome, rulings = read
            telling = Telling(outcome.position, outcome.records, outcome.outlook, rulings)
            posted = post(service, telling, outcome.asked)
            posted.letters += _waited_for(service, outcome)
            if write(service, version, outcome, posted, rulings):
                return True
    except (UnknownVersion, UnknownRules):
        # Played by newer code, or by rules that are not installed here: another worker's, or for after an upgrade.
        log.warning("game_left_alone", game=game_id)
        trouble.leave_alone(service, game_id)
        return False
    except AWAY:
        trouble.spare(service, game_id)
        raise
    except Exception as error:
        # The text of the exception may hold hidden things: its kind and the journal are enough.
        log.error("advance_failed", game=game_id, kind=type(error).__name__)  # noqa: TRY400
        trouble.failed(service, game_id)
        raise
    trouble.failed(service, game_id)
    raise Busy


def _read(service: Service, game_id: int) -> tuple[int, Outcome, list[Ruling]] | None:
    """The game's version and what comes of it; None where there is nothing to do after all."""
    with service.reading() as session:
        game = game_of(session, game_id)
        if game is None or not may_go_on(session, game):
            return None
        version, starting = game.version, game.status == "starting"
        rulings = untold(session, game_id)
        if starting:
            seats, players = seat_rows(session, game_id), players_of(session, game_id)
        else:
            stands = position(session, game_id)
    if not starting and (put_off(service, game) or hold_up(service, stands)):
        return None
    if not starting:
        return version, resolve(stands), rulings
    outcome = begin(game, seats, players, [note_of(ruling) for ruling in rulings])
    for ruling, record in zip(rulings, outcome.records[1:], strict=True):
        ruling.entry = record.entry.number
    return version, outcome, rulings


def _waited_for(service: Service, outcome: Outcome) -> list[Letter]:
    """Where a deadline was put off because of who is away, all others are told."""
    if not outcome.put_off:
        return []
    stands, game = outcome.position, outcome.position.game
    until = {seat: away for seat in outcome.outlook.waiting for away in stands.away.get(seat, ())[:1]}
    with service.reading() as session:
        return [
            letter
            for seat, away in until.items()
            for letter in absence_letters(
                service,
                session,
                game,
                Gone(stands.seats[seat], away, outcome.outlook.deadline),
                stands.players,
                f"put-off/{game.sequence}",
            )
        ]


def untold(session: Session, game_id: int) -> list[Ruling]:
    """The rulings that the next report is to tell of."""
    return list(session.exec(_UNTOLD, params={"game": game_id}))
