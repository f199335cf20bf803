"""Achievements."""

from typing import Any

import pytest

from engine.rockwell.achievements import (
    ALL_CREWS_AT_STRATUM_C,
    CENTRE_REACHED,
    EIGHT_ZINC_AND_COPPER,
    SIX_EXTRACTIONS,
    SIX_OF_EACH,
    TEN_SILVER,
    THREE_CREWS_OF_POWER_2,
    TWELVE_GOLD,
    TWO_CREWS_OF_POWER_4,
)
from engine.rockwell.choices import Bid, Cover, Deliver, Drill, Insure, Pass, Raise, Trade
from engine.rockwell.events import Claimed, DangerStruck, Extracted, Yielded
from engine.rockwell.state import CONTROL, COPPER, GOLD, SILVER, ZINC, Auction, Insuring
from tests.engine.rockwell.late import GREEN, PURPLE, RED, WHITE, at_market, at_workshop, end_of_drilling, rich
from tests.engine.rockwell.position import Position, tile

POOR = (0, 0, 0, 0)
FULL = {
    EIGHT_ZINC_AND_COPPER: (4, 3, 2, 1),
    SIX_EXTRACTIONS: (4, 3, 2, 1),
    TEN_SILVER: (4, 3, 2, 1),
    THREE_CREWS_OF_POWER_2: (5, 4, 3, 2),
    TWELVE_GOLD: (5, 4, 3, 2),
    ALL_CREWS_AT_STRATUM_C: (5, 4, 3, 2),
    SIX_OF_EACH: (6, 5, 4, 3),
    TWO_CREWS_OF_POWER_4: (6, 5, 4, 3),
    CENTRE_REACHED: (6, 5, 4, 3),
}


def claims(position: Position) -> list[tuple[int, int]]:
    """The seats and kinds of the claims in the last answer's events, in their order."""
    return [(event.seat, event.achievement) for event in position.told(Claimed)]


def buying(cubes: Any, kind: int, amount: int) -> list[int]:
    """The kinds of achievement that Green claims when it buys so many cubes, first one less, then one."""
    claimed = []
    position = at_market(rich(Position(), 90000, POOR).stock(GREEN, cubes, 90000), GREEN, RED)
    assert amount > 1
    position.do(Trade(kind, amount - 1))
    assert claims(position) == []
    position = at_market(rich(Position(), 90000, POOR).stock(GREEN, cubes, 90000), GREEN, RED)
    position.do(Trade(kind, amount))
    for seat, achievement in claims(position):
        assert seat == GREEN
        claimed.append(achievement)
    return claimed


@pytest.mark.rule("RW-INS-4")
def test_insurance_counts_for_no_achievement() -> None:
    """Seven zinc and eight copper with any amount of insurance claim nothing; the eighth zinc does."""
    position = at_market(rich(Position(), 90000, POOR).stock(GREEN, (6, 8, 0, 0), 90000, insurance=20), GREEN, RED)
    position.do(Trade(ZINC, 1))
    assert claims(position) == []
    position = at_market(rich(Position(), 90000, POOR).stock(GREEN, (6, 8, 0, 0), 90000, insurance=20), GREEN, RED)
    position.do(Trade(ZINC, 2))
    assert claims(position) == [(GREEN, EIGHT_ZINC_AND_COPPER)]


@pytest.mark.rule("RW-ACH-4", "RW-ACH-1")
def test_eight_zinc_and_eight_copper_are_an_achievement() -> None:
    """With seven of the one, eight of the other do not do."""
    assert buying((8, 0, 0, 0), COPPER, 8) == [EIGHT_ZINC_AND_COPPER]
    assert buying((0, 8, 0, 0), ZINC, 8) == [EIGHT_ZINC_AND_COPPER]


@pytest.mark.rule("RW-ACH-6")
def test_ten_silver_are_an_achievement() -> None:
    """Nine are not."""
    assert buying((0, 0, 4, 0), SILVER, 6) == [TEN_SILVER]


@pytest.mark.rule("RW-ACH-8")
def test_twelve_gold_are_an_achievement() -> None:
    """Eleven are not."""
    assert buying((0, 0, 0, 7), GOLD, 5) == [TWELVE_GOLD]


@pytest.mark.rule("RW-ACH-10")
@pytest.mark.parametrize("kind", [ZINC, COPPER, SILVER, GOLD])
def test_six_of_each_kind_are_an_achievement(kind: int) -> None:
    """Five of any one kind are too few."""
    cubes = [6, 6, 6, 6]
    cubes[kind] = 1
    assert buying(tuple(cubes), kind, 5) == [SIX_OF_EACH]


