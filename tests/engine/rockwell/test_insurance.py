"""Insurance and drilling order: RW-INS, RW-ORD."""

import pytest

from engine.rockwell.choices import Drill, Insure
from engine.rockwell.events import ControlOrder, Insured, Yielded
from engine.rockwell.geometry import ENTRANCES
from engine.rockwell.state import Drilling, Insuring
from tests.engine.rockwell.position import Position, tile

NOTHING = Insure((0, 0, 0, 0))
STAY = Drill(0, ENTRANCES[0])


def insuring() -> Position:
    """At the insurance step."""
    return Position().step(Insuring())


@pytest.mark.rule("RW-INS-1")
def test_any_cubes_become_as_many_insurance_tiles() -> None:
    """All, some or none; never more than it has."""
    position = insuring()
    assert position.why_not(Insure((4, 0, 0, 0)), 0) == "too_many_cubes"
    position.do(Insure((3, 2, 1, 0)), Insure((1, 0, 1, 0)), NOTHING, NOTHING)
    assert [company.insurance for company in position.state.companies] == [6, 2, 0, 0]
    assert position.company(0).cubes == [0, 0, 0, 0]
    assert position.company(1).cubes == [2, 2, 0, 0]


@pytest.mark.rule("RW-INS-2")
def test_insuring_is_sealed_and_secret() -> None:
    """All at the same time; the event is for the seat alone, with nothing in its place, and no view shows it."""
    position = insuring()
    decision = position.rules.pending(position.state)
    assert decision is not None
    assert decision.sealed
    assert decision.seats == (0, 1, 2, 3)
    other = insuring().do(NOTHING, NOTHING, NOTHING, NOTHING)
    position.do(Insure((2, 0, 0, 0)), NOTHING, NOTHING, NOTHING)
    for event in position.events:
        if isinstance(event.data, Insured):
            assert event.seats == (event.data.seat,)
            assert event.seen_by((event.data.seat + 1) % 4) is None
    assert position.rules.view(position.state, 1) == other.rules.view(other.state, 1)
    assert position.rules.view(position.state, None) == other.rules.view(other.state, None)


@pytest.mark.rule("RW-INS-3")
def test_insurance_keeps_from_turn_to_turn() -> None:
    """A turn's end leaves it, and more comes on top."""
    position = insuring().do(Insure((1, 0, 0, 0)), NOTHING, NOTHING, NOTHING)
    turn = position.state.turn
    while position.state.turn == turn or position.asked()[0] != "insure":
        seats = position.asked()[1]
        position.do(*(position.rules.default(position.state, seat) for seat in seats))
    assert position.company(0).insurance == 1
    position.do(Insure((1, 0, 0, 0)), NOTHING, NOTHING, NOTHING)
    assert position.company(0).insurance == 2


@pytest.mark.rule("RW-INS-4")
def test_insurance_is_no_cube() -> None:
    """Cubes turned into insurance are gone from the stock: not to sell, deliver, bid or be counted at the end."""
    position = insuring().stock(0, (0, 0, 5, 0)).do(Insure((0, 0, 5, 0)), NOTHING, NOTHING, NOTHING)
    assert position.company(0).cubes == [0, 0, 0, 0]
    silver = {standing.seat: standing.sources.get("silver", 0) for standing in position.rules.standings(position.state)}
    assert silver[0] == 0


@pytest.mark.rule("RW-INS-5")
def test_insurance_is_never_taken_once_drilling_has_begun() -> None:
    """No later decision of the turn takes an Insure."""
    position = insuring().do(NOTHING, NOTHING, NOTHING, NOTHING)
    while position.asked()[0] != "bid":
        seats = position.asked()[1]
        assert position.asked()[0] != "insure"
        assert position.why_not(Insure((1, 0, 0, 0))) == "wrong_kind"
        position.do(*(position.rules.default(position.state, seat) for seat in seats))


@pytest.mark.rule("RW-ORD-1", "RW-ORD-4")
def test_board_i_comes_first_by_slot_then_the_others_as_they_stood() -> None:
    """Purple (2) on slot 2 and Green (1) on slot 3: Purple, Green, then White (3) and Red (0) as they stood."""
    position = insuring().slot(0, 1, 2).slot(0, 2, 1)
    position.state.control = [3, 1, 0, 2]
    position.do(NOTHING, NOTHING, NOTHING, NOTHING)
    assert position.state.control == [2, 1, 3, 0]
    (order,) = position.told(ControlOrder)
    assert (order.before, order.order) == ((3, 1, 0, 2), (2, 1, 3, 0))
    assert position.asked() == ("drill", (2,))


@pytest.mark.rule("RW-ORD-2")
def test_phase_i_runs_in_its_order() -> None:
    """Insurance, drilling order, four rounds, mineshafts; then the next phase."""
    position = insuring().tile("A4", 50, yields=(0, 0, 0, 2)).reveal("A4").mineshaft("A4", 3)
    position.slot(0, 0, 3)
    assert position.asked()[0] == "insure"
    position.do(NOTHING, NOTHING, NOTHING, NOTHING)
    assert position.state.control[0] == 3
    for _ in range(16):
        assert position.asked()[0] == "drill"
        assert not position.told(Yielded)
        position.do(STAY)
    assert position.told(Yielded) == [Yielded(3, tile("A4"), (0, 0, 0, 2))]
    assert position.asked()[0] != "drill"


@pytest.mark.rule("RW-ORD-3")
def test_a_company_without_a_vice_president_on_board_i_still_takes_part() -> None:
    """It insures and drills; it may only not bribe or hire."""
    position = insuring().crew(1, 1, "A1").slot(0, 0, 3)
    assert 0 in position.asked()[1]
    position.do(Insure((1, 0, 0, 0)), NOTHING, NOTHING, NOTHING).step(Drilling(1, 0))
    position.state.control = [0, 1, 2, 3]
    assert position.asked() == ("drill", (0,))
    assert position.why_not(Drill(0, tile("A2"), hire=1)) == "no_right"
    assert position.why_not(Drill(0, tile("A2"), bribe=5)) == "no_right"
    position.do(Drill(0, tile("A2")))
    assert position.state.at[0] == tile("A2")
