"""What the tests of two companies and the automaton share."""

from engine.rockwell.choices import AutomatonMove, AutomatonRaise, Drill, Pass
from engine.rockwell.geometry import TILE_NAMES
from engine.rockwell.state import WORKSHOP, Drilling, Workshop
from engine.spaces import every
from tests.engine.rockwell.late import RED
from tests.engine.rockwell.position import Position, tile

AUTOMATON = 2
"""What stands for a seat of the automaton."""


def with_automaton(*spots: str, power: tuple[int, ...] = (1, 1, 1, 1)) -> Position:
    """Two companies with all crews at their entrances, and the automaton's crews on these spots."""
    position = Position(2)
    for crew, (spot, strength) in enumerate(zip(spots, power, strict=True)):
        position.crew(AUTOMATON, crew, spot, strength)
    return position


def end_of_round(position: Position, round_: int = 1) -> Position:
    """The last company of a drilling round keeps its first crew where it is."""
    state = position.state
    seat = state.control[-1]
    return position.step(Drilling(round_, 1)).do(Drill(0, state.at[seat * 4]))


def moves(position: Position) -> list[str]:
    """The automaton's moves that are asked about, such as `c1 A4`."""
    assert position.asked()[0] == "automaton_move"
    legal = every(position.rules.space(position.state, position.asked()[1][0]), 100)
    return [f"c{move.crew + 1} {TILE_NAMES[move.to]}" for move in legal]


def move(position: Position, crew: int, to: str) -> Position:
    """The company that is asked moves crew 1 to 4 of the automaton."""
    return position.do(AutomatonMove(crew - 1, tile(to)))


def at_workshop(position: Position, seat: int) -> Position:
    """Phase III begins with a rich company alone on the first slot of its board, and the automaton's moves behind."""
    position.stock(seat, money=9000).slot(WORKSHOP, 0, seat)
    position.state.left[seat] = position.rules.tables.grants[WORKSHOP][0]
    return position.step(Workshop(0))


def end_of_workshop(position: Position) -> Position:
    """The last company of the workshop, which could act, passes."""
    return at_workshop(position, RED).do(Pass())


def raises(position: Position) -> list[int]:
    """The automaton's crews 1 to 4 for which a step is asked about."""
    assert position.asked()[0] == "automaton_step"
    legal = every(position.rules.space(position.state, position.asked()[1][0]), 100)
    return [choice.crew + 1 for choice in legal]


def lift(position: Position, crew: int) -> Position:
    """The company that is asked raises crew 1 to 4 of the automaton."""
    return position.do(AutomatonRaise(crew - 1))
