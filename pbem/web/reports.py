"""Reports as pages, from the same data as the mails, and the pictures in them."""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlalchemy import bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from pbem.games.rules import setup_of
from pbem.reports import data
from pbem.reports.data import decode_report
from pbem.reports.game import game_words
from pbem.reports.letters import part
from pbem.reports.render import report_params
from pbem.storage.models import Game, Picture, Report, Seat
from pbem.storage.sessions import columns
from pbem.web.guards import PICTURE_POLICY
from pbem.web.pages import me, my_seat, page, service, signed_in
from pbem.words import Words

routes = Blueprint("reports", __name__)

TEMPLATE = "report/report.j2"
BEFORE = ("inviting", "starting")
"""States of a game that has no reports yet."""
_OF_SEAT = col(Report.game_id) == bindparam("game"), col(Report.seat) == bindparam("seat")
_NEWEST = select(Report).where(*_OF_SEAT).order_by(col(Report.id).desc()).limit(1)
_REPORTS = select(func.count(col(Report.id))).where(*_OF_SEAT)


@dataclass(frozen=True)
class Shown:
    """A report as parts of a page."""

    opening: Markup
    news: Markup
    stand: Markup
    proof: Markup
    position: list[str]


@routes.get("/games/<code>/reports")
@signed_in
def listed(code: str) -> ResponseReturnValue:
    """All reports of one's seat, the newest first."""
    game, seat = my_seat(code)
    with service().reading() as reading:
        rows = report_rows(reading, game, seat)
    return page("reports", game=game, lines=_lines(game, rows))


def _lines(game: Game, rows: list[Report]) -> list[tuple[int, Report, str, str]]:
    """The reports for a list, the newest first: number, row, turn, stage."""
    said = game_words(game.rules, setup_of(game), me().words.language)
    lines = []
    for number, row in enumerate(rows, 1):
        turn, _, stage = row.stage_key.partition("-")
        lines.append((number, row, turn, said.name("stage", stage)))
    return lines[::-1]


@routes.get("/games/<code>/reports/<int:number>")
@signed_in
def one(code: str, number: int) -> ResponseReturnValue:
    """One report of one's seat, as it was sent."""
    game, seat = my_seat(code)
    with service().reading() as reading:
        rows = report_rows(reading, game, seat)
        if not 1 <= number <= len(rows):
            abort(404)
        parts = shown(rows[number - 1], me().words)
    return page(
        "report",
        game=game,
        parts=parts,
        row=rows[number - 1],
        picture=picture_of(rows[:number]),
        number=number,
        last=len(rows),
    )


@routes.get("/games/<code>/reports/beside")
@signed_in
def beside(code: str) -> ResponseReturnValue:
    """Two reports of one's seat side by side, each as it was sent."""
    game, seat = my_seat(code)
    with service().reading() as reading:
        rows = report_rows(reading, game, seat)
        chosen = [request.args.get(name, 0, int) for name in ("left", "right")]
        if not all(1 <= number <= len(rows) for number in chosen):
            abort(404)
        pair = [
            (number, rows[number - 1], shown(rows[number - 1], me().words), picture_of(rows[:number]))
            for number in chosen
        ]
    return page("beside", game=game, pair=pair, lines=_lines(game, rows))


@routes.get("/games/<code>/board/<picture>.svg")
@signed_in
def board(code: str, picture: str) -> ResponseReturnValue:
    """A picture out of a report of one's seat. It never changes: its name is the hash of its content."""
    game, seat = my_seat(code)
    with service().reading() as reading:
        in_mine = select(Report.id).where(
            col(Report.game_id) == game.id, col(Report.seat) == seat.number, col(Report.picture) == picture
        )
        drawn = reading.get(Picture, picture) if reading.exec(in_mine.limit(1)).first() is not None else None
    if drawn is None:
        abort(404)
    headers = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": PICTURE_POLICY}
    return Response(drawn.svg, content_type="image/svg+xml; charset=utf-8", headers=headers)


def report_rows(reading: Session, game: Game, seat: Seat) -> list[Report]:
    """The reports of a seat, oldest first, with their data left in the database until it is asked for."""
    query = (
        select(Report)
        .where(col(Report.game_id) == game.id, col(Report.seat) == seat.number)
        .order_by(col(Report.id))
        .options(defer(Report.data))  # type: ignore[arg-type]
    )
    return list(reading.exec(query))


def newest_report(reading: Session, game: Game, seat: Seat) -> tuple[Report | None, int]:
    """The last report of a seat, if it has one, and how many there are before it."""
    mine = {"game": game.id, "seat": seat.number}
    row = reading.exec(_NEWEST, params=mine).first()
    return row, columns(reading, _REPORTS, mine).scalar_one() - 1


def picture_of(rows: list[Report]) -> str:
    """The picture of the last report; empty where it has none."""
    return rows[-1].picture if rows else ""


def shown(row: Report, words: Words) -> Shown:
    """A stored report in the visitor's words; while the session in which it was found is open."""
    return in_parts(decode_report(row.data), words)


def in_parts(report: data.Report, words: Words) -> Shown:
    """A report as parts of a page."""
    params = report_params(report, words)
    return Shown(
        opening=part(words, TEMPLATE, "opening", params),
        news=part(words, TEMPLATE, "news", params),
        stand=part(words, TEMPLATE, "stand", params),
        proof=part(words, TEMPLATE, "proof", params),
        position=params["position"],
    )
