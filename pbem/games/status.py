"""What a player's games look like at a glance: public facts and the player's own readiness."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.games.position import numbers
from pbem.games.rules import setup_of
from pbem.reports.game import game_words
from pbem.storage.models import Game, Seat
from pbem.words import Words


@dataclass(frozen=True)
class Row:
    """One game of a player's."""

    code: str
    title: str
    side: str
    stage: str
    deadline: datetime | None
    ready: bool
    waiting: list[str]
    over: bool
    status: str
    aside: bool


def status_rows(session: Session, account_id: int, words: Words) -> list[Row]:
    """The games in which an account has a seat, those that are played first, the newest first."""
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Seat.account_id) == account_id, col(Seat.resigned).is_(None), col(Game.status) != "cancelled")
        .order_by(col(Game.status) == "over", col(Game.id).desc())
    )
    return [_row(game, seat, _ready(session, game), words) for game, seat in rows]


def _ready(session: Session, game: Game) -> frozenset[int]:
    query = select(Seat.number).where(col(Seat.game_id) == game.id, col(Seat.ready).is_(True))
    return frozenset(session.exec(query))


def _row(game: Game, seat: Seat, ready: frozenset[int], words: Words) -> Row:
    said = game_words(game.rules, setup_of(game), words.language)
    return Row(
        code=game.code,
        title=game.title,
        side=said.seat(seat.number),
        stage=said.name("stage", game.stage_key.partition("-")[2]) if game.stage_key else "",
        deadline=game.deadline,
        ready=seat.ready,
        waiting=[said.seat(number) for number in numbers(game.waiting) if number not in ready],
        over=game.status == "over",
        status=game.status,
        aside=game.aside,
    )
