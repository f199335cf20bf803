"""A deadline is put off, once a stage, for a player whose report did not arrive."""

from datetime import timedelta

import msgspec
import structlog
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.due import past_deadline
from pbem.games.notices import spoken
from pbem.games.position import seat_rows
from pbem.letters import BAD_ADDRESS, put
from pbem.mail.ledger import not_arrived, server_said, undelivered_letters
from pbem.rulings.authority import EXTENDED, Actor
from pbem.rulings.deadlines import put_deadline_off
from pbem.storage.models import Game, Letter, Ruling
from pbem.words import Words

log = structlog.get_logger()


def put_off(service: Service, game: Game) -> bool:
    """Put the deadline off where it has passed over a player who could not know of it; whether it was.

    `game` is the row as play is about to go on from it.

    Everyone is told by a ruling of the operator's, and whoever leads the game of the letters that did not arrive.
    """
    hours = service.settings.undelivered_hours
    if not hours or game.id is None or game.status != "playing" or game.forced:
        return False
    if not past_deadline(game, clock.now()):
        return False
    words = Words.of(service.settings.language, service.settings.time_zone)
    with service.reading() as session:
        if _was_put_off(session, game):
            return False
        lost = not_arrived(session, game, seat_rows(session, game.id))
        letters = [made for each in lost for made in undelivered_letters(service, session, each, *_why(each))]
        names = [spoken(game, words).seat(letter.seat) for letter in lost if letter.seat is not None]
    if not lost:
        return False
    reason = words.gettext("The report did not arrive: %(sides)s.") % {"sides": ", ".join(names)}
    try:
        # One commit: once the ruling is there, nobody would write the letters any more.
        put_deadline_off(service, game, timedelta(hours=hours), Actor(reason, noted=lambda now: put(now, *letters)))
    except Refused:
        return False  # the stage has closed meanwhile
    log.info("deadline_put_off", game=game.id, letters=len(lost))
    return True


def _was_put_off(session: Session, game: Game) -> bool:
    """Whether this was done in this stage before."""
    same = col(Ruling.game_id) == game.id, col(Ruling.line) == game.line, col(Ruling.act) == EXTENDED
    stages = (msgspec.json.decode(each).get("stage") for each in session.exec(select(Ruling.params).where(*same)))
    return game.stage_key in stages


def _why(letter: Letter) -> tuple[str, str]:
    """What became of a letter, for whoever leads the game."""
    if letter.problem == BAD_ADDRESS:
        return BAD_ADDRESS, ""
    if letter.fate == "bounced":
        kind, _, said = letter.problem.partition(" ")
        return kind, said
    return (
        "hard" if letter.fate == "failed" else "complained" if letter.fate == "complained" else "waiting"
    ), server_said(letter)
