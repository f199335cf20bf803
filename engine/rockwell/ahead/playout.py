"""Playing an imagined state on, all companies steady, to where it can be judged."""

from collections.abc import Mapping
from typing import Any

from engine.contract import Pick, Rules
from engine.lookahead import Fate
from engine.rockwell.bot import steady
from engine.rockwell.choices import DANGER, DRILL, FIRST
from engine.rockwell.state import Auction, Market, State, Workshop

_TURN = (Auction,)
_PHASE = (Auction, Market, Workshop)


def horizon(kind: str) -> tuple[type, ...]:
    """The steps at which play after a decision of that kind stops: what drilling brings shows when it is over."""
    return _PHASE if kind in (DRILL, FIRST, DANGER) else _TURN


def play_on(rules: Rules, state: State, answers: Mapping[int, Any], fate: Fate, stop: tuple[type, ...]) -> int:
    """Carry out the answers, then go on until one of the steps to stop at, or the end; the number of choices made.

    Whoever is asked and has no answer given, such as the others of a sealed decision, chooses steadily.
    """
    made = 0
    pick: Pick = fate.pick
    while (decision := rules.pending(state)) is not None:
        given = {
            seat: answers[seat]
            if seat in answers
            else steady(rules.view(state, seat), decision, rules.space(state, seat), pick)
            for seat in decision.seats
        }
        made += len(given)
        rules.apply(state, given, fate, [])
        answers = {}
        if not state.stack or isinstance(state.stack[-1], stop):
            break
    return made
