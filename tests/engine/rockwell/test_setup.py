"""Set-up: RW-SET."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from engine.chance import RandomChance
from engine.contract import Event, Setup
from engine.errors import BadSetup
from engine.rockwell.choices import Drill
from engine.rockwell.components import tables
from engine.rockwell.events import Extracted
from engine.rockwell.geometry import (
    ABOVE,
    BELOW,
    BORDERS,
    CENTRE,
    ENTRANCES,
    LEFT,
    NEIGHBOURS,
    ON,
    RIGHT,
    STEPS,
    TILE_NAMES,
    TILE_SPOTS,
)
from engine.rockwell.rules import RockwellRules
from engine.rockwell.state import State
from tests.engine.rockwell.position import Position, tile

RULES = RockwellRules(Setup(4))
SEEDS = range(30)


def started(seed: int, seats: int = 4) -> tuple[State, list[Event]]:
    """A game just set up."""
    events: list[Event] = []
    rules = RULES if seats == 4 else RockwellRules(Setup(seats))
    return rules.start(RandomChance(Random(seed)), events), events


@pytest.mark.rule("RW-SET-1")
def test_seats_outside_two_to_four_are_refused() -> None:
    """No game of one or of five companies is made."""
    for seats in (0, 1, 5):
        with pytest.raises(BadSetup) as caught:
            tables(Setup(seats))
        assert caught.value.place == "seats"
    assert [tables(Setup(seats)).seats for seats in (2, 3, 4)] == [2, 3, 4]


@pytest.mark.rule("RW-SET-2")
def test_the_board_is_four_rings_of_eight_round_the_centre() -> None:
    """Eight tiles a stratum, A outermost, each straight above the next, D above the centre."""
    assert len(TILE_NAMES) == 32
    assert TILE_NAMES[0] == "A1"
    assert TILE_NAMES[31] == "D8"
    assert BELOW[tile("A1")] == tile("B1")
    assert BELOW[tile("B5")] == tile("C5")
    assert BELOW[tile("D3")] == CENTRE
    assert LEFT[tile("C1")] == tile("C8")
    assert RIGHT[tile("C8")] == tile("C1")


@pytest.mark.rule("RW-SET-3")
def test_tiles_are_shuffled_with_no_adjacent_ones_alike() -> None:
    """Every layout holds the stratum's own tiles, keeps neighbours apart, and differs from seed to seed."""
    layouts = set()
    for seed in SEEDS:
        state, _ = started(seed)
        layouts.add(tuple(state.required))
        for stratum in range(4):
            ring = state.required[stratum * 8 : stratum * 8 + 8]
            assert Counter(ring) == Counter(back.power for back in RULES.tables.backs[stratum])
        for spot in TILE_SPOTS:
            assert all(state.required[spot] != state.required[near] for near in NEIGHBOURS[spot])
    assert len(layouts) == len(SEEDS)


@pytest.mark.rule("RW-SET-4")
def test_a_tile_is_adjacent_left_right_above_below_only() -> None:
    """Four neighbours in the middle rings, never a diagonal; every D tile leads to the centre."""
    assert set(NEIGHBOURS[tile("B3")]) == {tile("B2"), tile("B4"), tile("A3"), tile("C3")}
    assert set(NEIGHBOURS[tile("A1")]) == {tile("A8"), tile("A2"), tile("B1")}
    for spot in TILE_SPOTS:
        assert (CENTRE in STEPS[spot]) == (spot >= tile("D1"))
        assert all(spot in NEIGHBOURS[near] for near in NEIGHBOURS[spot])
        assert ABOVE[spot] == (spot - 8 if spot >= 8 else -1)


@pytest.mark.rule("RW-SET-5")
def test_entrances_face_two_neighbouring_tiles_and_no_tile_is_faced_twice() -> None:
    """Entrance 1 faces A1 and A2, and so on round ring A."""
    assert STEPS[ENTRANCES[0]] == (tile("A1"), tile("A2"))
    faced = [spot for entrance in ENTRANCES for spot in STEPS[entrance]]
    assert sorted(faced) == list(range(8))
    assert all(RIGHT[first] == second for first, second in (STEPS[entrance] for entrance in ENTRANCES))


@pytest.mark.rule("RW-SET-6")
def test_each_company_starts_with_a_crew_of_power_1_at_each_entrance() -> None:
    """Four crews a company, one an entrance."""
    state, _ = started(1)
    for seat in range(4):
        assert state.at[seat * 4 : seat * 4 + 4] == list(ENTRANCES)
    assert state.power == [1] * 16


@pytest.mark.rule("RW-SET-7")
def test_board_i_starts_with_three_bribery_tiles_and_three_dice() -> None:
    """As the component set says."""
    state, _ = started(1)
    assert (state.bribery, state.dice) == (3, 3)


@pytest.mark.rule("RW-SET-8")
def test_both_orders_are_drawn_each_by_itself() -> None:
    """Every order of the companies comes up for both, and the two differ."""
    games = [started(seed)[0] for seed in range(60)]
    assert all(sorted(state.management) == [0, 1, 2, 3] == sorted(state.control) for state in games)
    assert {state.management[0] for state in games} == {0, 1, 2, 3} == {state.control[0] for state in games}
    assert any(state.management != state.control for state in games)


