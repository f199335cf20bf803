"""The end of the turn and of the game."""

from typing import Any

import pytest

from engine.contract import Setup
from engine.errors import BadSetup
from engine.registry import bind
from engine.rockwell.achievements import ALL_CREWS_AT_STRATUM_C, CENTRE_REACHED, SIX_OF_EACH, TWO_CREWS_OF_POWER_4
from engine.rockwell.choices import BID, Drill, Pass, Raise
from engine.rockwell.ending import prizes
from engine.rockwell.events import Award, Extracted, GameEnded, Stock, TurnBegan, TurnEnded
from engine.rockwell.state import GOLD, ZINC
from tests.engine.rockwell.late import GREEN, PURPLE, RED, WHITE, at_workshop, end_of_turn, rich
from tests.engine.rockwell.position import Position

NOTHING = (0, 0, 0, 0)


def bare(seats: int = 4, **options: Any) -> Position:
    """Nobody has anything."""
    return rich(Position(seats, **options), 0, NOTHING)


def at_centre(position: Position, *seats: int) -> Position:
    """These companies have a crew at the centre."""
    for seat in seats:
        position.crew(seat, 0, "centre")
    return position


def places(position: Position) -> dict[int, int]:
    """The place of each company if the game ended now."""
    return {standing.seat: standing.place for standing in position.rules.standings(position.state)}


def scores(position: Position) -> list[int]:
    """The prestige of each company if the game ended now."""
    return [standing.score for standing in sorted(position.rules.standings(position.state), key=lambda each: each.seat)]


@pytest.mark.rule("RW-END-1", "RW-SUB-6")
def test_the_turn_ends_with_the_workshop_and_the_next_begins_with_an_auction() -> None:
    """Vice presidents are home, dice and bribery tiles back on Board I."""
    position = Position().slot(0, 1, WHITE).crew(WHITE, 0, "B1", die=2).stock(RED, money=9000)
    position.state.bribery = 0
    at_workshop(position, RED)
    assert position.state.slots[1] == WHITE
    position.do(Pass())
    assert position.asked()[0] == BID
    assert position.told(TurnEnded) == [TurnEnded(1)]
    assert position.told(TurnBegan) == [TurnBegan(2)]
    state = position.state
    assert (state.turn, state.slots, state.dice, state.bribery) == (2, [-1] * 12, 3, 3)
    assert state.die == [0] * 16


@pytest.mark.rule("RW-END-2")
@pytest.mark.parametrize(("seats", "arrived"), [(4, 3), (3, 2)])
def test_the_game_ends_when_a_majority_of_the_companies_has_a_crew_at_the_centre(seats: int, arrived: int) -> None:
    """One company fewer is not enough, however many of its crews are there; the turn is played out."""
    position = at_centre(bare(seats), *range(arrived - 1))
    for crew in range(4):
        position.crew(0, crew, "centre")
    end_of_turn(position)
    assert position.asked()[0] == BID
    position = at_centre(bare(seats), *range(arrived))
    at_workshop(position.stock(RED, money=9000), RED)
    assert position.told(GameEnded) == []
    position.do(Pass())
    assert [event.reason for event in position.told(GameEnded)] == ["centre"]
    assert position.rules.pending(position.state) is None


@pytest.mark.rule("RW-END-2")
def test_the_turn_in_which_the_last_needed_company_arrives_is_played_out() -> None:
    """The next company in the round still drills, and phases II and III follow."""
    position = at_centre(bare(), RED, GREEN).crew(PURPLE, 0, "D1").drilling(PURPLE, WHITE, RED, GREEN)
    position.do(Drill(0, 32))
    assert position.asked() == ("drill", (WHITE,))
    at_workshop(position.stock(RED, money=9000), RED)
    assert position.asked() == ("workshop", (RED,))


@pytest.mark.rule("RW-END-3")
@pytest.mark.parametrize(
    ("kinds", "ends"),
    [
        ((0, 1, 2, 6, 7, 8), True),
        ((0, 1, 2, 3, 4, 5, 6, 7), False),
        ((3, 6, 7, 8, 5), False),
        ((3, 4, 6, 7, 8, 5, 0), True),
    ],
)
def test_the_game_ends_with_six_achievements_all_three_of_the_highest_kind_among_them(
    kinds: tuple[int, ...], ends: bool
) -> None:
    """Five do not do, nor do eight without one of the highest three."""
    assert (SIX_OF_EACH, TWO_CREWS_OF_POWER_4, CENTRE_REACHED) == (6, 7, 8)
    position = bare()
    for kind in kinds:
        position.company(GREEN).claimed[kind] = 3
    end_of_turn(position)
    assert [event.reason for event in position.told(GameEnded)] == ["achievements"] * ends


