"""Mineshafts: where they may stand, and what they yield."""

import pytest

from engine.rockwell.choices import Mineshaft, MoveMineshaft, Pass, Raise
from engine.rockwell.events import Extracted, MineshaftBuilt, MineshaftMoved, Yielded
from engine.rockwell.geometry import TILE_NAMES
from tests.engine.rockwell.late import GREEN, PURPLE, RED, WHITE, at_workshop, end_of_drilling, rich
from tests.engine.rockwell.position import Position, tile


def red(*spots: str) -> Position:
    """Red's crews stand on these spots, the rest of them at the centre; all others at the entrances, all are rich."""
    position = rich(Position())
    for crew in range(4):
        position.crew(RED, crew, spots[crew] if crew < len(spots) else "centre")
    return position


def sites(position: Position, level: int) -> set[str]:
    """Where Red may build a mineshaft of a level."""
    position.levels(RED, mineshaft=level - 1)
    at_workshop(position, RED)
    return {TILE_NAMES[number] for number in position.offered("tile", "mineshaft")}


@pytest.mark.rule("RW-MIN-1")
def test_every_mineshaft_on_a_revealed_tile_yields_what_its_back_says() -> None:
    """After the fourth drilling round, wherever the owner's crews are; not on an unrevealed tile."""
    position = (
        Position().tile("B3", 5, yields=(1, 0, 2, 0)).tile("C1", 6, yields=(0, 0, 0, 2)).tile("A8", 3, 1, (3, 0, 0, 0))
    )
    position.mineshaft("B3", GREEN).mineshaft("C1", GREEN).mineshaft("A8", GREEN).reveal("B3").reveal("C1")
    position.tile("D4", 9, yields=(0, 1, 0, 0)).mineshaft("D4", WHITE).reveal("D4")
    rich(position, 0, (0, 0, 0, 0))
    end_of_drilling(position)
    assert position.told(Yielded) == [
        Yielded(GREEN, tile("B3"), (1, 0, 2, 0)),
        Yielded(GREEN, tile("C1"), (0, 0, 0, 2)),
        Yielded(WHITE, tile("D4"), (0, 1, 0, 0)),
    ]
    assert [position.company(seat).cubes for seat in (GREEN, WHITE, PURPLE)] == [[1, 0, 2, 2], [0, 1, 0, 0], [0] * 4]


@pytest.mark.rule("RW-MIN-2")
def test_a_mineshaft_built_after_the_fourth_round_yields_nothing_before_the_next_turn() -> None:
    """Nor does a tile revealed by a step of power in the workshop."""
    position = red("B3", "A5").tile("B3", 5, yields=(1, 0, 2, 0)).reveal("B3").tile("A5", 2, yields=(0, 3, 0, 0))
    position.levels(RED, mineshaft=1).mineshaft("A5", RED)
    at_workshop(position, RED).do(Mineshaft(tile("B3"))).do(Raise(1))
    assert position.told(Extracted) != []
    position.do(Pass())
    assert position.company(RED).cubes == [5, 5, 5, 5]
    end_of_drilling(position)
    assert position.company(RED).cubes == [6, 8, 7, 5]


@pytest.mark.rule("RW-WRK-5", "RW-WRK-34")
def test_level_one_builds_on_or_next_to_a_crew_of_its_own_where_no_opponent_stands() -> None:
    """On B3 or one of its four neighbours, whether these are empty or its own."""
    assert sites(red("B3", "B3"), 1) == {"B3", "B2", "B4", "A3", "C3"}


@pytest.mark.rule("RW-WRK-5")
def test_level_one_does_not_build_where_the_company_is_not_alone() -> None:
    """An opponent's crew on its own tile bars it, and so does one on a tile next to it."""
    assert sites(red("B3").crew(GREEN, 0, "B3").crew(PURPLE, 2, "A3"), 1) == {"B2", "B4", "C3"}


@pytest.mark.rule("RW-WRK-34")
def test_level_one_never_builds_on_a_revealed_tile() -> None:
    """Neither where its crew stands nor next to it."""
    assert sites(red("B3").reveal("B3").reveal("B4"), 1) == {"B2", "A3", "C3"}


@pytest.mark.rule("RW-WRK-5")
def test_level_one_costs_1500_and_places_the_mineshaft() -> None:
    """The level rises with it."""
    position = at_workshop(red("B3"), RED).do(Mineshaft(tile("C3")))
    assert position.told(MineshaftBuilt) == [MineshaftBuilt(RED, tile("C3"), 1, 1500)]
    assert position.state.mineshaft[tile("C3")] == RED
    assert (position.company(RED).mineshaft, position.company(RED).money) == (1, 7500)


@pytest.mark.rule("RW-WRK-6")
def test_level_two_also_builds_on_revealed_tiles_within_reach() -> None:
    """On which its crew is, or next to one, opponents there or not; unrevealed ones as before; $2,000."""
    position = red("B3").reveal("B3").reveal("B4").crew(GREEN, 0, "B3").crew(GREEN, 1, "B4").crew(GREEN, 2, "C3")
    position.reveal("B5").mineshaft("D8", RED)
    assert sites(position, 2) == {"B3", "B4", "B2", "A3"}
    position.do(Mineshaft(tile("B4")))
    assert position.told(MineshaftBuilt) == [MineshaftBuilt(RED, tile("B4"), 2, 2000)]


