"""Bribery: RW-BRB."""

import pytest

from engine.rockwell.choices import Drill
from engine.rockwell.events import Bribed, Extracted, Shared
from engine.rockwell.geometry import CENTRE, ENTRANCES
from tests.engine.rockwell.position import Position, spot, tile

CARD = (7, 4, 0, 0)


def briber(slot: int = 0) -> Position:
    """Red on B4 with a slot of Board I, Green's first crew next to it."""
    return Position().crew(0, 0, "B4").crew(1, 0, "B5").slot(0, slot, 0).drilling(0)


def bribes(position: Position, crew: int = 4, at: str = "B4", onto: int = -1) -> str:
    """Why Red's first crew can't stay and bribe that crew; empty if it can."""
    return position.why_not(Drill(0, spot(at), bribe=crew, onto=onto))


@pytest.mark.rule("RW-BRB-1")
def test_slots_1_and_2_bring_an_opponents_crew_from_an_adjacent_tile() -> None:
    """After the move, from left, right, above or below the tile where it ends; not from further away."""
    for slot in (0, 1):
        position = briber(slot).do(Drill(0, tile("B4"), bribe=4))
        assert position.state.at[4] == tile("B4")
        (event,) = position.told(Bribed)
        assert (event.owner, event.target, event.origin, event.to) == (1, 0, tile("B5"), tile("B4"))
    for slot in (2, 3):
        assert bribes(briber(slot)) == "no_right"
    for name in ("B3", "A4", "C4"):
        assert bribes(briber().crew(1, 0, name)) == ""
    for name in ("B6", "C5", "D4", "B4"):
        assert bribes(briber().crew(1, 0, name).crew(2, 0, "B5")) == "not_in_reach"
    moved = briber().crew(1, 0, "C3").do(Drill(0, tile("B3"), bribe=4))
    assert moved.state.at[4] == tile("B3")


@pytest.mark.rule("RW-BRB-2", "RW-BRB-19")
def test_the_tile_where_it_ends_is_unrevealed_the_one_that_it_comes_from_need_not_be() -> None:
    """Onto a revealed tile none is brought; from one it is."""
    assert bribes(briber().reveal("B4")) == "tile_revealed"
    assert briber().reveal("B5").do(Drill(0, tile("B4"), bribe=4)).state.at[4] == tile("B4")


@pytest.mark.rule("RW-BRB-3")
def test_ones_own_crew_can_not_be_bribed() -> None:
    """Though it is adjacent."""
    assert bribes(briber().crew(0, 1, "B3"), crew=1) == "own_crew"


@pytest.mark.rule("RW-BRB-13")
def test_a_crew_at_an_entrance_can_not_be_bribed() -> None:
    """Not even onto a tile that it faces."""
    position = Position().crew(0, 0, "A1").crew(1, 1, "A2").slot(0, 0, 0).drilling(0)
    assert position.state.at[4] == ENTRANCES[0]
    assert bribes(position, crew=4, at="A1") == "not_in_reach"
    assert bribes(position, crew=5, at="A1") == ""


@pytest.mark.rule("RW-BRB-14")
def test_no_crew_is_bribed_into_the_centre() -> None:
    """Not by a crew that goes there, and no crew comes out of it."""
    position = Position().crew(0, 0, "D4").crew(1, 0, "D5").crew(1, 1, "centre").slot(0, 0, 0).drilling(0)
    assert position.why_not(Drill(0, CENTRE, bribe=4)) == "no_bribery_here"
    assert bribes(position, crew=5, at="D4") == "not_in_reach"


@pytest.mark.rule("RW-BRB-4", "RW-BRB-16")
def test_each_use_takes_a_bribery_tile_and_with_none_left_there_is_no_bribery() -> None:
    """Three a turn; they are back for the next."""
    position = briber()
    for left, name in ((2, "B5"), (1, "B3"), (0, "A4")):
        position.crew(1, 0, name).drilling(0).do(Drill(0, tile("B4"), bribe=4))
        assert position.state.bribery == left
    position.crew(1, 0, "B5").drilling(0)
    assert bribes(position) == "no_bribery_left"
    while position.state.turn == 1:
        position.do(*(position.rules.default(position.state, seat) for seat in position.asked()[1]))
    assert position.state.bribery == 3


@pytest.mark.rule("RW-BRB-5")
def test_at_most_once_per_company_and_round() -> None:
    """One act, one crew bribed; in the next round again."""
    position = briber().crew(1, 1, "B3")
    position.do(Drill(0, tile("B4"), bribe=4))
    assert len(position.told(Bribed)) == 1
    assert position.asked() == ("drill", (1,))
    position.drilling(0, round_=2).do(Drill(0, tile("B4"), bribe=5))
    assert position.state.at[5] == tile("B4")


@pytest.mark.rule("RW-BRB-6", "RW-BRB-15")
def test_a_bribed_crew_brings_its_subcontractor_for_the_fee_of_its_power() -> None:
    """$1,500 for 2; the power stays, the die stays with it, and the choice has no word about either."""
    position = briber().crew(1, 0, "B5", 1, die=2)
    assert position.offered("die", 0, tile("B4"), 4) == []
    position.do(Drill(0, tile("B4"), bribe=4))
    assert (position.company(0).money, position.company(1).money) == (1500, 3000)
    assert (position.state.die[4], position.state.dice) == (2, 2)
    (event,) = position.told(Bribed)
    assert (event.die, event.fee) == (2, 1500)


