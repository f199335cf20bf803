"""Reports of one play as they are stored, and the letters that carry them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pbem import clock
from pbem.context import Service
from pbem.games.notices import composed, guide_url, spoken, thread
from pbem.games.telling import Telling
from pbem.letters import Envelope, Recipient, finish
from pbem.mail.identity import Purpose
from pbem.reports import board, data
from pbem.reports.render import report_letter
from pbem.storage.bulk import made
from pbem.storage.models import Letter, Picture, Report

BOARD = "board"
"""The Content-ID of the board in a report's HTML."""


@dataclass
class Posted:
    """What a play gives to store beside its entries."""

    reports: list[Report] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)


def post(service: Service, telling: Telling, seats: Iterable[int]) -> Posted:
    """A report and a letter for each of the seats that has a player. The public board is drawn once a language."""
    posted = Posted()
    drawn: dict[str, Picture | None] = {}
    for number in sorted(seats):
        report = telling.report(number)
        player = telling.position.players[number]
        to = Recipient.of(player.account, player.address, number, telling.position.seats[number].generation)
        if to.words.language not in drawn:
            drawn[to.words.language] = picture_of(telling, to)
        picture = drawn[to.words.language]
        posted.reports.append(stored(telling, report, picture))
        posted.letters.append(_letter(service, telling, report, to, picture))
    posted.pictures = list({picture.id: picture for picture in drawn.values() if picture is not None}.values())
    return posted


def picture_of(telling: Telling, to: Recipient) -> Picture | None:
    """The public board as all see it; None for a game without one."""
    position = telling.position
    said = spoken(position.game, to.words)
    public = position.rules.view(position.table.state, None)
    drawing = board.svg(said, public, said.structs(telling.moved))
    if not drawing:
        return None
    return Picture(id=board.name_of(drawing), svg=drawing, png=board.png(drawing), created=clock.now())


def _kind(telling: Telling) -> str:
    if telling.before:
        return telling.otherwise
    if telling.outlook.over:
        return "final"
    return "stage" if telling.outlook.closed else "asked"


def stored(telling: Telling, report: data.Report, picture: Picture | None) -> Report:
    """A seat's report as it is kept."""
    game, outlook = telling.position.game, telling.outlook
    assert game.id is not None
    assert report.seat is not None
    return made(
        Report,
        game_id=game.id,
        line=game.line,
        seat=report.seat,
        kind=_kind(telling),
        entry=report.entry,
        stage_key=outlook.stage.key,
        stage_number=game.stage_number + outlook.closed,
        data=data.encode(report),
        picture=picture.id if picture else "",
        at=clock.now(),
    )


def report_key(code: str, line: int, entry: int, kind: str, seat: int) -> str:
    """The key of the letter that carries a report."""
    return f"report/{code}/{line}/{entry}/{kind}/{seat}"


def _letter(service: Service, telling: Telling, report: data.Report, to: Recipient, picture: Picture | None) -> Letter:
    game, outlook = telling.position.game, telling.outlook
    made = report_letter(report, to.words, f"cid:{BOARD}" if picture else "", guide_url(service))
    assert to.seat is not None
    key = report_key(game.code, game.line, report.entry, _kind(telling), to.seat)
    envelope = Envelope("report", key, Purpose.ORDERS, game, thread(game, outlook.stage.turn))
    letter = finish(service, envelope, to, composed(made, {BOARD: picture.png} if picture else {}))
    letter.stage_key = outlook.stage.key  # the stage that it opens, not the one that the game's row still has
    return letter
