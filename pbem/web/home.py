"""My games, by urgency."""

from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint
from flask.typing import ResponseReturnValue
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem.games.leading import awaited
from pbem.games.names import Names
from pbem.games.position import MOVED
from pbem.storage.models import Account, Game, Seat, Standby
from pbem.web.observing import observed_games, to_observe
from pbem.web.openings import listed
from pbem.web.pages import me, page, service, signed_in
from pbem.words import Words

routes = Blueprint("home", __name__)

ORDER = ("invited", "asked", "aside", "waiting", "settling", "gathering", "moved", "over")
"""States of a game for one player, the most urgent first."""
MOST = 200
LISTED, ARCHIVED = col(Game.archived).is_(None), col(Game.archived).is_not(None)
"""Among which games is looked."""


@dataclass(frozen=True)
class Row:
    """One game as its player finds it in the list. `installed`: whether its rules are; else names are stored ones."""

    code: str
    title: str
    rules: str
    side: str
    turn: str
    stage: str
    state: str
    deadline: datetime | None
    settling: datetime | None
    waiting: list[str]
    installed: bool


@routes.get("/")
@signed_in
def mine() -> ResponseReturnValue:
    """The games in which the visitor has a seat."""
    with service().reading() as reading:
        rows = rows_of(reading, me().id, me().words)
        moderated = led(reading, me().id)
        of_site = reading.get_one(Account, me().id).moderator
        offered = offers(reading, me().id)
        open_games = listed(reading, me().id)
        observed = observed_games(reading, me().id)
        observable = to_observe(reading, me().id)
        has_more = bool(rows_of(reading, me().id, me().words, ARCHIVED) or led(reading, me().id, ARCHIVED))
    return page(
        "home",
        rows=rows,
        led=moderated,
        of_site=of_site,
        offered=offered,
        open_games=open_games,
        observed=observed,
        observable=observable,
        has_archive=has_more,
    )


@routes.get("/archive")
@signed_in
def archive() -> ResponseReturnValue:
    """The games that were put away, as far as the visitor has a seat in them or moderates them."""
    with service().reading() as reading:
        rows = rows_of(reading, me().id, me().words, ARCHIVED)
        moderated = led(reading, me().id, ARCHIVED)
    return page("archive", rows=rows, led=moderated)


def rows_of(reading: Session, account_id: int, words: Words, among: ColumnElement[bool] = LISTED) -> list[Row]:
    """The games of an account: what is asked first, by deadline; what is over last, the newest first."""
    found = reading.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Seat.account_id) == account_id, col(Seat.resigned).is_(None), col(Game.status) != "cancelled", among)
        .order_by(col(Game.id).desc())
        .limit(MOST)
    ).all()
    if not found:
        return []
    games = {game.id for game, _ in found}
    seats: dict[int, list[Seat]] = {}
    for seat in reading.exec(select(Seat).where(col(Seat.game_id).in_(games)).order_by(col(Seat.number))):
        seats.setdefault(seat.game_id, []).append(seat)
    rows = [_row(game, seat, seats[seat.game_id], words) for game, seat in found]
    return sorted(rows, key=lambda row: (ORDER.index(row.state), row.deadline.timestamp() if row.deadline else 0))


def offers(reading: Session, account_id: int) -> list[Game]:
    """The running games in which the account is offered a seat."""
    mine = select(Standby.game_id).where(col(Standby.account_id) == account_id, col(Standby.seat).is_not(None))
    numbers = reading.exec(mine).all()
    if not numbers:
        return []
    query = select(Game).where(col(Game.id).in_(numbers), col(Game.status) == "playing")
    return list(reading.exec(query.order_by(col(Game.id))))


def led(reading: Session, account_id: int, among: ColumnElement[bool] = LISTED) -> list[Game]:
    """The games that the account moderates, the newest first: its own, or all where it is a moderator of the site."""
    query = select(Game).where(col(Game.status) != "cancelled", among)
    if not reading.get_one(Account, account_id).moderator:
        query = query.where(col(Game.moderator_id) == account_id)
    return list(reading.exec(query.order_by(col(Game.id).desc()).limit(MOST)))


def state_of(game: Game, seat: Seat, seats: list[Seat]) -> str:
    """One of `ORDER`."""
    if game.status in ("over", MOVED):
        return game.status
    if game.aside:
        return "aside"
    if seat.joined is None:
        return "invited"
    if game.status != "playing":
        return "gathering"
    if seat.number in awaited(game, seats):
        return "asked"
    return "waiting" if awaited(game, seats) else "settling"


def _row(game: Game, seat: Seat, seats: list[Seat], words: Words) -> Row:
    said = Names(game, words)
    turn, _, stage = game.stage_key.partition("-")
    state = state_of(game, seat, seats)
    return Row(
        code=game.code,
        title=game.title,
        rules=said.rules,
        side=said.seat(seat),
        turn=turn,
        stage=said.stage(stage),
        state=state,
        deadline=game.deadline if state in ("asked", "waiting") else None,
        settling=game.settle_until if state == "settling" else None,
        waiting=[said.seat(seats[number]) for number in awaited(game, seats)],
        installed=said.installed,
    )
