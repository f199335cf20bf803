"""Extraction: RW-EXT."""

import pytest

from engine.rockwell.choices import Drill, First, Raise
from engine.rockwell.events import Extracted, Fell, Shared
from engine.rockwell.state import Cubes, Workshop
from tests.engine.rockwell.position import Position, spot, tile

CARD: Cubes = (0, 3, 5, 4)


def gains(position: Position) -> list[list[int]]:
    """What each company has more than at the start."""
    return [
        [now - then for now, then in zip(company.cubes, (3, 2, 1, 0), strict=True)]
        for company in position.state.companies
    ]


def shared(position: Position) -> Shared:
    """The only sharing of the last act."""
    (event,) = position.told(Shared)
    return event


@pytest.mark.rule("RW-EXT-1")
def test_a_tile_is_extracted_as_soon_as_all_power_on_it_reaches_what_it_requires() -> None:
    """Whosever the crews are, dice counted; one less is not enough, and it comes before anybody's next act."""
    position = Position().crew(1, 0, "B4", 2, die=1).crew(2, 0, "B4").crew(0, 0, "B3").tile("B4", 5).drilling(0)
    position.do(Drill(0, tile("B4")))
    (event,) = position.told(Extracted)
    assert (event.strength, event.required, event.seat, event.cause) == (5, 5, 0, "move")
    assert position.state.back[tile("B4")] >= 0
    short = Position().crew(1, 0, "B4", 2, die=1).crew(0, 0, "B3").tile("B4", 5).drilling(0)
    assert not short.do(Drill(0, tile("B4"))).told(Extracted)
    assert short.state.back[tile("B4")] < 0


@pytest.mark.rule("RW-EXT-2")
def test_crews_dice_and_mineshaft_stay_on_a_revealed_tile() -> None:
    """Nothing leaves it."""
    position = Position().crew(0, 0, "B3", 2).crew(1, 0, "B4", 1, die=1).mineshaft("B4", 2).tile("B4", 4).drilling(0)
    position.do(Drill(0, tile("B4")))
    assert position.told(Extracted)
    assert position.state.at[0] == position.state.at[4] == tile("B4")
    assert position.state.die[4] == 1
    assert position.state.mineshaft[tile("B4")] == 2


@pytest.mark.rule("RW-EXT-3")
def test_the_card_comes_from_the_pile_of_the_tile() -> None:
    """Pile 7, and one card less in it."""
    position = Position().crew(0, 0, "B3", 2).tile("B4", 2, pile=7).card(CARD).drilling(0)
    position.do(Drill(0, tile("B4")))
    (event,) = position.told(Extracted)
    assert (event.pile, event.cubes) == (7, CARD)
    assert [pile.bit_count() for pile in position.state.cards] == [6, 6, 6, 6, 6, 6, 5, 6]
    assert gains(position)[0] == list(CARD)


@pytest.mark.rule("RW-EXT-4")
def test_cubes_are_divided_evenly_by_kind_whatever_the_power() -> None:
    """Power 1 and power 4 get the same; two crews count once; a mineshaft alone gives no share."""
    position = Position().crew(0, 0, "B3").crew(0, 1, "B4").crew(1, 0, "B4", 4).mineshaft("B4", 2).tile("B4", 6)
    position.card((5, 5, 3, 1)).drilling(0).do(Drill(0, tile("B4")))
    assert [(share.seat, share.cubes) for share in shared(position).shares] == [(0, (2, 2, 1, 0)), (1, (2, 2, 1, 0))]
    assert gains(position)[2] == [1, 1, 1, 1]


@pytest.mark.rule("RW-EXT-5", "RW-EXT-15")
def test_the_owner_of_the_mineshaft_has_priority_even_with_no_crew_there() -> None:
    """And takes what is left over of every kind."""
    position = Position().crew(0, 0, "B3", 4).crew(1, 0, "B4").mineshaft("B4", 3).tile("B4", 5).card((3, 3, 1, 5))
    position.drilling(0).do(Drill(0, tile("B4")))
    event = shared(position)
    assert (event.priority, event.reason, event.rest) == (3, "mineshaft", (1, 1, 1, 1))
    assert gains(position)[3] == [1, 1, 1, 1]