@pytest.mark.rule("RW-END-16")
@pytest.mark.parametrize("seats", [3, 4])
def test_a_set_number_of_turns_ends_the_game_after_the_last_of_them(seats: int) -> None:
    """Not before; all awards are given as ever, and who is first by them is first."""
    position = bare(seats, turn_limit=7)
    position.state.turn = 6
    end_of_turn(position)
    assert (position.asked()[0], position.state.turn) == (BID, 7)
    position = bare(seats, turn_limit=7).stock(RED, (0, 0, 3, 0))
    position.state.turn = 7
    end_of_turn(position)
    (ended,) = position.told(GameEnded)
    assert (ended.reason, position.state.turn) == ("turns", 7)
    assert [(award.seat, award.what) for award in ended.awards] == [(RED, 2), (RED, 4)]
    assert position.rules.pending(position.state) is None
    assert position.rules.last_turn == 7
    assert "over" not in set(position.rules.invariants(position.state))


@pytest.mark.rule("RW-END-16")
def test_the_centre_ends_a_game_before_its_last_turn() -> None:
    """A set number of turns is the latest end, not the only one."""
    position = at_centre(bare(turn_limit=7), RED, GREEN, PURPLE)
    end_of_turn(position)
    assert [event.reason for event in position.told(GameEnded)] == ["centre"]


@pytest.mark.rule("RW-END-16")
@pytest.mark.parametrize("limit", [2, 31, -1, True, 5.0, "7"])
def test_numbers_of_turns_out_of_range_are_refused(limit: object) -> None:
    """By the place of the option."""
    with pytest.raises(BadSetup) as bad:
        bind("rockwell", Setup(4, {"turn_limit": limit}))
    assert (bad.value.code, bad.value.place) == ("option_value", "options.turn_limit")


@pytest.mark.rule("RW-END-9")
def test_no_number_of_turns_ends_the_game() -> None:
    """Not even when all tiles are extracted and all deliveries taken."""
    position = bare()
    position.state.turn = 500
    position.state.back = [number % 8 for number in range(32)]
    position.state.deliveries = [7] * 4
    end_of_turn(position)
    assert (position.asked()[0], position.state.turn) == (BID, 501)


@pytest.mark.rule("RW-END-4")
@pytest.mark.parametrize("what", range(5))
def test_four_companies_get_3_2_and_1_for_the_most_of_each_kind_and_of_money(what: int) -> None:
    """The fourth gets nothing."""
    position = bare()
    for seat, amount in ((RED, 4), (GREEN, 9), (PURPLE, 1), (WHITE, 7)):
        cubes = [0] * 4
        if what < 4:
            cubes[what] = amount
        position.stock(seat, (cubes[0], cubes[1], cubes[2], cubes[3]), amount * 100 if what == 4 else 0)
    assert scores(position) == [1, 3, 0, 2]


@pytest.mark.rule("RW-END-13", "RW-END-5")
@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ((9, 7, 7, 2), [3, 2, 2, 0]),
        ((9, 9, 5, 5), [3, 3, 1, 1]),
        ((4, 4, 4, 4), [3, 3, 3, 3]),
        ((9, 9, 9, 2), [3, 3, 3, 0]),
        ((9, 8, 5, 5), [3, 2, 1, 1]),
        ((9, 9, 5, 4), [3, 3, 1, 0]),
    ],
)
def test_those_that_tie_get_the_higher_award_and_use_up_the_places(amounts: Any, expected: list[int]) -> None:
    """The rulebook's examples, and the ties between them."""
    position = bare()
    for seat, amount in enumerate(amounts):
        position.stock(seat, (0, amount, 0, 0))
    assert scores(position) == expected


@pytest.mark.rule("RW-END-11", "RW-END-5")
@pytest.mark.parametrize(
    ("amounts", "expected"),
    [((9, 7, 2), [2, 1, 0]), ((9, 9, 2), [2, 2, 0]), ((9, 7, 7), [2, 1, 1]), ((1, 1, 1), [2] * 3)],
)
def test_three_companies_get_2_and_1(amounts: Any, expected: list[int]) -> None:
    """After two firsts the next is third, and gets nothing."""
    position = bare(3)
    for seat, amount in enumerate(amounts):
        position.stock(seat, (0, amount, 0, 0))
    assert scores(position) == expected


@pytest.mark.rule("RW-END-8")
@pytest.mark.parametrize(("option", "expected"), [(False, [3, 0, 0, 0]), (True, [3, 2, 2, 2])])
def test_a_company_with_none_of_a_kind_gets_no_award_for_it_but_by_option(option: bool, expected: list[int]) -> None:
    """With the option nothing is an amount like any other."""
    position = bare(award_for_none=option).stock(RED, (0, 0, 3, 0))
    per_kind = [
        standing.sources["silver"]
        for standing in sorted(position.rules.standings(position.state), key=lambda s: s.seat)
    ]
    assert per_kind == expected


