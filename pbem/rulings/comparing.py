"""What going back or returning would come to, before it is done: what everybody may know of it, so it is no look."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.context import Service
from pbem.games.policy import PAUSED
from pbem.games.resolve import awaited
from pbem.games.rules import setup_of
from pbem.reports.differing import seen_by_all
from pbem.reports.game import game_words
from pbem.rulings.authority import Actor
from pbem.rulings.goingback import Back, Way, way_back
from pbem.rulings.returning import way_there
from pbem.sheets.stored import decode_sheet
from pbem.storage.models import Game
from pbem.words import Words


@dataclass(frozen=True)
class Comparison:
    """How the game stands (`now`), and how it would (`then`), with what all see otherwise.

    Lines of `differs` begin with - for how it is, and + for how it would be. `deadline` is None where the game is
    paused. `waiting` are the sides that would be asked. `agreed`: whether nobody else has to say the same first.
    """

    now: Game
    turn: str
    stage: str
    then_turn: str
    then_stage: str
    deadline: datetime | None
    waiting: Sequence[str]
    differs: Sequence[str]
    agreed: bool


def back_compared(service: Service, code: str, back: Back, actor: Actor, words: Words) -> Comparison:
    """What a roll-back would come to. Raises as `pbem.rulings.goingback.roll_back`."""
    with service.reading() as session:
        way = way_back(session, code, back, actor)
        session.expunge_all()
    return _compared(way, words)


def return_compared(service: Service, code: str, line: int, actor: Actor, words: Words) -> Comparison:
    """What a return would come to. Raises as `pbem.rulings.returning.return_to`."""
    with service.reading() as session:
        way = way_there(session, code, line, actor)
        session.expunge_all()
    return _compared(way, words)


def _compared(way: Way, words: Words) -> Comparison:
    stands, rules = way.stands, way.stands.rules
    said = game_words(stands.game.rules, setup_of(stands.game), words.language)
    opened = {seat: decode_sheet(rules, each.sheet) for seat, each in way.opened.items()}
    after = replace(way.after, sheets={**way.after.sheets, **opened})
    waiting, deadline = awaited(after)
    public = rules.view(stands.table.state, None), rules.view(after.table.state, None)
    (turn, stage), (then_turn, then_stage) = (
        (said.turn(each.stage_key.partition("-")[0], words), said.name("stage", each.stage_key.partition("-")[2]))
        for each in (stands.game, after.game)
    )
    return Comparison(
        now=stands.game,
        turn=turn,
        stage=stage,
        then_turn=then_turn,
        then_stage=then_stage,
        deadline=None if stands.game.held == PAUSED else deadline,
        waiting=[said.seat(seat) for seat in waiting],
        differs=seen_by_all(said, *public),
        agreed=way.agreed,
    )
