"""What the demo prints while a game goes on: where it stands, and how it ended."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from sqlmodel import Session, col, func, select

from pbem.cli.words import WORDS, _
from pbem.context import Service
from pbem.games.position import game_row
from pbem.games.rules import module_of, setup_of
from pbem.reports.data import Report as ReportData
from pbem.reports.game import GameWords, game_words
from pbem.storage.models import Game, Inbound, Letter, Report


@dataclass(frozen=True)
class Standing:
    """Where a game stands."""

    stage_number: int
    stage_key: str
    status: str
    aside: bool
    mails: int
    letters: int


def standing(service: Service, code: str) -> Standing:
    """Where the game stands now."""
    with service.reading() as session:
        game = game_row(session, code)
        return Standing(
            game.stage_number,
            game.stage_key,
            game.status,
            game.aside,
            _count(session, select(func.count()).select_from(Inbound).where(col(Inbound.status) == "read")),
            _count(session, select(func.count()).select_from(Letter).where(col(Letter.fate) == "sent")),
        )


def progress(service: Service, code: str, now: Standing) -> str:
    """One line on the stage that has opened."""
    with service.reading() as session:
        game = game_row(session, code)
    turn, stage = now.stage_key.split("-", 1)
    return _("Turn %(turn)s: %(stage)s (%(mails)s mails read, %(letters)s letters sent)") % {
        "turn": turn,
        "stage": spoken(game).name("stage", stage),
        "mails": now.mails,
        "letters": now.letters,
    }


def final(service: Service, code: str) -> Iterator[str]:
    """The final standings, a line for each company, from the last report."""
    with service.reading() as session:
        game = game_row(session, code)
        query = select(Report).where(col(Report.game_id) == game.id, col(Report.kind) == "final").limit(1)
        report = msgspec.json.decode(session.exec(query).one().data, type=ReportData)
    words = spoken(game)
    for each in report.standings:
        yield _("%(place)s. %(side)s, %(score)s prestige") % {
            "place": each.place,
            "side": words.seat(each.seat),
            "score": each.score,
        }


def spoken(game: Game) -> GameWords:
    """The game's words in the language of the command line."""
    return game_words(module_of(game).name, setup_of(game), WORDS.language)


def _count(session: Session, query: object) -> int:
    return int(session.exec(query).one())  # type: ignore[call-overload]