@pytest.mark.rule("RW-EXT-6")
def test_without_a_mineshaft_the_most_power_has_priority() -> None:
    """Subcontractors included: 1 with a die of 2 beats 2."""
    position = Position().crew(0, 0, "B3", 2).crew(1, 0, "B4", 1, die=2).tile("B4", 5).card((1, 0, 0, 0))
    position.drilling(0).do(Drill(0, tile("B4")))
    assert (shared(position).priority, shared(position).reason) == (1, "dominant")
    assert gains(position)[:2] == [[0, 0, 0, 0], [1, 0, 0, 0]]


@pytest.mark.rule("RW-EXT-7", "RW-EXT-12")
def test_with_several_at_the_most_power_the_company_that_triggered_has_it() -> None:
    """Green 2, Red 2, Purple 1 with a subcontractor of 1; White arrives with 1 and gets what is left over."""
    position = Position().crew(0, 0, "B4", 2).crew(1, 0, "B4", 2).crew(2, 0, "B4", 1, die=1).crew(3, 0, "B3")
    position.tile("B4", 7).card((5, 6, 3, 2)).drilling(3).do(Drill(0, tile("B4")))
    event = shared(position)
    assert (event.priority, event.reason, event.rest) == (3, "triggered", (1, 2, 3, 2))
    assert gains(position) == [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [2, 3, 3, 2]]


@pytest.mark.rule("RW-EXT-8")
def test_the_company_that_triggered_keeps_the_card() -> None:
    """Though another has priority."""
    position = Position().crew(0, 0, "B3").crew(1, 0, "B4", 4).tile("B4", 5).drilling(0).do(Drill(0, tile("B4")))
    assert shared(position).priority == 1
    assert [company.cards for company in position.state.companies] == [1, 0, 0, 0]


@pytest.mark.rule("RW-EXT-9")
def test_a_revealed_tile_is_never_extracted_again() -> None:
    """However much power comes."""
    position = Position().crew(0, 0, "B3", 4).tile("B4", 2).reveal("B4").drilling(0).do(Drill(0, tile("B4")))
    assert not position.told(Extracted)


@pytest.mark.rule("RW-EXT-10")
def test_example_of_two() -> None:
    """3 C, 5 S, 4 G, Green 3 and Red 4: each 1 C, 2 S, 2 G; Red also 1 C, 1 S."""
    position = Position().crew(0, 0, "C3", 4).crew(1, 0, "C4", 3).tile("C4", 7).card(CARD)
    position.drilling(0).do(Drill(0, tile("C4")))
    assert [share.cubes for share in shared(position).shares] == [(0, 1, 2, 2)] * 2
    assert gains(position)[:2] == [[0, 2, 3, 2], [0, 1, 2, 2]]


@pytest.mark.rule("RW-EXT-11")
def test_example_of_three_and_a_mineshaft() -> None:
    """3 C, 5 S, 4 G among Red 2, Green 4, Purple 2: 1 C, 1 S, 1 G each; White's mineshaft gets 2 S, 1 G."""
    position = Position().crew(0, 0, "C3", 2).crew(1, 0, "C4", 4).crew(2, 0, "C4", 2).mineshaft("C4", 3)
    position.tile("C4", 8).card(CARD).drilling(0).do(Drill(0, tile("C4")))
    assert gains(position) == [[0, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1], [0, 0, 2, 1]]


@pytest.mark.rule("RW-EXT-13")
def test_example_of_a_hire() -> None:
    """Green 4 alone hires 3 for $2,000 where 7 is required: all cubes are Green's."""
    position = Position().crew(1, 0, "C4", 4).tile("C4", 7).card(CARD).slot(0, 2, 1).drilling(1)
    position.do(Drill(0, tile("C4"), hire=3))
    assert position.told(Extracted)[0].cause == "hire"
    assert gains(position)[1] == list(CARD)
    assert position.company(1).money == 1000


