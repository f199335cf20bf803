"""A choice made step by step on pages, without a script: each step is a form, and nothing is kept before it is sent.

What is chosen is what is asked now, or what the stage will ask later (`pbem.sheets.ahead`).
"""

from collections import Counter

from flask import Blueprint, abort, flash, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from engine.contract import Asked, View
from pbem.games.position import position
from pbem.games.rules import setup_of
from pbem.reports.board import Target, svg
from pbem.reports.game import GameWords, game_words
from pbem.sheets.ahead import Coming, coming
from pbem.sheets.choosing import Step, step
from pbem.web.pages import me, my_seat, not_taken, page, service, signed_in
from pbem.web.seat import MAX_TEXT, mark, new_key, seat_page, text_given
from pbem.web.standing import standing

routes = Blueprint("choosing", __name__)

MAX_PATH = 400
AHEAD = "ahead"
"""Asks for the list of what will come up."""
BLANK = "____"


@routes.post("/games/<code>/choose")
@signed_in
def choose(code: str) -> ResponseReturnValue:
    """The next step, or the form with the line of a choice that is whole."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return not_taken(f"/games/{code}", "no_orders_now")
    text, path, about = text_given(), path_given(), request.form.get("for", "")
    if len(path) > MAX_PATH or len(about) > MAX_PATH or game.id is None:
        abort(413)
    # A way is good for the position that it began in alone.
    stands_since = str(game.next_entry)
    if mark() != f"{game.line}/{game.stage_key}" or request.form.get("entry", stands_since) != stands_since:
        return _back(code, text, "choice_gone")
    words = me().words
    with service().reading() as reading:
        stands = position(reading, game.id)
    said = game_words(game.rules, setup_of(game), words.language)
    later = coming(stands, seat.number, text, words.language) if about else []
    if about == AHEAD:
        if not later:
            return _back(code, text, "nothing_foreseen")
        asked = [(_name(each), said.asks(_asked(each)), each.written) for each in later]
        return page("planned", game=game, asked=asked, text=text, stage=mark())
    chosen = next((each for each in later if _name(each) == about), None)
    if about and chosen is None:
        return _back(code, text, "choice_gone")
    found = step(stands, seat.number, path, words.language, chosen.state if chosen is not None else None)
    if found is None:
        return _back(code, text, "choice_gone")
    if found.whole:
        with service().reading() as reading:
            now = standing(reading, game, seat, words)
        return page(
            "chosen",
            game=game,
            now_=now,
            line=found.line,
            text=_with(text, found),
            stage=mark(),
            key=new_key(),
            most=MAX_TEXT,
        )
    asks = said.asks(_asked(chosen) if chosen is not None else Asked(found.kind))
    state = chosen.state if chosen is not None else stands.table.state
    return page(
        "choose",
        game=game,
        stage=mark(),
        step=found,
        asks=asks,
        picture=_picture(said, stands.rules.view(state, None), found),
        text=text,
        about=about,
        entry=stands_since,
    )


def _back(code: str, text: str, notice: str) -> ResponseReturnValue:
    """The seat, with what was typed still in its form."""
    flash(notice)
    return seat_page(code, text or None)


def _picture(said: GameWords, public: View, found: Step) -> Markup:
    """The board with what can be chosen by pointing at it; empty where no place means one option alone."""
    times = Counter(option.spot for option in found.options)
    targets = {
        option.spot: Target(f"choice-{number}", option.line)
        for number, option in enumerate(found.options, 1)
        if option.spot and times[option.spot] == 1
    }
    return Markup(svg(said, public, (), targets)) if targets else Markup("")


def _asked(each: Coming) -> Asked:
    return Asked(each.decision.kind, each.decision.round)


def _name(each: Coming) -> str:
    """What a form calls a decision that will come up."""
    return f"{each.decision.kind}/{each.decision.round}"


def path_given() -> str:
    """The way so far, with the number that was typed."""
    path, number = request.form.get("path", ""), request.form.get("number", "").strip()
    return ".".join(part for part in (path, number) if part)


def _with(text: str, found: Step) -> str:
    """The form's text with the order, in place of the first line with a blank for such a one, else at the end."""
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    for place, line in enumerate(lines):
        start, blank, _ = line.partition(BLANK)
        if blank and found.line.startswith(start):
            return "\n".join([*lines[:place], found.line, *lines[place + 1 :]])
    return "\n".join([*lines, found.line])