@pytest.mark.rule("RW-END-6")
def test_prestige_is_the_sum_of_achievements_deliveries_and_awards_and_the_most_wins() -> None:
    """Each source is listed, and they add up."""
    position = bare().stock(GREEN, (0, 0, 0, 2), 500).stock(RED, NOTHING, 400)
    green = position.company(GREEN)
    green.claimed[ALL_CREWS_AT_STRATUM_C], green.claimed[SIX_OF_EACH] = 4, 6
    green.delivered = [ZINC * 8, GOLD * 8, GOLD * 8 + 1]
    position.company(WHITE).claimed[0] = 3
    best, *others = position.rules.standings(position.state)
    assert (best.seat, best.place, best.score) == (GREEN, 1, 10 + 12 + 3 + 3)
    assert best.sources == {
        "achievements": 10,
        "deliveries": 12,
        "zinc": 0,
        "copper": 0,
        "silver": 0,
        "gold": 3,
        "money": 3,
    }
    assert [(each.seat, each.place, each.score) for each in others] == [(WHITE, 2, 3), (RED, 3, 2), (PURPLE, 4, 0)]


@pytest.mark.rule("RW-END-7")
def test_a_tie_is_broken_by_the_most_achievement_tiles() -> None:
    """Two tiles of 2 and 1 beat one of 3, though its owner has more cubes."""
    position = bare()
    position.company(GREEN).claimed[0], position.company(GREEN).claimed[1] = 2, 1
    position.company(WHITE).claimed[0] = 3
    position.company(RED).claimed[2] = 4
    position.stock(PURPLE, (0, 0, 2, 0)).stock(RED, (0, 0, 2, 0))
    # Red 4 + 3, Purple 3, Green 3 by two tiles, White 3 by one.
    assert places(position) == {RED: 1, GREEN: 2, WHITE: 3, PURPLE: 4}


@pytest.mark.rule("RW-END-14")
def test_then_by_the_most_cubes_in_stock_all_kinds_together() -> None:
    """Red and Green are first and second once each: Red's nine cubes are more than Green's seven, six of one kind."""
    position = bare().stock(RED, (5, 4, 0, 0)).stock(GREEN, (1, 6, 0, 0))
    assert scores(position) == [5, 5, 0, 0]
    assert places(position) == {RED: 1, GREEN: 2, PURPLE: 3, WHITE: 3}


@pytest.mark.rule("RW-END-15", "RW-END-14", "RW-INS-4")
def test_then_it_stays_a_tie_whoever_has_more_insurance_or_money() -> None:
    """Those that tie share a place, and the next one is counted after both."""
    position = bare().stock(RED, (5, 0, 0, 0), insurance=9).stock(GREEN, (0, 0, 0, 5))
    for seat in range(4):
        position.company(seat).money = 100
    assert places(position) == {RED: 1, GREEN: 1, PURPLE: 3, WHITE: 3}


@pytest.mark.rule("RW-END-10")
def test_when_the_game_ends_every_stock_is_shown() -> None:
    """Cubes, money, insurance and deliveries of all, and the awards with their amounts, for everyone."""
    position = at_centre(bare(), RED, GREEN, PURPLE).stock(WHITE, (0, 0, 0, 2), insurance=3)
    position.company(PURPLE).delivered = [GOLD * 8]
    end_of_turn(position.stock(GREEN, (0, 0, 0, 1)))
    assert [event.seats for event in position.events if isinstance(event.data, GameEnded)] == [None]
    (ended,) = position.told(GameEnded)
    assert ended.stocks == (
        Stock(RED, NOTHING, 9000, 0, ()),
        Stock(GREEN, (0, 0, 0, 1), 0, 0, ()),
        Stock(PURPLE, NOTHING, 0, 0, (GOLD * 8,)),
        Stock(WHITE, (0, 0, 0, 2), 0, 3, ()),
    )
    assert set(ended.awards) == {Award(WHITE, GOLD, 2, 3), Award(GREEN, GOLD, 1, 2), Award(RED, 4, 9000, 3)}


def test_an_extraction_by_the_last_action_still_counts_before_the_game_ends() -> None:
    """The booty is in the stock that is shown."""
    position = at_centre(bare(), RED, GREEN, PURPLE).tile("B3", 2).card((0, 0, 4, 0)).crew(RED, 1, "B3")
    at_workshop(position.stock(RED, money=1500), RED)
    position.do(Raise(1))
    assert position.told(Extracted) != []
    assert position.told(GameEnded)[0].stocks[RED].cubes == (0, 0, 4, 0)


@pytest.mark.rule("RW-END-12")
@pytest.mark.parametrize(("amounts", "expected"), [((5, 3), [2, 0]), ((3, 3), [2, 2]), ((0, 0), [0, 0])])
def test_of_two_companies_the_most_earns_2(amounts: tuple[int, ...], expected: list[int]) -> None:
    """And the other nothing, unless they tie."""
    assert prizes(amounts, False) == expected
