"""Vice presidents: RW-VP."""

import pytest
from msgspec.structs import replace

from engine.rockwell.choices import Place
from engine.rockwell.events import Placed, StayedHome
from engine.rockwell.state import Placing
from tests.engine.rockwell.position import Position


def placing(index: int = 0, order: tuple[int, ...] = (0, 1, 2, 3)) -> Position:
    """At the placing of vice presidents, in that management order."""
    position = Position().step(Placing(index))
    position.state.management = list(order)
    return position


@pytest.mark.rule("RW-VP-1")
def test_each_places_one_and_then_in_the_same_order_its_second() -> None:
    """Management order twice; the first may take any slot of any board."""
    position = placing(order=(2, 0, 3, 1))
    assert position.offered("board") == [0, 1, 2]
    assert all(position.offered("slot", board) == [0, 1, 2, 3] for board in range(3))
    asked = []
    for board in (0, 0, 0, 0, 1, 1, 1, 1):
        (seat,) = position.asked()[1]
        asked.append(seat)
        position.do(Place(board, position.offered("slot", board)[0]))
        assert position.told(Placed)[0].seat == seat
    assert asked == [2, 0, 3, 1, 2, 0, 3, 1]
    assert position.state.slots == [2, 0, 3, 1, 2, 0, 3, 1, -1, -1, -1, -1]
    assert position.asked()[0] == "insure"


@pytest.mark.rule("RW-VP-2")
def test_a_slot_holds_one() -> None:
    """A taken slot is refused."""
    position = placing().do(Place(2, 1))
    assert position.why_not(Place(2, 1)) == "slot_taken"
    assert position.offered("slot", 2) == [0, 2, 3]


@pytest.mark.rule("RW-VP-3")
def test_never_both_on_one_board() -> None:
    """The second goes to another board."""
    position = placing(4).slot(1, 2, 0)
    assert position.why_not(Place(1, 0)) == "on_that_board"
    assert position.offered("board") == [0, 2]


@pytest.mark.rule("RW-VP-4")
def test_one_with_no_slot_stays_at_home_and_one_with_a_slot_goes() -> None:
    """Three companies with short boards: the last finds no slot; a single slot left is taken unasked."""
    position = Position(3).step(Placing(5))
    position.slot(0, 0, 2).slot(1, 0, 0).slot(1, 1, 1).slot(2, 0, 0).slot(2, 1, 1)
    position.rules.tables = replace(position.rules.tables, grants=((1,) * 4, (3,) * 2, (3,) * 2))
    position.state.stack[:] = [Placing(4)]
    position.slot(0, 1, -1)
    # Seat 1 has both the boards; only Board I is left to it.
    position.do(Place(0, 1))
    assert [event.seat for event in position.told(StayedHome)] == [2]
    single = Position().step(Placing(6))
    for slot in range(3):
        single.slot(0, slot, slot)
        single.slot(1, slot, slot)
    single.slot(2, 0, 3).slot(2, 1, 3).slot(2, 2, 3).slot(1, 3, 2)
    single.do(Place(2, 3))
    assert (single.told(Placed)[1].seat, single.told(Placed)[1].board, single.told(Placed)[1].slot) == (3, 0, 3)


def test_no_such_place_is_told() -> None:
    """Board 4 or slot 9."""
    assert placing().why_not(Place(3, 0)) == "no_such_board"
    assert placing().why_not(Place(1, 9)) == "no_such_slot"
