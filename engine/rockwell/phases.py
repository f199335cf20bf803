"""What phases II and III have in common: companies with a vice president on a board act in turn until all are done.

A phase's step has `index`: a slot of its board, or, with the option `phase_order` set to `management`, a place in the
management order. A company that is done takes its vice president back at once, so its slot is empty.
"""

from engine.rockwell.components import Tables
from engine.rockwell.events import Passed
from engine.rockwell.play import Play
from engine.rockwell.state import State

SLOTS = 4


def grant(play: Play, board: int) -> None:
    """Give each company on the board what its slot grants."""
    state = play.state
    state.left = [0] * play.tables.seats
    state.traded = [0] * play.tables.seats
    for slot, granted in enumerate(play.tables.grants[board]):
        seat = state.slots[board * SLOTS + slot]
        if seat >= 0:
            state.left[seat] = granted


def actor(tables: Tables, state: State, board: int, index: int) -> int:
    """The company whose turn it is at `index`, -1 where none is there or it is done (RW-MKT-9, RW-WRK-19)."""
    if tables.phase_order == "slots":
        return state.slots[board * SLOTS + index]
    if index >= tables.seats:
        return -1
    seat = state.management[index]
    return seat if state.left[seat] else -1


def turn(tables: Tables, state: State, board: int, index: int) -> int:
    """The first index from this one on, round the board, where a company acts; -1 when all are done."""
    for step in range(SLOTS):
        at = (index + step) % SLOTS
        if actor(tables, state, board, at) >= 0:
            return at
    return -1


def spend(state: State, board: int, seat: int) -> None:
    """One transaction or action is used; after the last one the vice president goes home."""
    state.left[seat] -= 1
    if not state.left[seat]:
        _home(state, board, seat)


def leave(play: Play, board: int, seat: int, forced: bool) -> None:
    """A company passes and is done."""
    play.state.left[seat] = 0
    _home(play.state, board, seat)
    play.tell(Passed(seat, board, forced))


def _home(state: State, board: int, seat: int) -> None:
    first = board * SLOTS
    state.slots[state.slots.index(seat, first, first + SLOTS)] = -1
