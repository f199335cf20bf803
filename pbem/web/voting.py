"""What the players decide together: the open proposal with two buttons, and a form to propose something."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine.numerals import whole_number
from engine.orders.lexicon import lexicon
from pbem import clock
from pbem.games.position import holds
from pbem.games.rules import module_of, setup_of
from pbem.mail.catchingup import submit_in_turn
from pbem.reports.game import GameWords, game_words
from pbem.reports.proposed import proposed_told
from pbem.sheets.lines import tongue_of
from pbem.sheets.received import Post
from pbem.storage.models import Game, Seat
from pbem.voting.proposals import OPEN, UNANIMOUS, params_of, voters, voting
from pbem.web.pages import back_to, me, my_seat, service, signed_in
from pbem.words import Words

routes = Blueprint("voting", __name__)

WITH_SIDE = ("concede", "propose_replace")
PLAIN = ("propose_draw", "propose_pause", "propose_resume")
MAX_KEY = 60


@dataclass(frozen=True)
class Vote:
    """The voting as a seat's page shows it. `what` is empty where nothing is open; `mine` is the seat's own vote."""

    what: str
    by: str
    reason: str
    unanimous: bool
    votes: bool
    mine: bool | None
    others: list[tuple[int, str]]
    overseen: bool
    held: bool


def vote_of(reading: Session, game: Game, seat: Seat, seats: Sequence[Seat], words: Words) -> Vote:
    """How the voting stands for a seat."""
    said = game_words(game.rules, setup_of(game), words.language)
    stands = voting(reading, game)
    proposal = stands.proposal if stands.proposal is not None and stands.proposal.outcome == OPEN else None
    return Vote(
        what=proposed_told(proposal.kind, params_of(proposal), said, words) if proposal is not None else "",
        by=_by(proposal.seat, said) if proposal is not None else "",
        reason=proposal.reason if proposal is not None else "",
        unanimous=proposal is not None and proposal.kind in UNANIMOUS,
        votes=proposal is not None and seat.number in voters(proposal, seats),
        mine=stands.votes.get(seat.number),
        others=[(each.number, said.seat(each.number)) for each in seats if holds(each) and each.number != seat.number],
        overseen=game.moderator_id is not None,
        held=bool(game.held),
    )


def _by(seat: int | None, said: GameWords) -> str:
    return said.seat(seat) if seat is not None else ""


@routes.post("/games/<code>/vote")
@signed_in
def vote(code: str) -> ResponseReturnValue:
    """Votes, as the order language has it; it can be changed until it is decided."""
    name = {"yes": "vote_yes", "no": "vote_no"}.get(request.form.get("act", ""))
    if name is None:
        abort(400)
    return _say(code, name, "", "voted")


@routes.post("/games/<code>/propose")
@signed_in
def propose(code: str) -> ResponseReturnValue:
    """Proposes, as the order language has it."""
    name, given = request.form.get("what", ""), ""
    game, _ = my_seat(code)
    if name in WITH_SIDE:
        given = _side(game, request.form.get("side", ""))
    elif name == "propose_extend":
        hours = request.form.get("hours", "").strip()
        if whole_number(hours, 4) is None:
            return back_to(f"/games/{game.code}", "not_proposed")
        given = f"{hours}h"
    elif name not in PLAIN:
        abort(400)
    return _say(code, name, given, "proposed")


def _side(game: Game, number: str) -> str:
    sides = module_of(game).seat_names[: setup_of(game).seats]
    seat = whole_number(number, 3)
    if seat is None or seat >= len(sides):
        abort(400)
    return sides[seat]


def _say(code: str, name: str, given: str, notice: str) -> ResponseReturnValue:
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{game.code}", "no_orders_now")
    assert game.id is not None
    module = module_of(game)
    words = lexicon(module.language.words, tongue_of(module, me().words.language))
    side = words.say(given) if name in WITH_SIDE else given
    key = f"{name}/{game.code}/{seat.number}/{request.form.get('key', '')[:MAX_KEY]}"
    text = f"{words.say(name)} {side}".strip()
    taken = submit_in_turn(
        service(), Post(game.id, seat.number, text, "page", key, clock.now(), generation=seat.generation)
    ).acknowledgement
    if taken is not None and taken.problems:
        return back_to(f"/games/{game.code}", "not_proposed")
    return back_to(f"/games/{game.code}", notice)