@pytest.mark.rule("RW-EXT-14")
def test_shares_reach_the_stock_only_after_danger() -> None:
    """While danger is being decided nobody has them yet, not even one that loses nothing."""
    position = Position().crew(0, 0, "B3", 2).crew(1, 0, "B4", 2).mineshaft("B4", 2).tile("B4", 4)
    position.card((3, 0, 0, 2), danger=True).stock(0, insurance=2).drilling(0).do(Drill(0, tile("B4")))
    assert position.asked()[0] == "danger"
    assert gains(position) == [[0, 0, 0, 0]] * 4


@pytest.mark.rule("RW-EXT-16")
def test_when_both_tiles_are_ripe_the_company_says_which_comes_first() -> None:
    """The crew lands there; the other lacks its power and is not extracted."""

    def straddled(choice: First) -> Position:
        position = Position().crew(0, 0, "B3/B4", 2).crew(1, 0, "B3").crew(2, 0, "B4").tile("B3", 4).tile("B4", 4)
        position.slot(0, 2, 0).drilling(0)
        position.do(Drill(0, spot("B3/B4"), hire=1))
        assert position.asked() == ("first", (0,))
        assert position.offered("tile") == [tile("B3"), tile("B4")]
        assert position.why_not(First(tile("B5"))) == "not_that_tile"
        return position.do(choice)

    for name, other in (("B3", "B4"), ("B4", "B3")):
        position = straddled(First(tile(name)))
        assert [event.tile for event in position.told(Extracted)] == [tile(name)]
        assert position.told(Fell) == [Fell(0, 0, spot("B3/B4"), tile(name))]
        assert position.state.at[0] == tile(name)
        assert position.state.back[tile(other)] < 0
        assert position.asked() == ("drill", (1,))


@pytest.mark.rule("RW-EXT-17")
def test_whoever_acts_triggers_whosever_crew_arrives() -> None:
    """Move, hire, bribery of Green's crew, power step: always the company that acts."""
    move = Position().crew(0, 0, "B3", 2).tile("B4", 2).drilling(0).do(Drill(0, tile("B4")))
    hire = Position().crew(0, 0, "B4", 2).tile("B4", 3).slot(0, 2, 0).drilling(0).do(Drill(0, tile("B4"), hire=1))
    bribe = Position().crew(0, 0, "B4").crew(1, 0, "B5", 4).tile("B4", 5).slot(0, 0, 0).drilling(0)
    bribe.do(Drill(0, tile("B4"), bribe=4))
    power = Position().crew(0, 0, "B4", 1).crew(1, 0, "B4", 4).tile("B4", 6).slot(2, 0, 0).step(Workshop(0))
    power.state.left = [4, 0, 0, 0]
    power.do(Raise(0))
    for position, cause in ((move, "move"), (hire, "hire"), (bribe, "bribe"), (power, "power")):
        (event,) = position.told(Extracted)
        assert (event.seat, event.cause) == (0, cause)
        assert position.company(0).cards == 1


@pytest.mark.rule("RW-EXT-18")
def test_a_mineshaft_owner_with_a_crew_there_gets_its_share_and_what_is_left_over() -> None:
    """Both together."""
    position = Position().crew(0, 0, "B3", 4).crew(1, 0, "B4").mineshaft("B4", 1).tile("B4", 5).card((5, 0, 3, 1))
    position.drilling(0).do(Drill(0, tile("B4")))
    assert gains(position)[:2] == [[2, 0, 1, 0], [3, 0, 2, 1]]


@pytest.mark.rule("RW-EXT-19")
def test_a_crew_that_straddled_counts_as_on_the_tile() -> None:
    """It shares, has priority by its power with its die, and danger takes by that power."""
    position = Position().crew(1, 0, "B4/B5", 1, die=2).crew(0, 0, "B3", 2).tile("B4", 5)
    position.card((4, 0, 0, 5), danger=True).drilling(0).do(Drill(0, tile("B4")))
    event = shared(position)
    assert [(share.seat, share.power) for share in event.shares] == [(0, 2), (1, 3)]
    assert (event.priority, event.reason) == (1, "dominant")
    assert gains(position)[:2] == [[2, 0, 0, 0], [2, 0, 0, 0]]