@pytest.mark.rule("RW-ACH-7")
def test_three_crews_of_power_2_or_more_are_an_achievement() -> None:
    """Two are not; more power counts too."""
    position = Position().crew(GREEN, 0, "entrance 1", power=1).crew(GREEN, 2, "entrance 3", power=3)
    at_workshop(rich(position, cubes=POOR), GREEN).do(Raise(0))
    assert claims(position) == []
    assert claims(position.do(Raise(3))) == [(GREEN, THREE_CREWS_OF_POWER_2)]


@pytest.mark.rule("RW-ACH-11")
def test_two_crews_of_power_4_are_an_achievement() -> None:
    """One of 4 and one of 3 are not."""
    position = Position().crew(GREEN, 0, "entrance 1", power=4).crew(GREEN, 2, "entrance 3", power=2)
    at_workshop(rich(position, cubes=POOR), GREEN).do(Raise(2))
    assert claims(position) == []
    assert claims(position.do(Raise(2))) == [(GREEN, TWO_CREWS_OF_POWER_4)]


@pytest.mark.rule("RW-ACH-15")
def test_subcontractors_do_not_count_for_the_achievements_of_power() -> None:
    """Power 3 with a die of 1 is no crew of power 4, power 1 with one no crew of power 2."""
    position = rich(Position(), cubes=POOR).slot(CONTROL, 2, GREEN).drilling(GREEN)
    position.crew(GREEN, 0, "B1", power=4).crew(GREEN, 1, "B2", power=3).crew(GREEN, 2, "B4", power=1)
    assert claims(position.do(Drill(1, tile("B2"), hire=1))) == []
    assert claims(position.step(position.state.stack[0]).drilling(GREEN).do(Drill(2, tile("B4"), hire=1))) == []


@pytest.mark.rule("RW-ACH-5")
def test_six_extraction_cards_are_an_achievement() -> None:
    """The fifth does not do; the one that triggers gets it, even where another company is the strongest."""
    for cards, expected in ((4, []), (5, [(GREEN, SIX_EXTRACTIONS)])):
        position = Position().tile("B3", 5).crew(PURPLE, 0, "B3", power=4).crew(GREEN, 0, "B2")
        position.company(GREEN).cards = cards
        assert claims(position.drilling(GREEN).do(Drill(0, tile("B3")))) == expected


@pytest.mark.rule("RW-ACH-9")
def test_all_crews_on_stratum_c_or_deeper_are_an_achievement() -> None:
    """One on stratum B is one too many above; a crew on a border of C is deep enough."""
    for spots, expected in (
        (("C1", "D2", "C3/C4"), [(GREEN, ALL_CREWS_AT_STRATUM_C)]),
        (("C1", "D2", "B3"), []),
        (("C1", "D2", "entrance 3"), []),
    ):
        position = Position()
        for crew, spot in enumerate(spots):
            position.crew(GREEN, crew, spot)
        position.crew(GREEN, 3, "B7").drilling(GREEN)
        assert claims(position.do(Drill(3, tile("C7")))) == expected


@pytest.mark.rule("RW-ACH-13")
def test_a_crew_at_the_centre_still_counts_for_depth_and_power() -> None:
    """It completes the company's other crews."""
    position = Position().crew(GREEN, 0, "centre", power=4).crew(GREEN, 1, "centre").crew(GREEN, 2, "centre")
    position.company(GREEN).claimed[CENTRE_REACHED] = 6
    position.crew(GREEN, 3, "B7").drilling(GREEN).do(Drill(3, tile("C7")))
    assert claims(position) == [(GREEN, ALL_CREWS_AT_STRATUM_C)]
    position.crew(GREEN, 1, "D1", power=3)
    at_workshop(rich(position, cubes=POOR), GREEN).do(Raise(1))
    assert claims(position) == [(GREEN, TWO_CREWS_OF_POWER_4)]


@pytest.mark.rule("RW-ACH-12")
def test_a_crew_at_the_centre_is_an_achievement() -> None:
    """The first to arrive gets the most, each company once."""
    position = Position().crew(GREEN, 0, "D1").crew(GREEN, 1, "D2").crew(RED, 0, "D3").drilling(GREEN, RED)
    position.do(Drill(0, 32))
    assert position.told(Claimed) == [Claimed(GREEN, CENTRE_REACHED, 6)]
    position.do(Drill(0, 32))
    assert position.told(Claimed) == [Claimed(RED, CENTRE_REACHED, 5)]
    position.drilling(GREEN).do(Drill(1, 32))
    assert position.told(Claimed) == []