@pytest.mark.rule("RW-BRB-7")
def test_example_of_a_stay() -> None:
    """Green 1 stays and bribes Red 1 with a die of 1, paying $1,000: 3 Z, 2 C each; Red also 1 Z; Green the card."""
    position = Position().crew(1, 0, "A4").crew(0, 0, "A5", 1, die=1).tile("A4", 3).card(CARD).slot(0, 0, 1)
    position.drilling(1).do(Drill(0, tile("A4"), bribe=0))
    (event,) = position.told(Extracted)
    assert (event.seat, event.cause, event.strength) == (1, "bribe", 3)
    assert position.company(1).money == 2000
    assert position.company(0).cubes == [3 + 4, 2 + 2, 1, 0]
    assert position.company(1).cubes == [3 + 3, 2 + 2, 1, 0]
    assert (position.company(0).cards, position.company(1).cards) == (0, 1)
    assert position.told(Shared)[0].reason == "dominant"


@pytest.mark.rule("RW-BRB-8")
def test_example_of_a_move() -> None:
    """Green 1 there, Red 1 moves in and bribes Purple 1: Red triggers and gets what is left over, 1 Z and 1 C."""
    position = Position().crew(1, 0, "A4").crew(0, 0, "A3").crew(2, 0, "A5").tile("A4", 3).card(CARD).slot(0, 1, 0)
    position.drilling(0).do(Drill(0, tile("A4"), bribe=8))
    (event,) = position.told(Shared)
    assert (event.priority, event.reason, event.rest) == (0, "triggered", (1, 1, 0, 0))
    assert [company.cubes[:2] for company in position.state.companies] == [[6, 4], [5, 3], [5, 3], [3, 2]]
    assert position.company(0).cards == 1


@pytest.mark.rule("RW-BRB-9")
def test_not_onto_a_stratum_below_its_subcontractors_power() -> None:
    """A die of 2 goes to B, not to A."""
    assert bribes(briber().crew(0, 0, "A4").crew(1, 0, "B4", 1, die=2), at="A4") == "above_cap"
    assert bribes(briber().crew(1, 0, "B5", 1, die=2)) == ""


@pytest.mark.rule("RW-BRB-17")
def test_nor_by_a_company_that_can_not_pay_the_fee() -> None:
    """$900 for a die of 1; a crew without one costs nothing."""
    assert bribes(briber().crew(1, 0, "B5", 1, die=1).stock(0, money=900)) == "cannot_pay"
    assert bribes(briber().stock(0, money=0)) == ""
    taken = briber().crew(0, 0, "B3", 1, die=1).crew(1, 0, "B5", 1, die=1).stock(0, money=1900)
    assert taken.why_not(Drill(0, tile("B4"), die=1, bribe=4)) == "cannot_pay"
    assert taken.stock(0, money=2000).why_not(Drill(0, tile("B4"), die=1, bribe=4)) == ""


@pytest.mark.rule("RW-BRB-10")
def test_a_straddling_crew_can_be_bribed_from_either_of_its_tiles() -> None:
    """Even when the other is the active crew's; then it stands on that tile alone."""
    for name in ("B4/B5", "B5/B6", "A4/A5", "C3/C4"):
        position = briber().crew(1, 0, name)
        assert bribes(position) == ""
        assert position.do(Drill(0, tile("B4"), bribe=4)).state.at[4] == tile("B4")
    assert bribes(briber().crew(1, 0, "B6/B7").crew(2, 0, "B5")) == "not_in_reach"


@pytest.mark.rule("RW-BRB-18")
def test_a_bribed_crew_stays_its_owners() -> None:
    """Its share and its loss to danger are Green's, and Green plays it next."""
    position = briber().crew(1, 0, "B5", 3).tile("B4", 4).card((4, 0, 0, 4), danger=True)
    position.do(Drill(0, tile("B4"), bribe=4))
    assert position.company(1).cubes == [3 + 1, 2, 1, 0]
    assert position.company(0).cubes == [3 + 2, 2, 1, 1]
    assert position.asked() == ("drill", (1,))
    assert not position.why_not(Drill(0, tile("B3")))


@pytest.mark.rule("RW-BRB-11")
def test_a_straddling_briber_names_the_tile() -> None:
    """From a tile adjacent to the one named: the crew on B4 itself can come to B5, not one on B3."""
    position = Position().crew(0, 0, "B4/B5").crew(1, 0, "B6").crew(1, 1, "B4").crew(1, 2, "C4").slot(0, 0, 0)
    position.drilling(0)
    here, there = tile("B4"), tile("B5")
    assert bribes(position, 4, "B4/B5", there) == ""
    assert bribes(position, 4, "B4/B5", here) == "not_in_reach"
    assert bribes(position, 5, "B4/B5", there) == ""
    assert bribes(position, 6, "B4/B5", here) == ""
    assert bribes(position, 6, "B4/B5", there) == "not_in_reach"
    assert bribes(position, 4, "B4/B5", tile("B6")) == "not_straddling"
    position.do(Drill(0, spot("B4/B5"), bribe=5, onto=there))
    assert position.state.at[5] == there


@pytest.mark.rule("RW-BRB-12")
def test_a_crew_at_an_entrance_or_at_the_centre_can_not_bribe() -> None:
    """Neither staying outside nor arriving inside."""
    position = Position().crew(1, 0, "A1").crew(0, 1, "D4").crew(1, 1, "D5").slot(0, 0, 0).drilling(0)
    assert position.why_not(Drill(0, ENTRANCES[0], bribe=4)) == "no_bribery_here"
    assert position.why_not(Drill(1, CENTRE, bribe=5)) == "no_bribery_here"
    assert position.why_not(Drill(0, tile("A2"), bribe=4)) == ""
