"""The automaton moves at the end of each drilling round, after the companies: RW-TWO-2 to 7."""

from collections.abc import Mapping
from typing import Any

from engine.contract import Decision, Part
from engine.errors import Illegal
from engine.rockwell import automaton, extraction
from engine.rockwell.choices import AUTOMATON_MOVE, AutomatonMove
from engine.rockwell.components import Tables
from engine.rockwell.events import AutomatonMoved
from engine.rockwell.play import Play
from engine.rockwell.state import AutomatonMoving, Drilling, State


class MoveSpace:
    """Which crew of the automaton moves, and where (RW-TWO-2 to 7)."""

    __slots__ = ("moves", "tables")

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables = tables
        self.moves = automaton.moves(state)

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The crew, then the tile."""
        if not chosen:
            return Part("crew", self._crews())
        return Part("to", self._tiles(chosen[0])) if len(chosen) == 1 else None

    def build(self, chosen: tuple[Any, ...]) -> AutomatonMove:
        """That move."""
        return AutomatonMove(*chosen)

    def split(self, choice: object) -> tuple[int, int]:
        """The crew and the tile."""
        if not isinstance(choice, AutomatonMove):
            raise Illegal("wrong_kind", given=choice)
        return (choice.crew, choice.to)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Another crew comes first, or goes elsewhere."""
        if chosen:
            return "automaton_tile", {"tiles": tuple(self._tiles(chosen[0]))}
        return "automaton_crew", {"crews": tuple(self._crews())}

    def _crews(self) -> list[int]:
        return sorted({move.crew for move in self.moves})

    def _tiles(self, crew: int) -> list[int]:
        return [move.to for move in self.moves if move.crew == crew]


def pending(tables: Tables, state: State, step: AutomatonMoving) -> Decision:
    """The first company in the control order chooses (RW-TWO-13)."""
    return Decision(AUTOMATON_MOVE, (state.control[0],))


def space(tables: Tables, state: State, seat: int) -> MoveSpace:
    """The moves that the rules leave open."""
    return MoveSpace(tables, state)


def run(play: Play, step: AutomatonMoving) -> bool:
    """Wait where there is something to choose; else move."""
    legal = automaton.moves(play.state)
    if len(legal) > 1:
        return True
    _move(play, step, legal[0], None)
    return False


def answer(play: Play, step: AutomatonMoving, answers: Mapping[int, AutomatonMove]) -> None:
    """The move that was chosen."""
    for seat, choice in answers.items():
        _move(play, step, choice, seat)


def _move(play: Play, step: AutomatonMoving, choice: AutomatonMove, chooser: int | None) -> None:
    """The crew moves, and extracts at once what it makes ripe (RW-TWO-11); then the round is over."""
    state = play.state
    state.stack[-1] = Drilling(step.round, automaton.SEATS + 1)
    number = automaton.CREWS.start + choice.crew
    play.tell(AutomatonMoved(choice.crew, state.at[number], choice.to, chooser))
    state.at[number] = choice.to
    extraction.trigger(play, number, extraction.ripe(state, choice.to), automaton.CAUSE)