@pytest.mark.rule(
    "RW-ACH-4",
    "RW-ACH-5",
    "RW-ACH-6",
    "RW-ACH-7",
    "RW-ACH-8",
    "RW-ACH-9",
    "RW-ACH-10",
    "RW-ACH-11",
    "RW-ACH-12",
    "RW-ACH-1",
    "RW-ACH-2",
)
@pytest.mark.parametrize("achievement", range(9))
def test_the_tile_of_most_prestige_left_is_claimed_each_kind_once_a_company(achievement: int) -> None:
    """Four companies meet everything one after the other; a second look claims nothing more."""
    position = Position()
    for seat in range(4):
        for crew in range(4):
            position.crew(seat, crew, "D1", power=4)
        position.stock(seat, (12, 12, 12, 12)).company(seat).cards = 6
    claimed = []
    for seat in (PURPLE, RED, WHITE, GREEN):
        claimed += position.drilling(seat).do(Drill(0, 32)).told(Claimed)
    mine = [event for event in claimed if event.achievement == achievement]
    assert [(event.seat, event.prestige) for event in mine] == list(
        zip((PURPLE, RED, WHITE, GREEN), FULL[achievement], strict=True)
    )
    assert position.drilling(RED).do(Drill(1, 32)).told(Claimed) == []
    assert position.company(WHITE).claimed[achievement] == FULL[achievement][2]


@pytest.mark.rule("RW-ACH-17")
def test_achievements_are_claimed_out_of_turn_too() -> None:
    """Green's booty reaches it in Red's drilling, and a bribed crew may be the one that its depth lacked."""
    position = Position().tile("B3", 5).crew(GREEN, 0, "B3", power=4).crew(RED, 0, "B2").card((0, 0, 20, 0))
    assert claims(position.drilling(RED).do(Drill(0, tile("B3")))) == [(RED, TEN_SILVER), (GREEN, TEN_SILVER)]
    position = Position().crew(RED, 0, "C3").crew(GREEN, 0, "B3").slot(CONTROL, 0, RED)
    for crew in (1, 2, 3):
        position.crew(GREEN, crew, "C7")
    position.drilling(RED).do(Drill(0, tile("C3"), bribe=GREEN * 4))
    assert claims(position) == [(GREEN, ALL_CREWS_AT_STRATUM_C)]


@pytest.mark.rule("RW-ACH-3")
def test_among_several_at_the_same_moment_the_management_order_decides() -> None:
    """Red triggers, but White and Green stand before it; by option the active company comes first."""
    for option, order in (("management", [WHITE, GREEN, RED]), ("active-first", [RED, WHITE, GREEN])):
        position = Position(achievement_ties=option).tile("B3", 6).card((0, 0, 0, 39))
        position.crew(WHITE, 0, "B3").crew(GREEN, 0, "B3", power=4).crew(RED, 0, "B2").drilling(RED)
        position.state.management = [WHITE, GREEN, PURPLE, RED]
        position.do(Drill(0, tile("B3")))
        assert [(event.seat, event.prestige) for event in position.told(Claimed)] == list(
            zip(order, (5, 4, 3), strict=True)
        )


@pytest.mark.rule("RW-ACH-3", "RW-ACH-18")
@pytest.mark.parametrize("option", ["management", "active-first"])
def test_with_nobody_active_the_management_order_decides(option: str) -> None:
    """All mineshafts' yields are one distribution: who is paid first does not claim first."""
    position = Position(achievement_ties=option)
    for name, seat in (("A1", RED), ("A2", GREEN)):
        position.tile(name, 2, yields=(0, 0, 10, 0)).mineshaft(name, seat).reveal(name)
    position.state.management = [WHITE, GREEN, PURPLE, RED]
    end_of_drilling(position)
    assert [event.seat for event in position.told(Yielded)] == [RED, GREEN]
    assert [(event.seat, event.prestige) for event in position.told(Claimed)] == [(GREEN, 4), (RED, 3)]


