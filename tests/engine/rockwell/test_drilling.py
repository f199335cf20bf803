"""The drilling rounds: RW-DRL."""

from typing import Any

import pytest

from engine.rockwell.choices import LEFT, Cover, Drill
from engine.rockwell.events import (
    CentreReached,
    DieLeft,
    Extracted,
    Fell,
    Hired,
    Lapsed,
    Moved,
    NoCrew,
    RoundBegan,
    Stayed,
)
from engine.rockwell.geometry import CENTRE, ENTRANCES
from tests.engine.rockwell.position import Position, spot, tile

STAY = Drill(0, ENTRANCES[0])


@pytest.mark.rule("RW-DRL-1", "RW-DRL-12")
def test_four_rounds_in_which_each_company_plays_one_crew_in_control_order() -> None:
    """Sixteen acts, four times round the control order."""
    position = Position().drilling(2, 0, 3, 1)
    played = []
    rounds = []
    while position.asked()[0] == "drill":
        decision = position.rules.pending(position.state)
        assert decision is not None
        played.append((decision.round, *decision.seats))
        position.do(STAY)
        rounds += [began.round for began in position.told(RoundBegan)]
    assert played == [(round_, seat) for round_ in (1, 2, 3, 4) for seat in (2, 0, 3, 1)]
    assert rounds == [2, 3, 4]


@pytest.mark.rule("RW-DRL-2")
def test_a_crew_moves_to_one_adjacent_tile_or_stays() -> None:
    """Left, right, up, down, revealed or not; nowhere further."""
    position = Position().crew(0, 0, "B3").reveal("B4").drilling(0)
    assert set(position.offered("to", 0)) == {tile(name) for name in ("B3", "B2", "B4", "A3", "C3")}
    assert position.why_not(Drill(0, tile("B5"))) == "needs_mobility"
    assert position.why_not(Drill(0, tile("C4"))) == "not_adjacent"
    assert position.why_not(Drill(0, tile("D3"))) == "not_adjacent"
    stays = Position().crew(0, 0, "B3").drilling(0).do(Drill(0, tile("B3")))
    assert stays.told(Stayed) == [Stayed(0, 0, tile("B3"))]
    assert stays.asked() == ("drill", (1,))
    position.do(Drill(0, tile("B4")))
    assert position.state.at[0] == tile("B4")


@pytest.mark.rule("RW-DRL-3")
def test_an_entrance_leads_to_the_two_tiles_that_it_faces() -> None:
    """Entrance 2 to A3 and A4."""
    position = Position().drilling(0)
    assert position.offered("to", 1) == [ENTRANCES[1], tile("A3"), tile("A4")]
    assert position.do(Drill(1, tile("A4"))).state.at[1] == tile("A4")


@pytest.mark.rule("RW-DRL-4")
def test_from_ring_d_a_crew_may_go_to_the_centre_and_is_gone() -> None:
    """It never acts again."""
    position = Position().crew(0, 2, "D5").crew(0, 1, "C5").drilling(0)
    assert position.why_not(Drill(1, CENTRE)) == "not_adjacent"
    position.do(Drill(2, CENTRE))
    assert position.told(CentreReached) == [CentreReached(0, 2)]
    position.drilling(0)
    assert position.offered("crew") == [0, 1, 3]
    assert position.why_not(Drill(2, tile("D5"))) == "crew_at_centre"


@pytest.mark.rule("RW-DRL-11")
def test_the_die_of_a_crew_that_goes_to_the_centre_returns() -> None:
    """Back on Board I, without a fee."""
    position = Position().crew(0, 2, "D5", die=3).drilling(0)
    assert position.state.dice == 2
    position.do(Drill(2, CENTRE))
    assert position.state.dice == 3
    assert position.state.die[2] == 0
    assert position.told(DieLeft) == [DieLeft(0, 2, 3, True)]
    assert position.company(0).money == 3000
    second = Position().crew(0, 2, "C5", die=2).levels(0, mobility=3).drilling(0).do(Drill(2, tile("D5"), CENTRE))
    assert second.told(DieLeft) == [DieLeft(0, 2, 2, True)]
    assert (second.state.dice, second.state.die[2], second.company(0).money) == (3, 0, 3000)


@pytest.mark.rule("RW-DRL-5")
def test_a_crew_never_moves_back_to_an_entrance() -> None:
    """From A1 entrance 1 is no move."""
    position = Position().crew(0, 0, "A1").drilling(0)
    assert position.why_not(Drill(0, ENTRANCES[0])) == "back_to_entrance"
    assert not set(position.offered("to", 0)) & set(ENTRANCES)


