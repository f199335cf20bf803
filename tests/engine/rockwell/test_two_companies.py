"""Two companies: the automaton among them, and the values that hold: RW-TWO-1, 6, 9, 10, 19 to 22, 24."""

import tomllib
from typing import Any

import pytest

from engine.contract import Setup
from engine.rockwell.choices import Bid, Drill, Mineshaft, Safety
from engine.rockwell.components import BUILT_IN, tables
from engine.rockwell.events import (
    AutomatonMoved,
    Award,
    BidsRevealed,
    Bribed,
    Claimed,
    ControlOrder,
    DangerStruck,
    Extracted,
    GameEnded,
    LevelBought,
    Placed,
    Shared,
    Stock,
    Traded,
    Yielded,
)
from engine.rockwell.geometry import CENTRE, ENTRANCES
from engine.rockwell.state import Auction
from tests.engine.rockwell.late import GREEN, RED, refused
from tests.engine.rockwell.position import Position, tile
from tests.engine.rockwell.test_automaton_moving import whole_game
from tests.engine.rockwell.two import AUTOMATON, at_workshop, end_of_round, end_of_workshop, with_automaton

NOTHING = (0, 0, 0, 0)
FILE: dict[str, Any] = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))


def gains(position: Position, before: list[list[int]]) -> list[list[int]]:
    """What each company has more than before, by kind."""
    return [
        [now - then for now, then in zip(company.cubes, cubes, strict=True)]
        for company, cubes in zip(position.state.companies, before, strict=True)
    ]


def stocks(position: Position) -> list[list[int]]:
    """The cubes of each company."""
    return [company.cubes[:] for company in position.state.companies]


@pytest.mark.rule("RW-TWO-1")
def test_the_automaton_has_four_crews_of_power_1_one_at_each_entrance() -> None:
    """Besides the two companies' own; more companies play without it."""
    state = Position(2).state
    assert len(state.companies) == 2
    assert state.at == [*ENTRANCES] * 3
    assert state.power == [1] * 12
    assert [len(Position(seats).state.at) for seats in (3, 4)] == [12, 16]
    assert [len(Position(seats).state.companies) for seats in (3, 4)] == [3, 4]


@pytest.mark.rule("RW-TWO-6")
@pytest.mark.parametrize(
    ("red", "automaton", "priority", "red_gets"),
    [(4, 2, RED, [0, 1, 3, 2]), (3, 4, AUTOMATON, [0, 1, 1, 1])],
)
def test_the_automaton_counts_as_a_company_and_its_share_goes_back_to_the_supply(
    red: int, automaton: int, priority: int, red_gets: list[int]
) -> None:
    """3 C, 5 S, 4 G divided by three; with the most power it has what is left over too, which nobody gets."""
    position = with_automaton("B4", "A8", "A8", "A8", power=(automaton, 1, 1, 1)).card((0, 3, 5, 4))
    position.tile("B4", 8).crew(RED, 0, "B3", power=red).crew(GREEN, 0, "B4", power=2)
    before = stocks(position)
    position.drilling(RED, GREEN).do(Drill(0, tile("B4")))
    (shared,) = position.told(Shared)
    assert [(share.seat, share.cubes) for share in shared.shares] == [
        (seat, (0, 1, 1, 1)) for seat in (RED, GREEN, AUTOMATON)
    ]
    assert (shared.priority, shared.reason, shared.rest) == (priority, "dominant", (0, 0, 2, 1))
    assert gains(position, before) == [red_gets, [0, 1, 1, 1]]


@pytest.mark.rule("RW-TWO-24")
def test_the_card_of_an_extraction_that_the_automaton_triggered_is_set_aside() -> None:
    """No company has it, and it does not come back to its pile."""
    position = with_automaton("entrance 2", "A8", "A8", "A8").tile("A3", 2).crew(RED, 0, "A3")
    before = position.state.cards[0].bit_count()
    end_of_round(position)
    assert [event.seat for event in position.told(Extracted)] == [AUTOMATON]
    assert [company.cards for company in position.state.companies] == [0, 0]
    assert position.state.cards[0].bit_count() == before - 1


