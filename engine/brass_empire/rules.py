"""The rules bound to a setup: who handles which step of the stack, and the contract's functions by their means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.brass_empire import (
    acts,
    asks,
    automaton,
    defaults,
    discarding,
    ending,
    founding,
    imagine,
    invariants,
    language,
    primitives,
    stages,
    turn,
    view,
)
from engine.brass_empire.cards import CORPORATIONS
from engine.brass_empire.choices import TURN, BrassChoice
from engine.brass_empire.events import BrassEvent
from engine.brass_empire.play import GameOver, Play
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
from engine.brass_empire.tables import SEATS, Tables, tables
from engine.brass_empire.turnspace import TurnSpace
from engine.brass_empire.view import BrassView
from engine.contract import Asked, Chance, Choice, Condition, Decision, Event, Intent, Setup, Space, Stage, Standing
from engine.errors import Illegal


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


class BrassEmpireRules:
    """Brass Empire for one setup."""

    state_type = State
    choice_type = BrassChoice
    intent_type = language.INTENTS
    event_type = BrassEvent
    view_type = BrassView
    faction = "corporation"

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tables = tables(setup)

    def start(self, chance: Chance, events: list[Event]) -> State:
        """The companies at the table, at the first decision."""
        play = founding.begin(self.tables, chance, events)
        _run(play)
        return play.state

    def pending(self, state: State) -> Decision | None:
        """What is asked now."""
        if not state.stack:
            return None
        step = state.stack[-1]
        return PENDING[type(step)](self.tables, state, step)

    def space(self, state: State, seat: int) -> Space:
        """The legal choices of a seat that is asked. Raises Illegal with code `not_asked` for another."""
        decision = self.pending(state)
        if decision is None or seat not in decision.seats:
            raise Illegal("not_asked")
        made: Space = SPACE[type(state.stack[-1])](self.tables, state, seat)
        return made

    def apply(self, state: State, answers: Mapping[int, Choice], chance: Chance, events: list[Event]) -> None:
        """Carry out the choices, and play on to the next decision."""
        play = Play(self.tables, state, chance, events)
        step = state.stack[-1]
        try:
            ANSWER[type(step)](play, step, answers)
            _go_on(play)
        except GameOver:
            ending.finish(play)
        play.flush()

    def default(self, state: State, seat: int) -> BrassChoice:
        """What a silent seat does."""
        made: BrassChoice = defaults.default(self.tables, state, seat)
        return made

    def fit(self, state: State, seat: int, intent: Intent) -> Choice:
        """The legal choice that an order's intent makes of what is asked."""
        return language.fit(self, state, seat, intent)

    def holds(self, view: BrassView, condition: Condition) -> bool:
        """Whether a fact holds in what a seat sees."""
        return language.holds(self.tables, view, condition)

    def stage(self, state: State, pace: str) -> Stage:
        """The stage of the pending decision."""
        return stages.stage(self.tables, state, pace)

    def agenda(self, view: BrassView, pace: str) -> Sequence[Asked]:
        """What the rest of the stage may ask of the seat whose view it is."""
        return stages.agenda(self.tables, view, pace)

    def view(self, state: State, seat: int | None) -> BrassView:
        """What a seat knows."""
        return view.view(self.tables, state, seat)

    def imagine(self, view: BrassView, chance: Chance) -> State:
        """A state that the seat must think possible."""
        return imagine.imagine(self.tables, view, chance)

    def standings(self, state: State) -> Sequence[Standing]:
        """Places and brass if the game ended now."""
        return ending.standings(self.tables, state)

    def factions(self, state: State) -> Sequence[str]:
        """By seat its corporation."""
        return [CORPORATIONS[company.corp] for company in state.companies[: self.tables.seats]]

    def invariants(self, state: State) -> Iterable[str]:
        """What does not hold in a state."""
        return invariants.broken(self.tables, state)


def _run(play: Play) -> None:
    """Play on; a game that is over asks nothing more."""
    try:
        _go_on(play)
    except GameOver:
        ending.finish(play)
    play.flush()


def _go_on(play: Play) -> None:
    stack = play.state.stack
    while stack:
        step = stack[-1]
        if RUN[type(step)](play, step):
            return
