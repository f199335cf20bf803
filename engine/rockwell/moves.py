"""Where one move leads a crew: RW-DRL-2 to 5, RW-WRK-10 to 13, 27, 30."""

from engine.rockwell.components import Tables
from engine.rockwell.geometry import BORDERS, CENTRE, ON, SECOND, SPOTS, STEPS
from engine.rockwell.state import State

JUMPS = tuple((*STEPS[spot], *SECOND[spot]) if spot < CENTRE else STEPS[spot] for spot in range(SPOTS))
"""As STEPS, with the second tiles left and right that mobility 1 opens."""


def onward(tables: Tables, state: State, number: int, spot: int) -> tuple[int, ...]:
    """The spots that one move from `spot` leads crew `number` to; staying is no move."""
    mobility = state.companies[number >> 2].mobility
    if mobility == 0:
        return STEPS[spot]
    if mobility == 1 or spot >= CENTRE:
        return JUMPS[spot]
    return JUMPS[spot] + tuple(
        border for border in BORDERS[spot] if whole(state, border) and taken_by(tables, state, number, border) is None
    )


def whole(state: State, border: int) -> bool:
    """Whether neither of the two tiles is revealed (RW-WRK-27)."""
    left, right = ON[border]
    return state.back[left] < 0 and state.back[right] < 0


def taken_by(tables: Tables, state: State, number: int, border: int) -> int | None:
    """The other crew that keeps crew `number` from a border, if there is one (RW-WRK-13)."""
    if border in state.at:
        for other, spot in enumerate(state.at):
            if spot == border and other != number and (not tables.straddle_per_company or other >> 2 == number >> 2):
                return other
    return None