@pytest.mark.rule("RW-TWO-20")
def test_danger_never_concerns_the_automaton() -> None:
    """Only Red is struck, by its own power; with the automaton alone on the tile nobody is."""
    position = with_automaton("entrance 2", "A8", "A8", "A8", power=(3, 1, 1, 1)).tile("A3", 4).tile("A4", 9)
    position.crew(RED, 0, "A3").card((2, 0, 0, 2), danger=True)
    before = stocks(position)
    end_of_round(position)
    assert [(event.seat, event.lost) for event in position.told(DangerStruck)] == [(RED, (0, 0, 0, 1))]
    assert gains(position, before) == [[1, 0, 0, 0], [0] * 4]
    position = with_automaton("entrance 2", "A8", "A8", "A8", power=(4, 1, 1, 1)).tile("A3", 4).tile("A4", 9)
    end_of_round(position.card((2, 0, 0, 2), danger=True))
    assert len(position.told(Extracted)) == 1
    assert position.told(DangerStruck) == []
    assert position.asked()[0] == "drill"


@pytest.mark.rule("RW-TWO-20")
@pytest.mark.parametrize("danger", [False, True])
def test_mineshafts_never_concern_the_automaton(danger: bool) -> None:
    """Where it triggers alone, Green's mineshaft has what is left over; no mineshaft ever yields to the automaton."""
    position = with_automaton("entrance 2", "A8", "A8", "A8", power=(4, 1, 1, 1)).tile("A3", 4).tile("A4", 9)
    position.crew(RED, 0, "A3").mineshaft("A3", GREEN).card((3, 0, 0, 1), danger=danger)
    before = stocks(position)
    end_of_round(position)
    assert [(event.priority, event.reason) for event in position.told(Shared)] == [(GREEN, "mineshaft")]
    assert gains(position, before)[GREEN] == [1, 0, 0, 1]
    for seed in range(3):
        state, events = whole_game(seed)
        owners = {event.data.seat for event in events if isinstance(event.data, Yielded)} | set(state.mineshaft)
        assert owners <= {-1, RED, GREEN}


@pytest.mark.rule("RW-TWO-19")
def test_the_automatons_crews_are_opponents_crews_for_mineshafts() -> None:
    """The first mineshaft goes neither next to Red's crew where one is, nor on a tile that Red shares with one."""
    position = with_automaton("B4", "B3", "A8", "A8").crew(RED, 0, "B3")
    at_workshop(position, RED)
    assert refused(position, Mineshaft(tile("B4"))).code == "no_site"
    assert refused(position, Mineshaft(tile("B3"))).code == "no_site"
    assert not position.why_not(Mineshaft(tile("B2")))
    position.crew(AUTOMATON, 0, "A8").crew(AUTOMATON, 1, "A8")
    assert not position.why_not(Mineshaft(tile("B4")))
    assert not position.why_not(Mineshaft(tile("B3")))


@pytest.mark.rule("RW-TWO-10")
def test_a_crew_of_the_automaton_can_be_bribed_like_an_opponents() -> None:
    """It brings its power and shares; at an entrance or out of reach it can't be bribed."""
    position = with_automaton("B4", "entrance 2", "C6", "A8", power=(2, 1, 1, 1)).tile("B3", 3).card((3, 0, 0, 0))
    position.crew(RED, 0, "B3").slot(0, 0, RED).drilling(RED, GREEN)
    assert position.offered("bribe", 0, tile("B3")) == [-1, 8]
    before = stocks(position)
    position.do(Drill(0, tile("B3"), bribe=8))
    assert position.told(Bribed) == [Bribed(RED, 0, AUTOMATON, 0, tile("B4"), tile("B3"), 0, 0)]
    assert position.state.at[8] == tile("B3")
    assert position.state.bribery == 2
    assert [(event.seat, event.cause) for event in position.told(Extracted)] == [(RED, "bribe")]
    # Red triggered it and keeps the card; the automaton has the most power and with it what is left over.
    assert position.company(RED).cards == 1
    assert gains(position, before) == [[1, 0, 0, 0], [0] * 4]


