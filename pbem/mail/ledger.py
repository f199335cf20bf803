"""What became of letters after they were handed over, and who is told of those that did not arrive."""

from collections.abc import Sequence

import structlog
from sqlalchemy import and_, bindparam, case, or_, update
from sqlalchemy.sql.elements import BindParameter
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import never_again
from pbem.context import Service
from pbem.games.inbox import mark_read
from pbem.games.names import Names
from pbem.games.notices import compose, overseers, thread
from pbem.games.position import players_of, seat_row
from pbem.habits import HABITS
from pbem.letters import Envelope, finish, put
from pbem.mail.bounces import COMPLAINED, DELAYED, bounce_in
from pbem.mail.identity import Purpose
from pbem.mail.outbox import AGAIN
from pbem.storage.models import Game, Inbound, Letter, Seat

log = structlog.get_logger()

TAKEN = ("sent", "unknown", "begun")
"""Fates of letters of which a report may still come, which may be quicker than the sender's word that it was taken."""
ARRIVED = ("sent", "unknown", "withdrawn")
"""Fates by which a letter counts as delivered, as far as anybody knows."""
WAITING = "waiting"
"""What is told of a letter that no server has taken yet, beside the kinds of bounces."""
OPENING = ("report", "report-again", "story")

_IS_MARKED = col(Letter.problem).startswith(AGAIN)
_WAS_TAKEN = or_(col(Letter.fate).in_(TAKEN), and_(col(Letter.fate).in_(("queued", "claimed")), _IS_MARKED))
_SAID: BindParameter[str] = bindparam("said")
_PROBLEM = case((_IS_MARKED, f"{AGAIN} " + _SAID), else_=_SAID)
_LATE = (
    update(Letter)
    .where(col(Letter.id) == bindparam("letter"), col(Letter.fate).in_(("sent", "unknown")))
    .values(problem=_PROBLEM)
)
"""One that is about to be sent again keeps its mark alone, by which its sender goes."""
_BACK = (
    update(Letter)
    .where(col(Letter.id) == bindparam("letter"), _WAS_TAKEN)
    .values(
        problem=_PROBLEM,
        fate=bindparam("became"),
        bounced=bindparam("at"),
        lease=None,
    )
)
_OPENING_LETTER = (
    select(Letter)
    .where(
        col(Letter.game_id) == bindparam("game"),
        col(Letter.seat) == bindparam("seat"),
        col(Letter.line) == bindparam("line"),
        col(Letter.stage_key) == bindparam("stage"),
        col(Letter.kind).in_(OPENING),
    )
    .order_by(col(Letter.queued).desc())
    .limit(1)
)


def note_bounce(service: Service, inbound: Inbound, number: int) -> bool:
    """Keep what the mail reports of that letter, which marks the mail read; False where it reports nothing."""
    with service.reading() as session:
        letter = session.get(Letter, number)
        if letter is None:
            return False
        bounce = bounce_in(inbound.raw, letter.recipient)
        if bounce is None:
            return False
        gone = bounce.kind != DELAYED
        told = undelivered_letters(service, session, letter, bounce.kind, bounce.words) if gone else []
    values: dict[str, object] = {"letter": number, "said": f"{bounce.kind} {bounce.words}".strip()}
    if gone:
        values |= {"became": "complained" if bounce.kind == COMPLAINED else "bounced", "at": clock.now()}
    with service.writing() as session:
        session.connection().execute(_BACK if gone else _LATE, values)
        if bounce.kind == COMPLAINED:
            never_again(session, letter.recipient, COMPLAINED)
        mark_read(session, inbound.id)
        session.execute(update(Inbound).where(col(Inbound.id) == inbound.id).values(problem=f"bounce-{bounce.kind}"))
        put(session, *told)
    log.info("letter_bounced", letter=number, kind=bounce.kind)
    return True


def undelivered_letters(service: Service, session: Session, letter: Letter, kind: str, words: str) -> list[Letter]:
    """Tell whoever leads the game that a letter to one of its seats did not arrive; nobody of other letters."""
    if letter.game_id is None or letter.seat is None:
        return []
    game, players = session.get_one(Game, letter.game_id), players_of(session, letter.game_id)
    seat = seat_row(session, letter.game_id, letter.seat)
    if seat is None or seat.number not in players:
        return []
    made = []
    for to in overseers(service, session, game):
        if to.address == letter.recipient:
            continue
        params = {
            "title": game.title,
            "side": Names(game, to.words).seat(seat),
            "player": players[seat.number].account.name,
            "subject": letter.subject,
            "kind": kind,
            "said": words,
        }
        key = f"undelivered/{letter.id}/{to.address}"
        envelope = Envelope("undelivered", key, Purpose.NOTICE, game, thread(game))
        made.append(finish(service, envelope, to, compose("undelivered", to.words, params)))
    return made


def not_arrived(session: Session, game: Game, seats: Sequence[Seat]) -> list[Letter]:
    """Of the seats that are asked and silent, the present stage's reports that bounced or that no server has taken.

    One that waits because its player wants it so is none of those.
    """
    silent = {
        seat.number
        for seat in seats
        if seat.account_id is not None and seat.joined is not None and seat.resigned is None and not seat.standin
        if not seat.ready and not seat.sent
    }
    letters = session.exec(
        select(Letter).where(
            col(Letter.game_id) == game.id,
            col(Letter.line) == game.line,
            col(Letter.stage_key) == game.stage_key,
            col(Letter.kind).in_(OPENING),
        )
    ).all()
    reached = {letter.seat for letter in letters if letter.fate in ARRIVED or letter.problem in HABITS}
    lost = {letter.seat: letter for letter in letters if letter.seat in silent and letter.seat not in reached}
    return [lost[seat] for seat in sorted(lost, key=lambda seat: seat or 0)]


def lost_report(session: Session, game: Game, seat: Seat) -> Letter | None:
    """The seat's latest report of the present stage, if a server refused it, sent it back, or has not taken it yet."""
    here = {"game": game.id, "seat": seat.number, "line": game.line, "stage": game.stage_key}
    letter = session.exec(_OPENING_LETTER, params=here).first()
    if letter is None or letter.fate in ARRIVED:
        return None
    return letter if letter.problem not in ("", AGAIN, *HABITS) else None


def server_said(letter: Letter) -> str:
    """The words of whoever did not take it, without our mark; `BAD_ADDRESS` where none was asked."""
    return letter.problem.removeprefix(AGAIN).lstrip()
