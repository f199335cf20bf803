"""My games, one of them as all its players may see it, and what is asked of my seat."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field
from sqlmodel import Session

from pbem.games.leading import awaited
from pbem.games.position import name_shown, players_of, seat_rows
from pbem.games.rules import setup_of
from pbem.games.telling import told
from pbem.reports.data import Report, decode_report
from pbem.reports.game import game_words
from pbem.reports.render import report_params
from pbem.reports.ruled import rulings_told
from pbem.reports.silence import held_told
from pbem.storage.models import Game, Seat
from pbem.web.api.access import Caller
from pbem.web.api.calls import Answer, Calls
from pbem.web.home import Row, rows_of, state_of
from pbem.web.pages import seat_in, seat_of, service
from pbem.web.reports import report_rows
from pbem.web.standing import Standing, standing
from pbem.web.table import rulings_of
from pbem.words import Words

calls = Calls()

State = Literal["invited", "asked", "aside", "waiting", "settling", "gathering", "moved", "over"]


class GameRow(Answer):
    """One of my games."""

    code: str
    title: str
    rules: str = Field(description="The name of the rules, in your language.")
    side: str = Field(description="The side that you play.")
    turn: str = Field(description="Empty before the game begins.")
    stage: str
    state: State = Field(description="`asked`: your orders are awaited; `waiting`: those of others are.")
    deadline: datetime | None
    settling: datetime | None = Field(description="When play goes on, where all orders are in.")
    waiting: list[str] = Field(description="The sides whose orders are awaited.")
    asks: list[str] = Field(description="What is asked of your seat, where its orders are awaited.")
    installed: bool = Field(
        description="Whether the game's rules are installed here. If not, it can't be shown, and names are ids."
    )


class Games(Answer):
    """My games, the most urgent first."""

    games: list[GameRow]


class Side(Answer):
    """One side of a game. `id` is its name in calls, `name` in your language."""

    id: str
    name: str
    player: str = Field(description="Empty where nobody plays it, or where that is not told.")
    held: bool
    left: bool
    standin: bool
    awaited: bool
    mine: bool


class GameState(Answer):
    """A game as all its players may see it."""

    code: str
    title: str
    rules: str = Field(description="The id of the rules.")
    status: str
    state: State
    pace: str
    turn: str
    stage: str
    deadline: datetime | None
    held: str = Field(description="Why it stands still; empty where it does not.")
    sides: list[Side]
    position: list[str] = Field(description="The position in words, as of your newest report.")
    public: dict[str, Any] | None = Field(description="The same as data, as the game's rules have it.")
    standings: list[str]
    rulings: list[str] = Field(description="The newest first.")
    head: str = Field(description="The head of the journal's chain, hexadecimal.")
    secret_hash: str
    secret: str = Field(description="Empty until the game is over.")


class SeatState(Answer):
    """How my seat stands: what is asked of it, and what its sheet answers."""

    state: State
    stage: str = Field(description="A mark of the stage that is open: orders sent with it never serve another one.")
    late: bool = Field(description="Whether the deadline has passed.")
    asks: list[str]
    otherwise: list[str] = Field(description="What happens without an answer.")
    form: list[str] = Field(description="Lines to fill in.")
    examples: list[str] = Field(description="Orders that can be done as things stand.")
    sheet: list[str] = Field(description="The orders that stand.")
    ready: bool
    substituted: bool = Field(description="Whether a stand-in plays the seat.")
    waiting: list[str]
    away: list[str]
    held: str
    deadline: datetime | None
    settling: datetime | None


@calls.get("/games")
def list_games(who: Caller) -> Games:
    """My games: deadline, whom they wait for, and what is asked of my seat."""
    with service().reading() as reading:
        rows = rows_of(reading, who.id, who.words)
        asked = {row.code: _asks(reading, row.code, who) for row in rows if row.state == "asked" and row.installed}
    return Games(games=[row_told(row, asked.get(row.code, [])) for row in rows])


@calls.get("/games/<code>")
def show_game(who: Caller, code: str) -> GameState:
    """A game as all its players may see it."""
    game, seat = seat_of(code, who.id)
    with service().reading() as reading:
        rows = report_rows(reading, game, seat)
        newest = decode_report(rows[-1].data) if rows else None
        return _game(reading, game, seat, newest, who.words)


@calls.get("/games/<code>/seat")
def show_seat(who: Caller, code: str) -> SeatState:
    """What is asked of my seat, what its sheet answers, and a form to fill in."""
    game, seat = seat_of(code, who.id)
    with service().reading() as reading:
        return seat_told(standing(reading, game, seat, who.words))


def row_told(row: Row, asks: list[str]) -> GameRow:
    """A row of the list of games."""
    return GameRow(
        code=row.code,
        title=row.title,
        rules=row.rules,
        side=row.side,
        turn=row.turn,
        stage=row.stage,
        state=_state(row.state),
        deadline=row.deadline,
        settling=row.settling,
        waiting=row.waiting,
        asks=asks,
        installed=row.installed,
    )


def seat_told(now: Standing) -> SeatState:
    """How a seat stands."""
    return SeatState(
        state=_state(now.state),
        stage=now.stage if now.takes_orders else "",
        late=now.late,
        asks=now.asks,
        otherwise=now.otherwise,
        form=now.form,
        examples=now.examples,
        sheet=now.sheet,
        ready=now.ready,
        substituted=now.substituted,
        waiting=now.waiting,
        away=now.away,
        held=now.held,
        deadline=now.deadline,
        settling=now.settling,
    )


def _asks(reading: Session, code: str, who: Caller) -> list[str]:
    found = seat_in(reading, code, who.id)
    return standing(reading, *found, who.words).asks if found is not None else []


def _game(reading: Session, game: Game, seat: Seat, newest: Report | None, words: Words) -> GameState:
    assert game.id is not None
    said = game_words(game.rules, setup_of(game), words.language)
    seats, players = seat_rows(reading, game.id), players_of(reading, game.id)
    waited_for = awaited(game, seats) if game.status == "playing" else []
    params = report_params(newest, words) if newest is not None else {}
    turn, _, stage = game.stage_key.partition("-")
    return GameState(
        code=game.code,
        title=game.title,
        rules=game.rules,
        status=game.status,
        state=_state(state_of(game, seat, seats)),
        pace=game.pace,
        turn=turn,
        stage=said.name("stage", stage) if stage else "",
        deadline=game.deadline,
        held=held_told(game.stopped, words),
        sides=[
            Side(
                id=said.module.seat_names[each.number],
                name=said.seat(each.number),
                player=name_shown(game, players.get(each.number)),
                held=each.number in players,
                left=each.resigned is not None,
                standin=bool(each.standin),
                awaited=each.number in waited_for,
                mine=each.number == seat.number,
            )
            for each in seats
        ],
        position=params.get("position", []),
        public=newest.public if newest is not None else None,
        standings=[f"{place}. {who}: {score}" for place, who, score, _, _ in params.get("ranks", [])],
        rulings=rulings_told([told(ruling) for ruling in rulings_of(reading, game)], said, words),
        head=game.head.hex(),
        secret_hash=game.secret_hash.hex(),
        secret=game.secret.hex() if game.status == "over" else "",
    )


def _state(state: str) -> State:
    found: State = state  # type: ignore[assignment]
    return found