@pytest.mark.rule("RW-DRL-6")
def test_bribery_or_hire_ends_the_move_by_slot() -> None:
    """Slots 1 and 2 bribe, slots 3 and 4 hire, no slot gives both."""
    for slot in range(4):
        position = Position().crew(0, 0, "B3").crew(1, 0, "B5").slot(0, slot, 0).drilling(0)
        bribes = not position.why_not(Drill(0, tile("B4"), bribe=4))
        hires = not position.why_not(Drill(0, tile("B4"), hire=1))
        assert (bribes, hires) == (slot < 2, slot >= 2)
        position.do(Drill(0, tile("B4"), bribe=4) if bribes else Drill(0, tile("B4"), hire=1))
        assert position.state.at[0] == tile("B4")
        assert position.state.at[4] == (tile("B4") if bribes else tile("B5"))
        assert position.state.die[0] == (0 if bribes else 1)


@pytest.mark.rule("RW-DRL-7")
def test_a_company_whose_crews_are_all_at_the_centre_passes() -> None:
    """It is not asked; one with a crew at an entrance is."""
    position = Position().drilling(0)
    for crew in range(4):
        position.crew(1, crew, "centre")
        if crew:
            position.crew(2, crew, "centre")
    position.do(STAY)
    assert position.told(NoCrew) == [NoCrew(1)]
    assert position.asked() == ("drill", (2,))
    assert position.offered("crew") == [0]


@pytest.mark.rule("RW-DRL-9")
def test_what_the_move_alone_extracts_comes_first_and_an_order_lapses_without_fee() -> None:
    """A hire ordered with the move is not carried out, nor paid; a bribery neither."""
    position = Position().crew(0, 0, "B3", 4).tile("B4", 4).card((1, 0, 0, 0)).slot(0, 2, 0).drilling(0)
    position.do(Drill(0, tile("B4"), hire=2))
    assert position.told(Extracted)[0].strength == 4
    assert position.told(Lapsed) == [Lapsed(0, 0, "hire", "extracted")]
    assert position.company(0).money == 3000
    assert (position.state.die[0], position.state.dice) == (0, 3)
    bribery = Position().crew(0, 0, "B3", 4).crew(1, 0, "B5", 2, die=1).tile("B4", 4).slot(0, 0, 0).drilling(0)
    bribery.do(Drill(0, tile("B4"), bribe=4))
    assert bribery.told(Lapsed) == [Lapsed(0, 0, "bribe", "extracted")]
    assert (bribery.company(0).money, bribery.state.bribery, bribery.state.at[4]) == (3000, 3, tile("B5"))


@pytest.mark.rule("RW-DRL-13")
def test_after_that_it_may_still_hire_if_it_says_so_but_not_bribe() -> None:
    """`anyway` puts the die down after the extraction, which it does not count for."""
    position = Position().crew(0, 0, "B3", 4).tile("B4", 4).slot(0, 3, 0).drilling(0)
    position.do(Drill(0, tile("B4"), hire=2, anyway=True))
    told = [type(event.data) for event in position.events]
    assert told.index(Extracted) < told.index(Hired)
    assert position.told(Extracted)[0].strength == 4
    assert (position.state.die[0], position.company(0).money) == (2, 1500)
    bribery = Position().crew(0, 0, "B3").slot(0, 0, 0).drilling(0)
    assert bribery.why_not(Drill(0, tile("B4"), anyway=True)) == "only_with_hire"
    revealed = Position().crew(0, 0, "B3").crew(1, 0, "B5").reveal("B4").slot(0, 0, 0).drilling(0)
    assert revealed.why_not(Drill(0, tile("B4"), bribe=4)) == "tile_revealed"


@pytest.mark.rule("RW-DRL-13")
def test_a_bribe_ordered_with_a_move_that_extracts_lapses_without_fee_or_tile() -> None:
    """Because of the extraction, not because the crew has moved; the crew to be bribed stays where it is."""
    position = Position().crew(0, 0, "B3", 4).crew(1, 0, "B5", die=1).tile("B4", 4).slot(0, 0, 0).drilling(0)
    position.do(Drill(0, tile("B4"), bribe=4))
    assert position.told(Lapsed) == [Lapsed(0, 0, "bribe", "extracted")]
    assert (position.state.at[4], position.state.bribery, position.company(0).money) == (tile("B5"), 3, 3000)


@pytest.mark.rule("RW-DRL-13", "RW-DRL-9")
def test_what_an_extraction_in_passing_makes_of_the_act_holds_to_its_end() -> None:
    """The second move has become pointless, and the hire that was ordered with it lapses unless it says `anyway`."""
    for anyway, die in ((False, 0), (True, 1)):
        position = Position().crew(0, 0, "B3", 4).levels(0, mobility=3).tile("B4", 4).slot(0, 2, 0).drilling(0)
        position.do(Drill(0, spot("B3/B4"), tile("B4"), hire=1, anyway=anyway))
        lapsed = [Lapsed(0, 0, "second", "moved")] + ([] if anyway else [Lapsed(0, 0, "hire", "extracted")])
        assert position.told(Lapsed) == lapsed
        assert (position.state.at[0], position.state.die[0]) == (tile("B4"), die)