@pytest.mark.rule("RW-SET-9")
def test_cards_are_drawn_at_random_from_the_pile_and_never_twice() -> None:
    """Eight piles that hold 48 cards; what is drawn is gone, in an order that chance decides."""
    state, _ = started(1)
    assert len(state.cards) == 8
    assert sum(pile.bit_count() for pile in state.cards) == 48
    assert [len(pile) for pile in RULES.tables.cards] == [6] * 8

    def drawn(outcome: int) -> tuple[int, ...]:
        position = Position().tile("A1", 1, pile=3).drilling(0)
        position.rules.tables = replace(position.rules.tables, cards=RULES.tables.cards)
        position.chance.ready["cards/3"] = [outcome]
        position.do(Drill(0, tile("A1")))
        assert position.state.cards[2].bit_count() == 5
        assert ("cards/3", 6) in position.chance.drawn
        return position.told(Extracted)[0].cubes

    assert drawn(0) == RULES.tables.cards[2][0].cubes
    assert drawn(4) == RULES.tables.cards[2][4].cubes


@pytest.mark.rule("RW-SET-16")
def test_a_back_is_unknown_until_it_is_revealed() -> None:
    """It is drawn on extraction among the backs of that stratum and power that are left; no view shows it before."""
    position = Position()
    position.rules.tables = RULES.tables
    first, second, third = (tile(name) for name in ("A1", "A3", "A5"))
    for spot in (first, second, third):
        position.state.required[spot] = 3
    position.crew(0, 0, "entrance 1", 3).crew(1, 1, "entrance 2", 3).crew(2, 2, "entrance 3", 3).drilling(0, 1, 2)
    assert position.rules.view(position.state, 0).back == [-1] * 32
    position.chance.ready["backs/A"] = [2, 1]
    position.do(Drill(0, first))
    assert position.told(Extracted)[0].back == 4
    position.do(Drill(1, second))
    assert position.told(Extracted)[0].back == 3
    position.do(Drill(2, third))
    assert position.told(Extracted)[0].back == 2
    assert [drawn for drawn in position.chance.drawn if drawn[0] == "backs/A"] == [("backs/A", 3), ("backs/A", 2)]


@pytest.mark.rule("RW-SET-10", "RW-SET-11")
def test_delivery_and_achievement_piles_have_their_order() -> None:
    """Deliveries by kind, cheapest on top; achievements by kind, most prestige on top."""
    state, _ = started(1)
    assert state.deliveries == [0] * 4
    assert state.achievements == [0] * 9
    for kind, pile in enumerate(RULES.tables.deliveries):
        costs = [sum(delivery.cost) for delivery in pile]
        assert costs == sorted(costs)
        assert all(delivery.cost[kind] == sum(delivery.cost) for delivery in pile)
    assert all(list(pile) == sorted(pile, reverse=True) for pile in RULES.tables.achievements)
    assert [pile[0] for pile in RULES.tables.achievements] == [4, 4, 4, 5, 5, 5, 6, 6, 6]


@pytest.mark.rule("RW-SET-12", "RW-SET-15")
def test_companies_start_with_their_stock_and_without_levels() -> None:
    """3 zinc, 2 copper, 1 silver, no gold, $3,000; no level, no mineshaft."""
    state, _ = started(1)
    for company in state.companies:
        assert company.cubes == [3, 2, 1, 0]
        assert company.money == 3000
        assert (company.safety, company.mineshaft, company.mobility, company.insurance) == (0, 0, 0, 0)
    assert state.mineshaft == [-1] * 32


@pytest.mark.rule("RW-SET-13", "RW-SET-17")
def test_a_stock_is_secret_and_the_rest_public() -> None:
    """A view holds another's crews, levels, claims and count of cards, and nothing that depends on its insurance."""
    position = Position().stock(1, (5, 4, 3, 2), 2000, 0)
    other = Position().stock(1, (3, 4, 3, 2), 2000, 2)
    for here in (position, other):
        here.company(1).cards = 4
        here.company(1).claimed[2] = 3
        here.levels(1, 1, 2, 3).mineshaft("A4", 1)
    seen = position.rules.view(position.state, 0)
    assert seen == other.rules.view(other.state, 0)
    assert position.rules.view(position.state, 1) != other.rules.view(other.state, 1)
    rival = seen.companies[1]
    assert (rival.safety, rival.mineshaft, rival.mobility, rival.cards, rival.claimed[2]) == (1, 2, 3, 4, 3)
    assert seen.mineshaft[tile("A4")] == 1
    assert seen.at[4:8] == list(ENTRANCES)
    assert seen.own == position.company(0)


@pytest.mark.rule("RW-SET-14")
def test_the_supply_never_runs_out() -> None:
    """A stock grows past any number of cubes that a box could hold."""
    position = Position().tile("A1", 1).card((90, 80, 70, 60)).stock(0, (500, 500, 500, 500), 10**6).drilling(0)
    position.do(Drill(0, tile("A1")))
    assert position.company(0).cubes == [590, 580, 570, 560]


@pytest.mark.rule("RW-SET-18")
def test_what_happens_in_the_open_is_told_to_everyone() -> None:
    """Cards, shares, losses and yields are public events; only insuring is for one seat alone."""
    position = Position().tile("A1", 1).card((3, 0, 1, 2), danger=True).drilling(0)
    position.do(Drill(0, tile("A1")))
    assert position.events
    assert all(event.seats is None for event in position.events)


def test_borders_lie_between_ring_neighbours() -> None:
    """Each tile has two borders, each border two tiles."""
    for spot in TILE_SPOTS:
        assert all(spot in ON[border] for border in BORDERS[spot])
