"""Playing an imagined state on, all companies alike, to where it can be judged."""

from collections.abc import Mapping

from engine.brass_empire.state import State
from engine.brass_empire.tables import Tables
from engine.contract import Bot, Choice, Rules
from engine.lookahead import Fate


def play_on(rules: Rules, bot: Bot, state: State, answers: Mapping[int, Choice], fate: Fate) -> int:
    """Carry out the answer of a seat, then go on until its next turn begins, or to the end; the choices made.

    `bot` answers for whoever else is asked. A seat that goes out in battle has no next turn.
    """
    (seat,) = answers
    tables: Tables = rules.tables  # type: ignore[attr-defined]
    until = state.round + _has_begun(tables, state, seat)
    made = 0
    while (decision := rules.pending(state)) is not None:
        given = {
            each: answers[each]
            if each in answers
            else bot(rules.view(state, each), decision, rules.space(state, each), fate.pick)
            for each in decision.seats
        }
        made += len(given)
        rules.apply(state, given, fate, [])
        answers = {}
        if seat in state.out or state.round > until or (state.round == until and state.seat == seat):
            break
    return made


def _has_begun(tables: Tables, state: State, seat: int) -> bool:
    """Whether a company's turn of this round has begun."""
    return (seat - state.first) % tables.sides <= (state.seat - state.first) % tables.sides
