"""The game as observers see it, as far behind as it says; and the buttons by which one begins and ends that."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from pbem.errors import Refused
from pbem.games.policy import NOBODY, policy_of
from pbem.games.position import Position, game_row, position
from pbem.games.rules import setup_of
from pbem.observing.horizon import Moment, moments, seen, still_told
from pbem.observing.observers import is_for_all, may_come, observe, observer_of, stop
from pbem.observing.reports import report_of, stage_before
from pbem.reports import board
from pbem.reports.data import Report
from pbem.reports.game import game_words
from pbem.reports.letters import part
from pbem.reports.render import report_params
from pbem.storage.models import Game, Observer
from pbem.storage.models.games import SHOWN_TO_ALL
from pbem.web.guards import PICTURE_POLICY
from pbem.web.pages import back_to, me, page, service, signed_in
from pbem.web.points import points_told
from pbem.web.reports import TEMPLATE

routes = Blueprint("observing", __name__)

MOST = 50
"""Games that are listed."""


@dataclass(frozen=True)
class Sight:
    """What an observer sees: the game, the position now as far as it can be read, and the moments up to the horizon."""

    game: Game
    row: Observer
    moments: list[Moment]


@routes.get("/games/<code>/observe")
@signed_in
def show(code: str) -> ResponseReturnValue:
    """The newest that may be seen, and all reports; for who does not observe it yet, whether they may."""
    with service().reading() as reading:
        game = game_row(reading, code)
        sight = _sight(reading, game)
        if sight is None:
            return _asked(reading, game)
        newest = _report(reading, sight, sight.moments[-1]) if sight.moments else None
        common = _common(game)
        points = points_told(reading, game, common["said"], me().words) if game.status == "over" else []
    return page("observing", **common, sight=sight, points=points, **_shown(newest))


@routes.get("/games/<code>/observe/<int:entry>")
@signed_in
def one(code: str, entry: int) -> ResponseReturnValue:
    """What happened in one stage, and how things stood after it."""
    with service().reading() as reading:
        game = game_row(reading, code)
        sight, moment = _moment(reading, game, entry)
        report = _report(reading, sight, moment)
    number = sight.moments.index(moment)
    return page(
        "observed",
        **_common(game),
        **_shown(report),
        at=moment.at,
        earlier=sight.moments[number - 1].entry if number else None,
        later=sight.moments[number + 1].entry if number + 1 < len(sight.moments) else None,
    )


@routes.get("/games/<code>/observe/<int:entry>/board.svg")
@signed_in
def drawn(code: str, entry: int) -> ResponseReturnValue:
    """The board after an entry, as everyone could see it then."""
    with service().reading() as reading:
        game = game_row(reading, code)
        report = _report(reading, *_moment(reading, game, entry))
    drawing = _drawing(report, report_params(report, me().words))
    if not drawing:
        abort(404)
    return Response(
        drawing, content_type="image/svg+xml; charset=utf-8", headers={"Content-Security-Policy": PICTURE_POLICY}
    )


@routes.post("/games/<code>/observe")
@signed_in
def begin(code: str) -> ResponseReturnValue:
    """Observes the game, with letters."""
    with service().reading() as reading:
        game = game_row(reading, code)
    assert game.id is not None
    try:
        observe(service(), game.id, me().id)
    except Refused as refused:
        if refused.code == "not_observable":
            abort(404)
        raise
    return back_to(f"/games/{game.code}/observe", "observes")


@routes.post("/games/<code>/observe/end")
@signed_in
def end(code: str) -> ResponseReturnValue:
    """Ends it."""
    with service().reading() as reading:
        game = game_row(reading, code)
    assert game.id is not None
    try:
        stop(service(), game.id, me().id)
    except Refused:
        abort(404)
    return back_to("/", "observes_no_longer")


def observed_games(reading: Session, account_id: int) -> list[Game]:
    """The games that the account observes or is invited to observe, the newest first."""
    mine = select(Observer.game_id).where(col(Observer.account_id) == account_id, col(Observer.barred).is_(None))
    kept = col(Game.archived).is_(None), col(Game.status) != "cancelled"
    numbers = reading.exec(mine).all()
    if not numbers:
        return []
    query = select(Game).where(col(Game.id).in_(numbers), *kept)
    return list(reading.exec(query.order_by(col(Game.id).desc()).limit(MOST)))


def to_observe(reading: Session, account_id: int) -> list[Game]:
    """The games that have begun and that everybody is shown, as far as the account may observe them and does not."""
    query = select(Game).where(SHOWN_TO_ALL, col(Game.status) == "playing").order_by(col(Game.id).desc()).limit(MOST)
    mine = {game.id for game in observed_games(reading, account_id)}
    found = reading.exec(query).all()
    return [game for game in found if game.id not in mine and is_for_all(game) and may_come(reading, game, account_id)]


def _asked(reading: Session, game: Game) -> Response:
    """What one may observe; not found where one may not, as if there were no such game."""
    if not may_come(reading, game, me().id):
        abort(404)
    return page("observe", **_common(game))


def _common(game: Game) -> dict[str, Any]:
    said = game_words(game.rules, setup_of(game), me().words.language)
    return {"game": game, "rules": said.title(), "delay": policy_of(game).observer_delay, "said": said}


def _sight(reading: Session, game: Game) -> Sight | None:
    """What the visitor may see; None for who does not observe the game."""
    assert game.id is not None
    row = observer_of(reading, game.id, me().id)
    if row is None or row.since is None or row.barred is not None or policy_of(game).observers == NOBODY:
        return None
    delay = policy_of(game).observer_delay
    return Sight(game, row, seen(game, moments(reading, game), delay, still_told(reading, game, row)))


def _moment(reading: Session, game: Game, entry: int) -> tuple[Sight, Moment]:
    sight = _sight(reading, game)
    found = [each for each in sight.moments if each.entry == entry] if sight is not None else []
    if sight is None or not found:
        abort(404)
    return sight, found[-1]


def _report(reading: Session, sight: Sight, moment: Moment) -> Report:
    assert sight.game.id is not None
    stands: Position = position(reading, sight.game.id)
    return report_of(reading, stands, stage_before(sight.moments, moment))


def _drawing(report: Report, params: Mapping[str, Any]) -> str:
    said = game_words(report.rules, report.setup, me().words.language)
    return board.svg(said, params["public"], said.structs(report.moved))


def _shown(report: Report | None) -> dict[str, Any]:
    """A report as parts of a page."""
    if report is None:
        return {"report": None}
    params = report_params(report, me().words)
    drawing = _drawing(report, params)
    parts = {name: part(me().words, TEMPLATE, name, params) for name in ("opening", "news", "proof")}
    return {
        "report": report,
        "position": params["position"],
        "parts": parts,
        "high": board.height(drawing) if drawing else 0,
    }