@pytest.mark.rule("RW-TWO-21")
@pytest.mark.parametrize("seed", range(3))
def test_the_automaton_has_no_part_in_auction_orders_markets_achievements_or_awards(seed: int) -> None:
    """In whole games the two companies alone bid, are ordered, place, trade, claim and are ranked."""
    state, events = whole_game(seed)
    told = [event.data for event in events]
    both = (RED, GREEN)
    assert any(isinstance(event, AutomatonMoved) for event in told)
    for event in told:
        if isinstance(event, BidsRevealed):
            assert tuple(bid.seat for bid in event.bids) == both
        if isinstance(event, BidsRevealed | ControlOrder):
            assert tuple(sorted(event.order)) == both
        if isinstance(event, Placed | Traded | Claimed):
            assert event.seat in both
    (end,) = [event for event in told if isinstance(event, GameEnded)]
    assert tuple(stock.seat for stock in end.stocks if isinstance(stock, Stock)) == both
    assert {award.seat for award in end.awards if isinstance(award, Award)} <= set(both)
    assert sorted(state.management) == [RED, GREEN]


@pytest.mark.rule("RW-TWO-21")
def test_the_automaton_meets_no_achievement_and_is_not_counted_at_the_centre() -> None:
    """Neither its crews of power 4 nor one put at the centre count for anything."""
    position = Position(2).crew(RED, 0, "centre")
    position.company(RED).claimed[8] = 6
    for crew in range(4):
        position.crew(AUTOMATON, crew, "D1", power=4)
    position.crew(AUTOMATON, 0, "centre", power=4)
    end_of_workshop(position)
    assert position.told(Claimed) == []
    assert position.asked() == ("bid", (RED, GREEN))
    position.step(Auction()).do(Bid(0, NOTHING), Bid(100, NOTHING))
    assert position.state.management == [GREEN, RED]


@pytest.mark.rule("RW-TWO-9")
def test_each_achievement_pile_holds_its_highest_and_its_third_tile() -> None:
    """Of every kind; the second company at the centre gets 4, not 5."""
    assert list(tables(Setup(2)).achievements) == [(pile[0], pile[2]) for pile in FILE["achievements"].values()]
    position = Position(2).crew(RED, 0, "D1").crew(GREEN, 0, "D5").drilling(RED, GREEN)
    position.do(Drill(0, CENTRE))
    assert position.told(Claimed) == [Claimed(RED, 8, 6)]
    position.do(Drill(0, CENTRE))
    assert position.told(Claimed) == [Claimed(GREEN, 8, 4)]


@pytest.mark.rule("RW-TWO-22")
def test_the_two_company_values_of_boards_safety_and_mineshafts_hold() -> None:
    """Those that the component file has for fewer than four, as slots and as prices paid."""
    two, boards, prices = tables(Setup(2)), FILE["boards"]["fewer"], FILE["prices"]
    assert list(two.rights) == boards["control_center"]
    assert [list(grants) for grants in two.grants[1:]] == [boards["stock_exchange"], boards["workshop"]]
    assert list(two.safety) == prices["safety"]["fewer"] != prices["safety"]["four"]
    assert list(two.mineshaft) == prices["mineshaft"]["fewer"] != prices["mineshaft"]["four"]
    assert list(two.power_prices[1:]) == prices["power"]
    assert list(two.mobility) == prices["mobility"]
    position = at_workshop(Position(2), RED).do(Safety())
    assert position.told(LevelBought) == [LevelBought(RED, "safety", 1, prices["safety"]["fewer"][0])]