@pytest.mark.rule("RW-ACH-18")
def test_conditions_are_looked_at_once_danger_is_done() -> None:
    """The booty would have been twelve gold; what danger leaves of it is not."""
    position = Position().tile("B3", 5).crew(GREEN, 0, "B3", power=4).crew(RED, 0, "B2", power=1)
    position.card((0, 0, 0, 25), danger=True).stock(GREEN, POOR, insurance=1).stock(RED, POOR)
    position.drilling(RED).do(Drill(0, tile("B3")))
    assert position.told(Claimed) == []
    assert position.asked()[0] == "danger"
    position.do(*[Cover(1 if seat == GREEN else 0) for seat in position.asked()[1]])
    assert {event.seat: event.kept[GOLD] for event in position.told(DangerStruck)} == {RED: 11, GREEN: 10}
    assert claims(position) == []


@pytest.mark.rule("RW-ACH-18")
def test_conditions_are_looked_at_after_a_whole_act_not_within_it() -> None:
    """A crew of two moves that only passes stratum C on its way up has all its crews there at no moment that counts."""
    position = Position().levels(GREEN, mobility=3).crew(GREEN, 3, "B7").drilling(GREEN)
    for crew in range(3):
        position.crew(GREEN, crew, "C1")
    assert claims(position.do(Drill(3, tile("C7"), second=tile("B7")))) == []
    assert claims(position.drilling(GREEN).do(Drill(3, tile("C7"), second=tile("C6")))) == [
        (GREEN, ALL_CREWS_AT_STRATUM_C)
    ]


@pytest.mark.rule("RW-ACH-18")
def test_a_distribution_within_an_act_is_a_moment_that_counts() -> None:
    """Passing extracts C7 with all crews on stratum C, though the act ends above."""
    position = Position().levels(GREEN, mobility=3).crew(GREEN, 3, "B7").tile("C7", 1).drilling(GREEN)
    for crew in range(3):
        position.crew(GREEN, crew, "C1")
    position.do(Drill(3, tile("C7"), second=tile("B7")))
    assert position.told(Extracted) != []
    assert claims(position) == [(GREEN, ALL_CREWS_AT_STRATUM_C)]


@pytest.mark.rule("RW-ACH-14", "RW-ACH-16")
def test_a_claim_costs_nothing_and_stays_though_its_cubes_go() -> None:
    """Sold, delivered, bid or insured: the tile is kept, and not claimed again when the cubes come back."""
    position = at_market(rich(Position(), 90000, POOR), GREEN, workshop=(GREEN,)).do(Trade(SILVER, 10))
    company = position.company(GREEN)
    assert (company.cubes, company.money, company.claimed[TEN_SILVER]) == ([0, 0, 10, 0], 82000, 4)
    position.do(Pass())
    position.do(Deliver(SILVER))
    assert (company.cubes[SILVER], company.claimed[TEN_SILVER]) == (5, 4)
    position.step(Insuring()).do(*[Insure((0, 0, 1, 0) if seat == GREEN else POOR) for seat in position.asked()[1]])
    position.step(Auction()).do(*[Bid(0, (0, 0, 4, 0) if seat == GREEN else POOR) for seat in position.asked()[1]])
    assert (company.cubes[SILVER], company.claimed[TEN_SILVER]) == (0, 4)
    position.state.slots = [-1] * 12
    at_market(position, GREEN).do(Trade(SILVER, 12))
    assert (claims(position), company.claimed[TEN_SILVER]) == ([], 4)


@pytest.mark.rule("RW-ACH-1")
def test_an_achievement_is_claimed_by_itself_for_all_to_see() -> None:
    """Nobody asks for it; the event is for everyone."""
    position = at_market(rich(Position(), 90000, POOR), GREEN).do(Trade(SILVER, 10))
    assert [event.seats for event in position.events if isinstance(event.data, Claimed)] == [None]


def test_a_claim_shows_that_its_cubes_are_not_insured() -> None:
    """Green might have insured five of its silver cubes, until it claims with all ten that were seen."""
    position = Position().stock(GREEN, (0, 0, 9, 0), 90000)
    position.company(GREEN).account.high[SILVER] = 5
    at_market(position, GREEN).do(Trade(SILVER, 1))
    assert position.company(GREEN).account.high[SILVER] == 0


def test_who_does_not_claim_what_it_seems_to_hold_has_insured_some() -> None:
    """Ten silver seen and no claim: at least one is insured."""
    position = Position().stock(GREEN, (0, 0, 0, 0), 90000)
    account = position.company(GREEN).account
    account.seen[SILVER], account.high[SILVER], position.company(GREEN).insurance = 2, 2, 2
    at_market(position, GREEN).do(Trade(SILVER, 8))
    assert (claims(position), account.low[SILVER]) == ([], 1)
