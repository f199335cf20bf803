"""A crew of the automaton goes up a step in power after phase III: RW-TWO-8, 16 to 18."""

from collections.abc import Mapping
from typing import Any

from engine.contract import Decision, Part
from engine.errors import Illegal
from engine.rockwell import automaton, ending, extraction
from engine.rockwell.choices import AUTOMATON_STEP, AutomatonRaise
from engine.rockwell.components import Tables
from engine.rockwell.events import AutomatonRaised
from engine.rockwell.play import Play
from engine.rockwell.state import AutomatonRaising, State

DONE = AutomatonRaising(done=True)


class RaiseSpace:
    """Which crew of the automaton goes up (RW-TWO-8, RW-TWO-17)."""

    __slots__ = ("crews", "tables")

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables = tables
        self.crews = [choice.crew for choice in automaton.raises(state)]

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The crew."""
        return None if chosen else Part("crew", self.crews)

    def build(self, chosen: tuple[Any, ...]) -> AutomatonRaise:
        """A step for it."""
        return AutomatonRaise(chosen[0])

    def split(self, choice: object) -> tuple[int]:
        """The crew."""
        if not isinstance(choice, AutomatonRaise):
            raise Illegal("wrong_kind", given=choice)
        return (choice.crew,)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """It has the most power already, or there is no such crew."""
        return "automaton_raise", {"crews": tuple(self.crews)}


def pending(tables: Tables, state: State, step: AutomatonRaising) -> Decision:
    """The first company in the management order chooses (RW-TWO-8)."""
    return Decision(AUTOMATON_STEP, (state.management[0],))


def space(tables: Tables, state: State, seat: int) -> RaiseSpace:
    """The crews below power 4."""
    return RaiseSpace(tables, state)


def run(play: Play, step: AutomatonRaising) -> bool:
    """Wait where there is something to choose; after the step the turn ends."""
    legal = automaton.raises(play.state)
    if step.done or not legal:
        ending.end_turn(play)
        return False
    if len(legal) > 1:
        return True
    _raise(play, legal[0], None)
    return False


def answer(play: Play, step: AutomatonRaising, answers: Mapping[int, AutomatonRaise]) -> None:
    """The step for the crew that was chosen."""
    for seat, choice in answers.items():
        _raise(play, choice, seat)


def _raise(play: Play, choice: AutomatonRaise, chooser: int | None) -> None:
    """One step of power, and at once the extraction that it brings about (RW-TWO-16)."""
    state = play.state
    state.stack[-1] = DONE
    number = automaton.CREWS.start + choice.crew
    state.power[number] += 1
    play.tell(AutomatonRaised(choice.crew, state.power[number], chooser))
    extraction.trigger(play, number, extraction.ripe(state, state.at[number]), automaton.CAUSE)
