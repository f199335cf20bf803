"""What a player's games look like at a glance: public facts and the player's own readiness."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.games.names import Names
from pbem.games.position import numbers, seat_rows
from pbem.storage.models import Game, Seat
from pbem.words import Words


@dataclass(frozen=True)
class Row:
    """One game of a player's. `installed`: whether its rules are; if not, sides and stages have their stored names."""

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
    installed: bool


def status_rows(session: Session, account_id: int, words: Words) -> list[Row]:
    """The games in which an account has a seat, those that are played first, the newest first."""
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Seat.account_id) == account_id, col(Seat.resigned).is_(None), col(Game.status) != "cancelled")
        .order_by(col(Game.status) == "over", col(Game.id).desc())
    )
    return [_row(game, seat, seat_rows(session, seat.game_id), words) for game, seat in rows]


def _row(game: Game, seat: Seat, seats: list[Seat], words: Words) -> Row:
    said = Names(game, words)
    return Row(
        code=game.code,
        title=game.title,
        side=said.seat(seat),
        stage=said.stage(game.stage_key.partition("-")[2]),
        deadline=game.deadline,
        ready=seat.ready,
        waiting=[said.seat(seats[number]) for number in numbers(game.waiting) if not seats[number].ready],
        over=game.status == "over",
        status=game.status,
        aside=game.aside,
        installed=said.installed,
    )
