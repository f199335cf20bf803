"""Who handles which step of the stack: what it asks, the choices, what an answer does, and how it runs on."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.brass_empire import acts, asks, automaton, discarding, founding, primitives, turn
from engine.brass_empire.choices import TURN
from engine.brass_empire.play import Play
from engine.brass_empire.state import (
    Asking,
    Automaton,
    Discarding,
    Ending,
    Founding,
    Mining,
    Opening,
    Playing,
    Reserving,
    Resolving,
    State,
    Turn,
)
from engine.brass_empire.tables import SEATS, Tables
from engine.brass_empire.turnspace import TurnSpace
from engine.contract import Decision


def _answer_asking(play: Play, step: Asking, answers: Mapping[int, Any]) -> None:
    play.state.stack.pop()
    for choice in answers.values():
        primitives.answer(play, step, choice)


def _run_asking(play: Play, step: Asking) -> bool:
    """Who is out of the battle is asked nothing more."""
    if step.seat not in play.state.out:
        return True
    play.state.stack.pop()
    return False


TURNS = tuple(Decision(TURN, (seat,)) for seat in range(SEATS[-1]))
PENDING: dict[type, Callable[[Tables, State, Any], Decision]] = {
    Founding: founding.pending_founding,
    Reserving: founding.pending_reserve,
    Turn: lambda tables, state, step: TURNS[state.seat],
    Asking: asks.pending,
    Discarding: discarding.pending,
}
SPACE: dict[type, Callable[[Tables, State, int], Any]] = {
    Founding: lambda tables, state, seat: founding.CorporationSpace(tables, state),
    Reserving: founding.ReserveSpace,
    Turn: lambda tables, state, seat: TurnSpace(tables, state),
    Asking: lambda tables, state, seat: asks.space(tables, state, state.stack[-1]),  # type: ignore[arg-type]
    Discarding: discarding.space,
}
ANSWER: dict[type, Callable[[Play, Any, Any], None]] = {
    Founding: founding.answer_founding,
    Reserving: founding.answer_reserve,
    Turn: acts.answer,
    Asking: _answer_asking,
    Discarding: discarding.answer,
}
RUN: dict[type, Callable[[Play, Any], bool]] = {
    Founding: founding.run_founding,
    Reserving: founding.run_reserving,
    Opening: founding.run_opening,
    Turn: acts.run,
    Playing: acts.run_playing,
    Mining: acts.run_mining,
    Resolving: primitives.run_resolving,
    Asking: _run_asking,
    Discarding: lambda play, step: True,
    Ending: turn.run_ending,
    Automaton: automaton.run,
}
"""Whether a step waits for an answer; if not it has moved on."""
