"""Orders sent ahead that can't be used any more, or ask for more than there is, are known from the view alone."""

import pytest

from engine.contract import Obstacle
from engine.orders.outlook import obstacle
from engine.rockwell.state import (
    CONTROL,
    EXCHANGE,
    WORKSHOP,
    Auction,
    Drilling,
    Insuring,
    Market,
    Placing,
    Step,
    Workshop,
)
from tests.engine.rockwell.language.said import GREEN, RED, order
from tests.engine.rockwell.position import Position


def scene(*stack: Step) -> Position:
    """Red has 1 zinc and $1,000; its c4 is at the centre; it holds slots for hire, market and workshop."""
    position = Position().step(*stack).stock(RED, (1, 0, 0, 0), 1000).reveal("B3").crew(RED, 3, "centre")
    position.slot(CONTROL, 2, RED).slot(EXCHANGE, 0, RED).slot(WORKSHOP, 0, RED).slot(WORKSHOP, 1, GREEN)
    position.state.left = [2, 0, 0, 0]
    return position


def obstacle_to(text: str, position: Position, pace: str) -> Obstacle | None:
    """What stands against a line of Red's."""
    view = position.rules.view(position.state, RED)
    return obstacle(position.rules, view, order(text, position), position.rules.agenda(view, pace))


def against(text: str, position: Position, pace: str = "strict") -> tuple[str, bool] | None:
    """The code of what stands against a line of Red's, and whether it does for good."""
    found = obstacle_to(text, position, pace)
    return None if found is None else (found.code, found.for_good)


PLACING, DRILLING, MARKET, WORKING = Placing(0), Drilling(3, 0), Market(0), Workshop(0)


@pytest.mark.parametrize(
    ("text", "stack", "expected"),
    [
        ("bid 99999", Auction(), ("too_much_money", True)),
        ("bid 950", Auction(), ("hundreds", True)),
        ("bid 2 zinc", Auction(), ("too_many_cubes", True)),
        ("bid 99999 or nothing", Auction(), None),
        ("bid 500", Auction(), None),
        ("sell 1 zinc", Auction(), ("not_in_stage", True)),
        ("insure 5 zinc", Insuring(), ("too_many_cubes", True)),
        ("place workshop 2", PLACING, ("on_that_board", True)),
        ("drill 1: c1 to A1", DRILLING, ("round_over", True)),
        ("drill 4: c1 to A1", DRILLING, None),
        ("drill 4: c4 stay", DRILLING, ("crew_at_centre", True)),
        ("drill 4: c4 stay or c1 stay", DRILLING, None),
        ("drill 4: c1 to A1, bribe green c1", DRILLING, ("no_right", True)),
        ("drill 4: c1 to A1, hire 1", DRILLING, None),
        ("drill 4: c1 to A1, hire 2", DRILLING, ("above_cap", True)),
        ("drill 4: c1 to D1, hire 4", DRILLING, ("cannot_pay", True)),
        ("drill 4: c1 straddle A1 A2", DRILLING, ("needs_mobility", True)),
        ("drill 4: c1 to A1 then B1", DRILLING, ("needs_mobility", True)),
        ("drill 1: c1 to B1", Insuring(), ("too_far", True)),
        ("drill 1: c1 to A3", Insuring(), ("too_far", True)),
        ("drill 1: c1 to B1 or stay", Insuring(), None),
        ("drill 2: c1 to B1", Insuring(), None),
        ("drill any: c1 to D1", Insuring(), None),
        ("drill 2: c1 to D1", Insuring(), ("too_far", False)),
        ("drill 4: c1 to core", DRILLING, ("too_far", False)),
        ("drill 4: c1 to B1", DRILLING, None),
        ("drill 3: c1 to B1", DRILLING, ("too_far", True)),
        ("first B3", DRILLING, ("tile_revealed", True)),
        ("drill 4: c1 to A1 unless B3 is revealed", DRILLING, ("never_holds", True)),
        ("drill 4: c1 to A1 if B3 is revealed", DRILLING, None),
        ("drill 4: c1 to A1 if B4 is revealed", DRILLING, None),
        ("if B3 is unrevealed, drill 4: c1 to A1 or stay", DRILLING, ("never_holds", True)),
        ("drill 4: c1 to A1 if B3 is unrevealed or stay", DRILLING, None),
        ("drill 4: c1 to A1 if B3 is unrevealed and gold > 3", DRILLING, ("never_holds", True)),
        ("drill 4: c1 to A1 if B3 is unrevealed or gold > 3", DRILLING, None),
        ("drill any: c1 to A1 if round <= 2", DRILLING, ("never_holds", True)),
        ("drill any: c1 to A1 if round >= 4", DRILLING, None),
        ("drill 4: c1 to A1 if gold > 3", DRILLING, None),
        ("first B4", DRILLING, None),
        ("sell 5 zinc", MARKET, ("too_many_cubes", True)),
        ("buy 9 gold", MARKET, ("cannot_pay", False)),
        ("buy 1 zinc", MARKET, None),
        ("power c1", MARKET, ("cannot_pay", False)),
        ("power c1", WORKING, ("cannot_pay", True)),
        ("power c4", MARKET, ("crew_at_centre", True)),
        ("deliver gold", MARKET, ("cannot_deliver", False)),
        ("pass market", MARKET, None),
        ("drill 4: c1 stay", MARKET, ("not_in_stage", True)),
        ("always danger: all", MARKET, None),
    ],
)
def test_what_stands_against_an_order_is_known_when_it_is_sent(
    text: str, stack: Step, expected: tuple[str, bool] | None
) -> None:
    """For good where nothing can change it before it is asked, else as things are now."""
    assert against(text, scene(stack)) == expected


def test_at_the_brisk_pace_a_bid_of_more_than_there_is_now_may_still_be_paid() -> None:
    """The market comes before the next auction; whole hundreds it must be all the same."""
    position = scene(MARKET)
    assert against("bid 99999", position, "brisk") == ("too_much_money", False)
    assert against("bid 950", position, "brisk") == ("hundreds", True)


def test_with_a_choice_of_evils_the_one_that_may_pass_is_told() -> None:
    """An order is past hope only when all of its alternatives are."""
    position = scene(MARKET)
    found = obstacle_to("power c4 or power c1", position, "strict")
    assert found == Obstacle("cannot_pay", {"price": 1500, "has": 1000}, for_good=False)


@pytest.mark.parametrize(
    ("mobility", "text", "expected"),
    [
        (1, "drill 4: c1 to A3", None),
        (1, "drill 4: c1 to A4", ("too_far", True)),
        (2, "drill 4: c1 straddle B1 B2", ("too_far", True)),
        (2, "drill 4: c1 straddle A1 A2", None),
        (3, "drill 4: c1 to C1", None),
        (3, "drill 4: c1 to D1", ("too_far", True)),
    ],
)
def test_how_far_a_crew_comes_is_reckoned_with_its_mobility(
    mobility: int, text: str, expected: tuple[str, bool] | None
) -> None:
    """Of a crew on A1 in the last round, when nobody can bribe any more."""
    position = scene(Drilling(4, 0)).crew(RED, 0, "A1")
    position.state.companies[RED].mobility, position.state.bribery = mobility, 0
    assert against(text, position) == expected
