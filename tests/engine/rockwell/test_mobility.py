"""What the levels of mobility allow: RW-WRK-10 to 15 and 27 to 32."""

from typing import Any

import pytest

from engine.rockwell.choices import Drill, First
from engine.rockwell.events import Extracted, Fell, Moved
from engine.rockwell.geometry import CENTRE, ENTRANCES
from tests.engine.rockwell.position import Position, spot, tile


def names(*spots: str) -> set[int]:
    """Their numbers."""
    return {spot(name) for name in spots}


@pytest.mark.rule("RW-WRK-10")
def test_level_1_jumps_to_the_second_tile_in_the_stratum() -> None:
    """Left or right, also round the end of the ring; not up or down."""
    position = Position().crew(0, 0, "B8").levels(0, mobility=1).drilling(0)
    assert set(position.offered("to", 0)) == names("B8", "B7", "B1", "A8", "C8", "B6", "B2")
    assert position.do(Drill(0, tile("B2"))).state.at[0] == tile("B2")


@pytest.mark.rule("RW-WRK-11", "RW-WRK-15")
def test_level_2_straddles_its_tile_and_a_neighbour_and_keeps_level_1() -> None:
    """Both borders of its own tile, no other."""
    position = Position().crew(0, 0, "B3").levels(0, mobility=2).drilling(0)
    assert set(position.offered("to", 0)) == names("B3", "B2", "B4", "A3", "C3", "B1", "B5", "B2/B3", "B3/B4")
    assert position.why_not(Drill(0, spot("B4/B5"))) == "not_adjacent"
    assert position.do(Drill(0, spot("B3/B4"))).state.at[0] == spot("B3/B4")
    low = Position().crew(0, 0, "B3").levels(0, mobility=1).drilling(0)
    assert low.why_not(Drill(0, spot("B3/B4"))) == "needs_mobility"


@pytest.mark.rule("RW-WRK-15")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_each_level_of_mobility_includes_the_ones_before_it(level: int) -> None:
    """A jump at all three, a border from the second on, a second move at the third alone: which may be either again."""
    position = Position().crew(0, 0, "B3").levels(0, mobility=level).drilling(0)
    plain, jumps, borders = names("B3", "B2", "B4", "A3", "C3"), names("B1", "B5"), names("B2/B3", "B3/B4")
    assert set(position.offered("to", 0)) == plain | jumps | (borders if level > 1 else set())
    again = set(position.offered("second", 0, tile("B4")))
    assert (names("B6", "B4/B5", "C4") <= again) == (level == 3)
    assert bool(again) == (level == 3)


@pytest.mark.rule("RW-WRK-27")
def test_neither_tile_of_a_border_may_be_revealed() -> None:
    """Its own or the neighbour."""
    position = Position().crew(0, 0, "B3").levels(0, mobility=2).reveal("B4").drilling(0)
    assert position.why_not(Drill(0, spot("B3/B4"))) == "straddle_revealed"
    assert not position.why_not(Drill(0, spot("B2/B3")))
    assert position.reveal("B3").why_not(Drill(0, spot("B2/B3"))) == "straddle_revealed"


@pytest.mark.rule("RW-WRK-12", "RW-WRK-30")
def test_a_straddling_crew_moves_onto_one_of_its_tiles_or_stays() -> None:
    """For one move, and no further: no jump, no way down."""
    position = Position().crew(0, 0, "B3/B4").levels(0, mobility=2).drilling(0)
    assert set(position.offered("to", 0)) == names("B3/B4", "B3", "B4")
    assert position.do(Drill(0, tile("B4"))).state.at[0] == tile("B4")
    stays = Position().crew(0, 0, "B3/B4").levels(0, mobility=2).drilling(0).do(Drill(0, spot("B3/B4")))
    assert stays.state.at[0] == spot("B3/B4")


@pytest.mark.rule("RW-WRK-29")
def test_when_one_of_its_tiles_is_extracted_it_moves_onto_it_at_once() -> None:
    """Without a choice, before the cubes are shared."""
    position = Position().crew(1, 0, "B3/B4", 2).crew(0, 0, "B2", 2).tile("B3", 4).card((4, 0, 0, 0)).drilling(0)
    position.do(Drill(0, tile("B3")))
    assert position.told(Fell) == [Fell(1, 0, spot("B3/B4"), tile("B3"))]
    assert position.state.at[4] == tile("B3")
    assert position.company(1).cubes[0] == 5


