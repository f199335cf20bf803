"""What the company that chooses for the automaton of a game of two may choose: RW-TWO.

The automaton's crews have the numbers after the companies', 8 to 11. All of it is public.
"""

from engine.rockwell.choices import AutomatonMove, AutomatonRaise
from engine.rockwell.geometry import CENTRE, DEPTH, ENTRANCES, ON, STEPS
from engine.rockwell.state import State
from engine.rockwell.view import RockwellView

SEATS = 2
"""The number of companies that the automaton plays with, and what stands for its own seat in events."""
CREWS = range(SEATS * 4, SEATS * 4 + 4)
MOST_POWER = 4
CAUSE = "automaton"
"""The cause of what it extracts."""


def moves(state: State | RockwellView) -> list[AutomatonMove]:
    """The moves among which the first company in the control order chooses, in the order of the board.

    A crew at an entrance or on a revealed tile comes first, then the most power, then the shallowest stratum. It goes
    to the unrevealed tile next to it that lacks the least power, with none there to any tile next to it; never to the
    centre. There is always one.
    """
    found = [(to, number - CREWS.start) for number in _crews(state) for to in _tiles(state, number)]
    return [AutomatonMove(crew, to) for to, crew in sorted(found)]


def raises(state: State | RockwellView) -> list[AutomatonRaise]:
    """The crews that may go up a step."""
    return [AutomatonRaise(number - CREWS.start) for number in CREWS if state.power[number] < MOST_POWER]


def _crews(state: State | RockwellView) -> list[int]:
    ranked = [(_rank(state, number), number) for number in CREWS]
    first = min(rank for rank, _ in ranked)
    return [number for rank, number in ranked if rank == first]


def _rank(state: State | RockwellView, number: int) -> tuple[bool, int, int]:
    spot = state.at[number]
    idle = spot in ENTRANCES or state.back[spot] >= 0
    return (not idle, -state.power[number], DEPTH[spot])


def _tiles(state: State | RockwellView, number: int) -> list[int]:
    tiles = [to for to in STEPS[state.at[number]] if to != CENTRE]
    hidden = [tile for tile in tiles if state.back[tile] < 0]
    lacking = {tile: state.required[tile] - _power(state, tile) for tile in hidden}
    return [tile for tile in hidden if lacking[tile] == min(lacking.values())] or tiles


def _power(state: State | RockwellView, tile: int) -> int:
    return sum(
        power + die for spot, power, die in zip(state.at, state.power, state.die, strict=True) if tile in ON[spot]
    )
