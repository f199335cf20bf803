"""How a seat stands now: what is asked, what its sheet answers, who is waited for. From its own view alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from pbem import clock
from pbem.games.away import Absences, absences, away_now
from pbem.games.due import past_deadline
from pbem.games.leading import awaited
from pbem.games.position import Position, numbers, position_of, seat_rows
from pbem.games.rules import setup_of
from pbem.reports.data import Question
from pbem.reports.game import GameWords, game_words
from pbem.reports.render import awaited_or_spared, away, form_of
from pbem.reports.silence import held_told
from pbem.sheets.choosing import is_asked
from pbem.sheets.lines import line, questions, tongue_of
from pbem.storage.models import Game, Seat
from pbem.web.home import state_of
from pbem.words import Words


@dataclass(frozen=True)
class Standing:
    """What a seat's page shows beside its reports. `form` are lines to fill in, `sheet` the orders that stand."""

    seats: Sequence[Seat]
    state: str
    late: bool
    stage: str
    asks: list[str]
    asked: bool
    """Whether the seat is asked something now, or would be were it not spared that."""
    otherwise: list[str]
    form: list[str]
    examples: list[str]
    sheet: list[str]
    ready: bool
    waiting: list[str]
    deadline: datetime | None
    settling: datetime | None
    away: list[str]
    held: str
    """Why the game stands still, in a sentence; empty where it does not."""
    substituted: bool
    """Whether a stand-in plays the seat."""
    choosing: bool
    """Whether the game stands at a decision of the seat's, whose legal choices can be listed."""
    ahead: bool
    """Whether the stage may ask more of it later."""

    @property
    def takes_orders(self) -> bool:
        """Whether orders are read now."""
        return self.state in ("asked", "waiting", "settling")


def standing(reading: Session, game: Game, seat: Seat, words: Words) -> Standing:
    """How the seat stands. A game that is set aside, or over, is not looked into."""
    assert game.id is not None
    seats = seat_rows(reading, game.id)
    said = game_words(game.rules, setup_of(game), words.language)
    state = state_of(game, seat, seats)
    questions: Sequence[Question] = ()
    sheet: list[str] = []
    covered: set[tuple[str, int]] = set()
    choosing = False
    gone: Absences | None = None
    if state in ("asked", "waiting", "settling"):
        stands = position_of(reading, game, seats)
        gone = stands.away
        questions, sheet = _asked(stands, seat, words)
        choosing = is_asked(stands, seat.number)
        covered = {(kept.order.kind, kept.order.round) for kept in stands.open_orders(stands.sheets[seat.number])}
    gone_now = away_now(absences(reading, game.id) if gone is None else gone)
    spared = {*gone_now, *(each.number for each in seats if each.standin)}
    open_ones = [each for each in questions if not {(each.kind, each.round), (each.kind, 0)} & covered]
    return Standing(
        seats=seats,
        state=state,
        late=past_deadline(game, clock.now()),
        stage=f"{game.line}/{game.stage_key}",
        asks=_each(said, questions),
        asked=awaited_or_spared(seat.number, numbers(game.waiting), spared),
        otherwise=list(dict.fromkeys(said.otherwise(each) for each in questions)),
        form=form_of(open_ones),
        examples=list(dict.fromkeys(each for asked in questions for each in asked.examples)),
        sheet=sheet,
        ready=seat.ready,
        waiting=[said.seat(number) for number in awaited(game, seats)],
        deadline=game.deadline,
        settling=game.settle_until,
        held=held_told(game.stopped, words),
        substituted=bool(seat.standin),
        choosing=choosing,
        ahead=any(not (choosing and place == 0 and each.times == 1) for place, each in enumerate(questions)),
        away=away(sorted(gone_now.items()), said, words),
    )


def _asked(stands: Position, seat: Seat, words: Words) -> tuple[Sequence[Question], list[str]]:
    view = stands.rules.view(stands.table.state, seat.number)
    tongue = tongue_of(stands.module, words.language)
    agenda = stands.rules.agenda(view, stands.game.pace)
    left = stands.open_orders(stands.sheets[seat.number])
    sheet = [line(stands.module, kept.order, view, tongue) for kept in left]
    return questions(stands.module, stands.rules, agenda, view, tongue), sheet


def _each(said: GameWords, questions: Sequence[Question]) -> list[str]:
    return list(dict.fromkeys(said.asks(each) for each in questions))
