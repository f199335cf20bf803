"""What the tests of phases II and III and of the end of a turn share: ways to get there, and short words for it."""

from typing import Any

import pytest

from engine import spaces
from engine.contract import Choice
from engine.errors import Illegal
from engine.rockwell.choices import Drill, Pass
from engine.rockwell.geometry import CENTRE
from engine.rockwell.state import EXCHANGE, WORKSHOP, Drilling
from tests.engine.rockwell.position import Position

RED, GREEN, PURPLE, WHITE = range(4)
EACH = (5, 5, 5, 5)


def end_of_drilling(position: Position) -> Position:
    """The last crew of the last drilling round stays."""
    state = position.state
    seat = state.control[-1]
    crew = next(crew for crew in range(4) if state.at[seat * 4 + crew] != CENTRE)
    position.step(Drilling(4, len(state.control) - 1))
    return position.do(Drill(crew, state.at[seat * 4 + crew]))


def on_board(position: Position, board: int, *seats: int) -> Position:
    """Vice presidents on a board from the left; -1 leaves a slot free."""
    for slot, seat in enumerate(seats):
        position.slot(board, slot, seat)
    return position


def at_market(position: Position, *seats: int, workshop: tuple[int, ...] = (RED,)) -> Position:
    """Phase II begins, with vice presidents on these slots of its board."""
    on_board(position, EXCHANGE, *seats)
    on_board(position, WORKSHOP, *workshop)
    return end_of_drilling(position)


def at_workshop(position: Position, *seats: int) -> Position:
    """Phase III begins, with vice presidents on these slots of its board and nobody in the market."""
    on_board(position, WORKSHOP, *seats)
    return end_of_drilling(position)


def end_of_turn(position: Position) -> Position:
    """The last company of the workshop passes."""
    return at_workshop(position.stock(RED, money=9000), RED).do(Pass())


def rich(position: Position, money: int = 9000, cubes: Any = EACH) -> Position:
    """Every company has that stock."""
    for seat in range(len(position.state.companies)):
        position.stock(seat, cubes, money)
    return position


def refused(position: Position, choice: Choice) -> Illegal:
    """The refusal of a choice by the seat that is asked; the state is unchanged."""
    before = position.state.copy()
    _, seats = position.asked()
    with pytest.raises(Illegal) as caught:
        spaces.check(position.rules.space(position.state, seats[0]), choice)
    assert position.state == before
    return caught.value
