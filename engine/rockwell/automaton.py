"""The automaton's crews, numbers 8 to 11 of a game of two: what the company that chooses for it may choose."""

from engine.rockwell.choices import AutomatonMove, AutomatonRaise
from engine.rockwell.geometry import CENTRE, DEPTH, ENTRANCES, ON, STEPS
from engine.rockwell.state import State

CREWS = range(8, 12)
MOST_POWER = 4


def moves(state: State) -> list[AutomatonMove]:
    """The moves among which the first company in the control order chooses, in the order of the board.

    A crew at an entrance or on a revealed tile comes first, then the most power, then the shallowest stratum. It goes
    to the unrevealed tile next to it that lacks the least power, with none there to any tile next to it; never to the
    centre.
    """
    found = [(to, number - CREWS.start) for number in _crews(state) for to in _tiles(state, number)]
    return [AutomatonMove(crew, to) for to, crew in sorted(found)]


def raises(state: State) -> list[AutomatonRaise]:
    """The crews that may go up a step."""
    return [AutomatonRaise(number - CREWS.start) for number in CREWS if state.power[number] < MOST_POWER]


def _crews(state: State) -> list[int]:
    ranked = [(_rank(state, number), number) for number in CREWS if state.at[number] != CENTRE]
    first = min(rank for rank, _ in ranked)
    return [number for rank, number in ranked if rank == first]


def _rank(state: State, number: int) -> tuple[bool, int, int]:
    spot = state.at[number]
    idle = spot in ENTRANCES or state.back[spot] >= 0
    return (not idle, -state.power[number], DEPTH[spot])


def _tiles(state: State, number: int) -> list[int]:
    tiles = [to for to in STEPS[state.at[number]] if to != CENTRE]
    hidden = [tile for tile in tiles if state.back[tile] < 0]
    lacking = {tile: state.required[tile] - _power(state, tile) for tile in hidden}
    return [tile for tile in hidden if lacking[tile] == min(lacking.values())] or tiles


def _power(state: State, tile: int) -> int:
    return sum(
        power + die for spot, power, die in zip(state.at, state.power, state.die, strict=True) if tile in ON[spot]
    )