@pytest.mark.rule("RW-WRK-7")
def test_level_three_builds_on_any_tile() -> None:
    """Far from its crews, among opponents, revealed or not; $2,500."""
    position = red("B3").crew(GREEN, 0, "D7").reveal("C6").mineshaft("A1", RED).mineshaft("A2", RED)
    assert sites(position, 3) == set(TILE_NAMES) - {"A1", "A2"}
    position.do(Mineshaft(tile("D7")))
    assert position.told(MineshaftBuilt) == [MineshaftBuilt(RED, tile("D7"), 3, 2500)]


@pytest.mark.rule("RW-WRK-9")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_tile_holds_two_mineshafts(level: int) -> None:
    """Neither its own nor an opponent's leaves room for another."""
    position = red("B3").mineshaft("B3", RED).mineshaft("B4", GREEN)
    assert not sites(position, level) & {"B3", "B4"}
    assert position.why_not(Mineshaft(tile("B4"))) == "mineshaft_there"
    if level > 1:
        assert position.why_not(MoveMineshaft(tile("B3"), tile("B4"))) == "mineshaft_there"


@pytest.mark.rule("RW-WRK-23")
def test_mineshaft_levels_are_bought_in_order_each_once() -> None:
    """The first is level 1 with its narrow rule, the second level 2, the third level 3; there is no fourth."""
    position = at_workshop(red("B3").reveal("B4"), RED)
    assert position.why_not(Mineshaft(tile("B4"))) == "no_site"
    position.do(Mineshaft(tile("C3")))
    assert position.why_not(Mineshaft(tile("D7"))) == "no_site"
    position.do(Mineshaft(tile("B4"))).do(Mineshaft(tile("D7")))
    assert position.company(RED).mineshaft == 3
    assert position.company(RED).money == 9000 - 1500 - 2000 - 2500
    assert position.why_not(Mineshaft(tile("D1"))) == "no_level_left"


@pytest.mark.rule("RW-WRK-24")
def test_a_level_is_not_for_sale_without_a_site_for_its_mineshaft() -> None:
    """With an opponent on every tile in reach the company must wait."""
    position = red("B3").crew(GREEN, 0, "B3").crew(GREEN, 1, "B2").crew(GREEN, 2, "B4").crew(GREEN, 3, "A3")
    position.crew(PURPLE, 0, "C3")
    assert sites(position, 1) == set()
    assert position.why_not(Mineshaft(tile("B3"))) == "no_site_at_all"
    assert "mineshaft" not in position.offered("action")


@pytest.mark.rule("RW-WRK-25")
def test_a_crew_at_an_entrance_is_next_to_the_two_tiles_that_it_faces() -> None:
    """Entrance 2 faces A3 and A4; opponents at that entrance are on no tile."""
    assert sites(red("entrance 2"), 1) == {"A3", "A4"}


@pytest.mark.rule("RW-WRK-26")
def test_a_crew_that_straddles_is_on_both_its_tiles() -> None:
    """Its own reaches from both; an opponent's bars both."""
    assert sites(red("B3/B4"), 1) == {"B3", "B4", "B2", "B5", "A3", "A4", "C3", "C4"}
    assert sites(red("B3").crew(GREEN, 0, "B3/B4"), 1) == {"B2", "A3", "C3"}


def test_a_crew_at_the_centre_reaches_no_tile() -> None:
    """It has left the game."""
    assert sites(red(), 1) == set()


@pytest.mark.rule("RW-WRK-8")
def test_a_mineshaft_moves_for_an_action_and_the_price_of_its_level() -> None:
    """Its old tile is free, the level stays as it is."""
    position = at_workshop(red("B3").mineshaft("A1", RED).levels(RED, mineshaft=1), RED)
    position.do(MoveMineshaft(tile("A1"), tile("B4")))
    assert position.told(MineshaftMoved) == [MineshaftMoved(RED, tile("A1"), tile("B4"), 1, 1500)]
    assert [number for number, owner in enumerate(position.state.mineshaft) if owner == RED] == [tile("B4")]
    assert (position.company(RED).mineshaft, position.company(RED).money) == (1, 7500)
    assert position.state.left[RED] == 3


@pytest.mark.rule("RW-WRK-8")
def test_only_ones_own_mineshaft_moves_and_only_as_far_as_a_level_allows() -> None:
    """Level 1 reaches next to a crew; an opponent's mineshaft stays."""
    position = red("B3").mineshaft("A1", RED).mineshaft("B2", GREEN).levels(RED, mineshaft=1)
    at_workshop(position, RED)
    assert position.why_not(MoveMineshaft(tile("A1"), tile("D7"))) == "no_site"
    assert position.why_not(MoveMineshaft(tile("B2"), tile("B4"))) == "not_own_mineshaft"


@pytest.mark.rule("RW-WRK-18")
def test_any_mineshaft_moves_by_any_level_that_the_company_has() -> None:
    """The price is that of the cheapest level that allows the tile, whichever level built the mineshaft."""
    for to, level, price in (("B4", 1, 1500), ("C3", 2, 2000), ("D7", 3, 2500)):
        for origin in ("A1", "D1"):
            position = red("B3").mineshaft("A1", RED).mineshaft("D1", RED).mineshaft("A5", RED).reveal("C3")
            at_workshop(position.levels(RED, mineshaft=3), RED)
            position.do(MoveMineshaft(tile(origin), tile(to)))
            assert position.told(MineshaftMoved) == [MineshaftMoved(RED, tile(origin), tile(to), level, price)]
            assert position.company(RED).money == 9000 - price