@pytest.mark.rule("RW-DRL-10")
def test_the_same_crew_may_be_active_in_every_round() -> None:
    """Down one stratum a round."""
    position = Position()
    for round_, name in enumerate(("A1", "B1", "C1", "D1"), start=1):
        position.drilling(0, round_=round_).do(Drill(0, tile(name)))
    assert position.state.at[0] == tile("D1")


@pytest.mark.rule("RW-DRL-8")
def test_a_crew_of_two_moves_extracts_where_the_first_ends_and_may_go_on() -> None:
    """The extraction comes between the two moves; with `passing_triggers` off there is none."""

    def passing(**options: Any) -> Position:
        position = Position(**options).crew(0, 0, "B3", 4).tile("B4", 4).card((5, 0, 0, 0)).levels(0, mobility=3)
        return position.drilling(0).do(Drill(0, tile("B4"), tile("C4")))

    position = passing()
    told = [type(event.data) for event in position.events]
    assert told.index(Extracted) == told.index(Moved) + 1
    assert told.count(Moved) == 2
    assert told.index(Extracted) < len(told) - told[::-1].index(Moved) - 1
    assert position.told(Extracted)[0].cause == "passing"
    assert position.state.at[0] == tile("C4")
    assert position.company(0).cubes[0] == 8
    off = passing(passing_triggers=False)
    assert not off.told(Extracted)
    assert off.state.at[0] == tile("C4")
    assert off.state.back[tile("B4")] < 0


def test_a_danger_in_passing_is_answered_before_the_second_move() -> None:
    """The act waits on the stack, and goes on after the answer."""
    position = Position().crew(0, 0, "B3", 4).tile("B4", 4).card((0, 0, 0, 2), danger=True).levels(0, mobility=3)
    position.stock(0, insurance=3).drilling(0).do(Drill(0, tile("B4"), tile("C4")))
    assert position.asked() == ("danger", (0,))
    assert position.state.at[0] == tile("B4")
    position.do(Cover(2))
    assert position.state.at[0] == tile("C4")
    assert position.company(0).cubes[3] == 2
    assert position.asked() == ("drill", (1,))


def test_a_second_move_that_an_extraction_makes_pointless_lapses() -> None:
    """The border that it was to straddle now has a revealed tile."""
    position = Position().crew(0, 0, "B3", 4).tile("B4", 4).levels(0, mobility=3).drilling(0)
    position.do(Drill(0, tile("B4"), spot("B4/B5")))
    assert position.told(Lapsed) == [Lapsed(0, 0, "second", "revealed")]
    assert position.state.at[0] == tile("B4")


def test_a_crew_that_fell_where_it_was_to_go_has_made_its_move() -> None:
    """From the border onto the tile that fell open under it: nothing is left of the second move."""
    position = Position().crew(0, 0, "B3", 4).tile("B4", 4).levels(0, mobility=3).drilling(0)
    position.do(Drill(0, spot("B3/B4"), tile("B4")))
    assert position.told(Fell) == [Fell(0, 0, spot("B3/B4"), tile("B4"))]
    assert position.told(Lapsed) == [Lapsed(0, 0, "second", "moved")]
    assert position.state.at[0] == tile("B4")


@pytest.mark.rule("RW-DRL-14")
def test_a_crew_that_jumps_is_never_on_the_tile_between() -> None:
    """B4 is ripe for it, but it goes from B3 to B5."""
    position = Position().crew(0, 0, "B3", 4).tile("B4", 4).levels(0, mobility=1).drilling(0)
    position.do(Drill(0, tile("B5")))
    assert not position.told(Extracted)
    assert position.state.at[0] == tile("B5")


@pytest.mark.rule("RW-DRL-15")
def test_any_number_of_crews_may_stand_on_a_tile() -> None:
    """All sixteen on B4."""
    position = Position()
    for seat in range(4):
        for crew in range(4):
            position.crew(seat, crew, "B4")
    position.crew(0, 0, "B3").drilling(0).do(Drill(0, tile("B4")))
    assert position.state.at == [tile("B4")] * 16


def test_a_part_that_has_no_place_is_refused() -> None:
    """Each with its own reason, the nearest being to leave it out."""
    position = Position().crew(0, 0, "B3").crew(0, 1, "D1", die=1).slot(0, 2, 0).drilling(0)
    assert position.why_not(Drill(0, tile("B4"), die=LEFT)) == "no_die"
    assert position.why_not(Drill(1, tile("D1"), die=LEFT)) == "die_stays"
    assert position.why_not(Drill(1, tile("D2"))) == "die_unsaid"
    assert position.why_not(Drill(1, CENTRE, die=2)) == "die_stays"
    assert position.why_not(Drill(0, tile("B4"), tile("B5"))) == "needs_mobility"
    assert position.why_not(Drill(0, tile("B4"), onto=tile("B4"))) == "only_with_bribe"
    assert position.why_not(Drill(7, tile("B4"))) == "no_such_crew"
    assert position.why_not(Drill(0, 38)) == "no_such_spot"
    assert position.why_not(Drill(0, 999)) == "no_such_spot"
