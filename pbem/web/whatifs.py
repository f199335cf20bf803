"""What-ifs on pages: their list, each side's page, and what is done on it. They are their owner's alone."""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue

from pbem.accounts import main_address
from pbem.reports import board
from pbem.reports.data import Acknowledgement, Report
from pbem.reports.game import game_words
from pbem.reports.letters import part
from pbem.reports.render import acknowledgement_params, report_params
from pbem.rulings.authority import Actor, check_length
from pbem.web.desk import number_given
from pbem.web.guards import PICTURE_POLICY
from pbem.web.pages import back_to, me, page, service, signed_in
from pbem.web.seat import MAX_TEXT
from pbem.whatifs.acting import Opened, let_play, opened, report, send_orders, step_back, take_default
from pbem.whatifs.copying import FRESH, copy_game, remove, what_ifs_of

routes = Blueprint("whatifs", __name__)

TEMPLATE = "report/report.j2"


@dataclass(frozen=True)
class Side:
    """One side as its tab shows it."""

    number: int
    name: str
    asked: bool


@routes.get("/what-ifs")
@signed_in
def listed() -> ResponseReturnValue:
    """The visitor's what-ifs."""
    with service().reading() as reading:
        rows = what_ifs_of(reading, me().id)
    ours = service().settings
    return page("whatifs", rows=rows, most=ours.what_ifs_each, days=ours.what_if_days)


@routes.post("/games/<code>/what-if")
@signed_in
def make(code: str) -> ResponseReturnValue:
    """Copies the game at an entry, for the visitor; of one that goes on it is a moderator's look."""
    entry = request.form.get("entry", "").strip()
    reason = request.form.get("reason", "")
    check_length(reason)
    with service().reading() as reading:
        actor = Actor(" ".join(reason.split()), main_address(reading, me().id))
    chance = request.form.get("chance", FRESH)
    made = copy_game(service(), code, number_given(entry) if entry else None, chance, me().id, actor)
    return back_to(f"/what-ifs/{made}", "what_if_made")


@routes.get("/what-ifs/<code>")
@signed_in
def first(code: str) -> ResponseReturnValue:
    """The side that is asked."""
    at = _opened(code)
    asked = at.stands.awaited or (0,)
    return redirect(f"/what-ifs/{code}/{asked[0]}", 303)


@routes.get("/what-ifs/<code>/<int:seat>")
@signed_in
def show(code: str, seat: int) -> ResponseReturnValue:
    """A side: what it is told, what it is asked, its form."""
    return _side(_opened(code), seat)


@routes.get("/what-ifs/<code>/board.svg")
@signed_in
def picture(code: str) -> ResponseReturnValue:
    """The board as it stands."""
    at = _opened(code)
    drawn = _drawn(at)
    if not drawn:
        abort(404)
    return Response(
        drawn, content_type="image/svg+xml; charset=utf-8", headers={"Content-Security-Policy": PICTURE_POLICY}
    )


@routes.post("/what-ifs/<code>/<int:seat>")
@signed_in
def act(code: str, seat: int) -> ResponseReturnValue:
    """Orders, a default, or a stand-in for that side; then the side that is asked next."""
    seen, level = number_given(request.form.get("seen", "")), request.form.get("level", "")
    done = request.form.get("act", "")
    if done == "default":
        take_default(service(), code, me().id, seat, seen)
    elif done == "standin":
        let_play(service(), code, me().id, seat, level, seen)
    else:
        text = request.form.get("text", "").replace("\r\n", "\n")
        if len(text) > MAX_TEXT:
            abort(413)
        told = send_orders(service(), code, me().id, seat, text, me().words.language, seen)
        if told.problems or told.outcome == "nothing" or any(each.code and not each.passing for each in told.lines):
            return _side(_opened(code), seat, told)
    return redirect(f"/what-ifs/{code}", 303)


@routes.post("/what-ifs/<code>/back")
@signed_in
def back(code: str) -> ResponseReturnValue:
    """Takes the last act back."""
    step_back(service(), code, me().id, number_given(request.form.get("seen", "")))
    return redirect(f"/what-ifs/{code}", 303)


@routes.post("/what-ifs/<code>/delete")
@signed_in
def delete(code: str) -> ResponseReturnValue:
    """The what-if goes."""
    remove(service(), code, me().id)
    return back_to("/what-ifs", "what_if_deleted")


def _opened(code: str) -> Opened:
    with service().reading() as reading:
        return opened(reading, code, me().id)


def _side(at: Opened, seat: int, told: Acknowledgement | None = None) -> ResponseReturnValue:
    stands, words = at.stands, me().words
    if seat >= stands.rules.setup.seats:
        abort(404)
    said = game_words(at.row.rules, at.stands.rules.setup, words.language)
    made: Report = report(at, seat)
    params = report_params(made, words)
    answer = acknowledgement_params(told, words) if told is not None else {}
    drawn = _drawn(at)
    return page(
        "whatif",
        row=at.row,
        number=at.number,
        seat=seat,
        sides=[Side(each, said.seat(each), each in stands.awaited) for each in range(stands.rules.setup.seats)],
        over=made.over,
        sent=told is not None,
        problems=answer.get("problems", []),
        unfit=answer.get("unfit", []),
        lead=params["lead"],
        won=params["won"],
        ranks=params["ranks"],
        stage=params["stage"],
        turn=params["turn"],
        news=part(words, TEMPLATE, "news", params),
        stand=part(words, TEMPLATE, "stand", params),
        position=params["position"],
        high=board.height(drawn) if drawn else 0,
        asks=params["asks"],
        ahead=params["ahead"],
        text="\n".join(params["form"]),
        examples=params["examples"],
        sheet=made.sheet,
        levels=list(stands.module.bots),
        most=MAX_TEXT,
    )


def _drawn(at: Opened) -> str:
    said = game_words(at.row.rules, at.stands.rules.setup, me().words.language)
    stands = at.stands
    return board.svg(said, stands.rules.view(stands.table.state, None))
