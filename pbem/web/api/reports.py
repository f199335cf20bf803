"""The reports of my seat, as text and as data."""

from datetime import datetime
from typing import Any

import msgspec
from flask import abort
from pydantic import Field

from pbem.games.rules import setup_of
from pbem.reports.data import decode_report
from pbem.reports.game import game_words
from pbem.reports.render import report_letter
from pbem.storage.models import Report
from pbem.web.api.access import Caller
from pbem.web.api.calls import Answer, Calls
from pbem.web.pages import seat_of, service
from pbem.web.reports import report_rows
from pbem.words import Words

calls = Calls()


class ReportRow(Answer):
    """One report."""

    number: int = Field(description="Counts the reports of the seat, from 1.")
    kind: str = Field(description="`stage`, `asked`, `corrected`, `changed`, `taken` or `final`.")
    turn: str
    stage: str
    at: datetime


class Reports(Answer):
    """The reports of a seat, the newest first."""

    reports: list[ReportRow]


class ReportTold(Answer):
    """One report, as it was sent."""

    number: int
    at: datetime
    subject: str
    text: str = Field(description="As in the mail, in your language.")
    data: dict[str, Any] = Field(description="What the text is made from: codes, parameters, and the game's own data.")


@calls.get("/games/<code>/reports")
def list_reports(who: Caller, code: str) -> Reports:
    """All reports of my seat."""
    game, seat = seat_of(code, who.id)
    with service().reading() as reading:
        rows = report_rows(reading, game, seat)
    said = game_words(game.rules, setup_of(game), who.words.language)
    found = []
    for number, row in enumerate(rows, 1):
        turn, _, stage = row.stage_key.partition("-")
        named = said.name("stage", stage) if stage else ""
        found.append(ReportRow(number=number, kind=row.kind, turn=turn, stage=named, at=row.at))
    return Reports(reports=found[::-1])


@calls.get("/games/<code>/reports/<int:number>")
def show_report(who: Caller, code: str, number: int) -> ReportTold:
    """One report of my seat."""
    game, seat = seat_of(code, who.id)
    with service().reading() as reading:
        rows = report_rows(reading, game, seat)
        if not 1 <= number <= len(rows):
            abort(404)
        return report_told(rows[number - 1], number, who.words)


def report_told(row: Report, number: int, words: Words) -> ReportTold:
    """A stored report; while the session in which it was found is open."""
    letter = report_letter(decode_report(row.data), words)
    data = msgspec.json.decode(row.data, type=dict[str, Any])
    return ReportTold(number=number, at=row.at, subject=letter.subject, text=letter.text, data=data)