@pytest.mark.rule("RW-WRK-13")
def test_only_one_crew_straddles_a_border() -> None:
    """Whosever it is; with `straddle_per_company` only its own stand in the way."""

    def taken_by(seat: int, **options: Any) -> str:
        position = Position(**options).crew(0, 0, "B3").levels(0, mobility=2).crew(seat, 1, "B3/B4").drilling(0)
        return position.why_not(Drill(0, spot("B3/B4")))

    assert taken_by(0) == taken_by(2) == "border_taken"
    assert taken_by(0, straddle_per_company=True) == "border_taken"
    assert taken_by(2, straddle_per_company=True) == ""


@pytest.mark.rule("RW-WRK-14")
def test_level_3_makes_two_moves_in_any_combination() -> None:
    """Down and down, there and back, one alone."""
    position = Position().crew(0, 0, "B3").levels(0, mobility=3).drilling(0)
    assert not position.why_not(Drill(0, tile("C3"), tile("D3")))
    assert not position.why_not(Drill(0, tile("B4"), tile("B3")))
    assert not position.why_not(Drill(0, tile("B4")))
    assert position.why_not(Drill(0, tile("B4"), tile("D4"))) == "not_adjacent"
    position.do(Drill(0, tile("C3"), tile("D3")))
    assert [moved.to for moved in position.told(Moved)] == [tile("C3"), tile("D3")]
    low = Position().crew(0, 0, "B3").levels(0, mobility=2).drilling(0)
    assert low.why_not(Drill(0, tile("C3"), tile("D3"))) == "needs_mobility"


@pytest.mark.rule("RW-WRK-31")
def test_each_of_the_two_moves_may_be_any_that_the_levels_allow() -> None:
    """Two jumps go four tiles; a border first or second; the centre second, and nothing after it."""
    position = Position().crew(0, 0, "D3").levels(0, mobility=3).drilling(0)
    for second in ("D7", "D5/D6", "D4/D5", "D6", "C5"):
        assert not position.why_not(Drill(0, tile("D5"), spot(second)))
    assert not position.why_not(Drill(0, spot("D3/D4"), tile("D4")))
    assert not position.why_not(Drill(0, tile("D4"), CENTRE))
    assert position.why_not(Drill(0, CENTRE, tile("D4"))) == "no_second_after_centre"
    assert position.why_not(Drill(0, spot("D3/D4"), tile("D5"))) == "not_adjacent"
    assert position.do(Drill(0, tile("D5"), tile("D7"))).state.at[0] == tile("D7")


@pytest.mark.rule("RW-WRK-32")
def test_the_first_move_from_an_entrance_is_onto_a_tile_that_it_faces() -> None:
    """No jump, no border; the second move is free again."""
    position = Position().levels(0, mobility=3).drilling(0)
    assert position.offered("to", 0) == [ENTRANCES[0], tile("A1"), tile("A2")]
    assert position.why_not(Drill(0, spot("A1/A2"))) == "not_adjacent"
    assert not position.why_not(Drill(0, tile("A1"), spot("A1/A2")))
    assert not position.why_not(Drill(0, tile("A2"), tile("A4")))


@pytest.mark.rule("RW-WRK-28")
def test_the_power_of_a_straddling_crew_counts_in_full_on_both_tiles() -> None:
    """With its subcontractor's: 2 and 2 make the 4 of B4, and with Green's 1 the 5 of B3."""
    position = Position().crew(0, 0, "B3/B4", 2, die=2).crew(1, 0, "B2").tile("B3", 5).tile("B4", 5).drilling(1)
    assert position.do(Drill(0, tile("B3"))).told(Extracted)[0].strength == 5
    both = Position().crew(0, 0, "B3", 2).levels(0, mobility=2).tile("B3", 9).tile("B4", 3).crew(1, 0, "B4")
    assert both.drilling(0).do(Drill(0, spot("B3/B4"))).told(Extracted)[0].tile == tile("B4")


def test_the_act_goes_on_after_the_choice_of_the_first_tile() -> None:
    """In passing over a border with both tiles ripe: the choice, the extraction, the move onto the other."""
    position = Position().crew(0, 0, "B3", 2, die=1).crew(1, 0, "B3").tile("B3", 5).tile("B4", 4)
    position.levels(0, mobility=3).drilling(0).do(Drill(0, spot("B3/B4"), tile("B4"), die=2))
    assert position.asked() == ("first", (0,))
    position.do(First(tile("B3")))
    extracted = [(event.tile, event.cause) for event in position.told(Extracted)]
    assert extracted == [(tile("B3"), "passing"), (tile("B4"), "move")]
    assert position.told(Fell) == [Fell(0, 0, spot("B3/B4"), tile("B3"))]
    assert position.state.at[0] == tile("B4")
