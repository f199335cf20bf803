"""Phase III, the workshop: turns, power, levels and deliveries."""

import pytest

from engine.rockwell.choices import BID, WORKSHOP, Deliver, Mineshaft, Mobility, MoveMineshaft, Pass, Raise, Safety
from engine.rockwell.events import Delivered, Extracted, LevelBought, Passed, Raised, Shared
from engine.rockwell.state import GOLD, ZINC
from engine.rockwell.state import WORKSHOP as BOARD
from tests.engine.rockwell.late import EACH, GREEN, PURPLE, RED, WHITE, at_workshop, end_of_drilling, refused, rich
from tests.engine.rockwell.position import Position


def workshop(*seats: int, money: int = 9000) -> Position:
    """A workshop with vice presidents on these slots, all companies with five cubes of each kind."""
    return at_workshop(rich(Position(), money), *seats)


@pytest.mark.rule("RW-WRK-1")
def test_only_companies_on_board_three_act_one_action_each_in_turn() -> None:
    """With two on the board the turn goes back and forth, and to nobody else."""
    position = workshop(PURPLE, GREEN)
    order = []
    for crew in (0, 0, 1, 1):
        order.append(position.asked())
        position.do(Raise(crew))
    assert order == [(WORKSHOP, (seat,)) for seat in (PURPLE, GREEN, PURPLE, GREEN)]


@pytest.mark.rule("RW-WRK-1")
def test_with_nobody_on_board_three_there_is_no_workshop() -> None:
    """The next turn's auction follows at once."""
    assert workshop().asked()[0] == BID


@pytest.mark.rule("RW-WRK-19")
@pytest.mark.parametrize(("order", "expected"), [("slots", [WHITE, RED, GREEN]), ("management", [GREEN, RED, WHITE])])
def test_companies_act_in_slot_order_or_by_option_in_management_order(order: str, expected: list[int]) -> None:
    """Slots from the left, whatever the management order; with the option the other way round."""
    position = rich(Position(phase_order=order))
    position.state.management = [GREEN, PURPLE, RED, WHITE]
    at_workshop(position, WHITE, RED, -1, GREEN)
    seen: list[int] = []
    for _ in range(6):
        seen += position.asked()[1]
        position.do(Safety())
    assert seen == expected * 2


@pytest.mark.rule("RW-WRK-20")
@pytest.mark.parametrize("slot", range(4))
def test_a_slot_grants_so_many_actions_and_no_more(slot: int) -> None:
    """After its last action the company is done and its vice president is home."""
    position = at_workshop(rich(Position(), 30000), *[GREEN if place == slot else -1 for place in range(3)], PURPLE)
    if slot == 3:
        position = at_workshop(rich(Position(), 30000), PURPLE, -1, -1, GREEN)
    acts = 0
    while GREEN in position.state.slots[8:12]:
        if position.asked() == (WORKSHOP, (GREEN,)):
            acts += 1
            position.do(Raise(acts % 4))
        else:
            position.do(Pass())
    assert acts == (4, 3, 3, 2)[slot]


@pytest.mark.rule("RW-WRK-17")
def test_who_passes_is_done_for_the_phase() -> None:
    """Its vice president goes home; the other goes on alone."""
    position = workshop(GREEN, PURPLE).do(Pass())
    assert position.told(Passed) == [Passed(GREEN, BOARD, False)]
    assert position.state.slots[8:12] == [-1, PURPLE, -1, -1]
    for crew in range(3):
        assert position.asked() == (WORKSHOP, (PURPLE,))
        position.do(Raise(crew))
    assert position.asked()[0] == BID


@pytest.mark.rule("RW-WRK-2", "RW-WRK-22")
def test_power_goes_up_one_step_at_a_time_for_its_price() -> None:
    """$1,500 to 2, $2,500 to 3, $3,500 to 4, and no further."""
    position = workshop(GREEN)
    money = [9000]
    for power in (2, 3, 4):
        position.do(Raise(2))
        assert position.told(Raised)[0].power == power
        assert position.state.power[GREEN * 4 : GREEN * 4 + 4] == [1, 1, power, 1]
        money.append(position.company(GREEN).money)
    assert money == [9000, 7500, 5000, 1500]
    position.stock(GREEN, money=9000)
    assert position.why_not(Raise(2)) == "most_power"
    assert position.why_not(Raise(1)) == ""


@pytest.mark.rule("RW-WRK-3")
def test_a_step_of_power_that_reaches_what_a_tile_requires_extracts_it_at_once() -> None:
    """The company that paid triggered it: it keeps the card, and as one of two at the most power what is left over."""
    position = Position().tile("B3", 4).card((5, 0, 0, 0)).crew(GREEN, 1, "B3", power=1).crew(PURPLE, 0, "B3", power=2)
    at_workshop(rich(position, cubes=(0, 0, 0, 0)), GREEN).do(Raise(1))
    assert [(event.seat, event.cause) for event in position.told(Extracted)] == [(GREEN, "power")]
    assert position.told(Shared)[0].priority == GREEN
    assert (position.company(GREEN).cards, position.company(PURPLE).cards) == (1, 0)
    assert (position.company(GREEN).cubes[ZINC], position.company(PURPLE).cubes[ZINC]) == (3, 2)
    assert position.asked() == (WORKSHOP, (GREEN,))


@pytest.mark.rule("RW-WRK-3")
def test_after_an_extraction_in_the_workshop_the_phase_goes_on_in_its_order() -> None:
    """Danger asks in between; then the next company acts."""
    position = Position().tile("B3", 2).card((5, 0, 0, 0), danger=True).crew(GREEN, 1, "B3", power=1)
    rich(position).stock(GREEN, insurance=2)
    at_workshop(position, GREEN, PURPLE).do(Raise(1))
    assert position.asked()[0] == "danger"
    position.do(*[position.rules.default(position.state, seat) for seat in position.asked()[1]])
    assert position.asked() == (WORKSHOP, (PURPLE,))


@pytest.mark.rule("RW-WRK-21")
def test_a_crew_at_an_entrance_can_be_raised_one_at_the_centre_not() -> None:
    """A crew that has arrived has left the game."""
    position = at_workshop(rich(Position().crew(GREEN, 0, "centre").crew(GREEN, 1, "entrance 2")), GREEN)
    assert position.why_not(Raise(0)) == "crew_at_centre"
    assert position.why_not(Raise(1)) == ""


@pytest.mark.rule("RW-WRK-4")
def test_safety_is_bought_level_by_level() -> None:
    """Three levels for $1,500, $2,000 and $2,500; there is no fourth."""
    position = workshop(GREEN)
    for level, price in ((1, 1500), (2, 2000), (3, 2500)):
        position.do(Safety())
        assert position.told(LevelBought) == [LevelBought(GREEN, "safety", level, price)]
        assert position.company(GREEN).safety == level
    assert position.company(GREEN).money == 3000
    assert position.why_not(Safety()) == "no_level_left"


@pytest.mark.rule("RW-WRK-10", "RW-WRK-11", "RW-WRK-14", "RW-WRK-23")
def test_mobility_is_bought_level_by_level_each_once() -> None:
    """Three levels for $1,500, $2,000 and $2,500; there is no fourth."""
    position = workshop(GREEN)
    for level, price in ((1, 1500), (2, 2000), (3, 2500)):
        position.do(Mobility())
        assert position.told(LevelBought) == [LevelBought(GREEN, "mobility", level, price)]
        assert position.company(GREEN).mobility == level
    assert position.company(GREEN).money == 3000
    assert position.why_not(Mobility()) == "no_level_left"


@pytest.mark.rule("RW-WRK-33")
def test_an_action_that_cannot_be_paid_is_refused_with_its_price() -> None:
    """The error names the price and what the company has."""
    position = at_workshop(rich(Position(), 1500, (0, 0, 0, 0)).crew(GREEN, 1, "entrance 2", power=3), GREEN)
    position.levels(GREEN, safety=1, mineshaft=2, mobility=2)
    for choice, price in ((Raise(1), 3500), (Safety(), 2000), (Mobility(), 2500), (Mineshaft(0), 2500)):
        illegal = refused(position, choice)
        assert (illegal.code, illegal.params) == ("cannot_pay", {"price": price, "has": 1500})
    illegal = refused(position, Deliver(ZINC))
    assert (illegal.code, illegal.params) == (
        "cannot_deliver",
        {"pile": ZINC, "cost": (5, 0, 0, 0), "has": (0, 0, 0, 0)},
    )


@pytest.mark.rule("RW-WRK-33")
def test_moving_a_mineshaft_that_cannot_be_paid_is_refused_with_its_price() -> None:
    """The price is that of the cheapest level that would allow it."""
    position = Position().stock(GREEN, EACH, 1400).mineshaft("A1", GREEN).levels(GREEN, mineshaft=1)
    at_workshop(position, GREEN)
    illegal = refused(position, MoveMineshaft(0, 1))
    assert (illegal.code, illegal.params) == ("cannot_pay", {"price": 1500, "has": 1400})
    position.stock(GREEN, money=1900).levels(GREEN, mineshaft=3)
    position.mineshaft("A2", GREEN).mineshaft("A3", GREEN)
    illegal = refused(position, MoveMineshaft(0, 30))
    assert (illegal.code, illegal.params) == ("cannot_pay", {"price": 2500, "has": 1900})


@pytest.mark.rule("RW-WRK-16")
def test_a_delivery_takes_the_top_tile_and_pays_its_cubes() -> None:
    """One action; each tile of a pile once, the cheapest first."""
    position = at_workshop(rich(Position(), 0, (9, 9, 9, 17)), GREEN)
    for place, cost in enumerate((5, 5, 6)):
        position.do(Deliver(GOLD))
        assert position.told(Delivered) == [Delivered(GREEN, GOLD, place, (0, 0, 0, cost), 5)]
    company = position.company(GREEN)
    assert (company.cubes, company.money) == ([9, 9, 9, 1], 0)
    assert company.delivered == [GOLD * 8, GOLD * 8 + 1, GOLD * 8 + 2]
    assert position.state.left[GREEN] == 1
    assert position.why_not(Deliver(GOLD)) == "cannot_deliver"


@pytest.mark.rule("RW-WRK-16")
def test_a_pile_that_is_used_up_delivers_no_more() -> None:
    """Seven tiles a pile."""
    position = rich(Position(), 0, (99, 9, 9, 9))
    position.state.deliveries[ZINC] = 7
    assert at_workshop(position, GREEN).why_not(Deliver(ZINC)) == "pile_empty"


@pytest.mark.rule("RW-WRK-35")
def test_everyone_sees_which_tile_is_delivered() -> None:
    """The event is for all, and the public view holds the tile."""
    position = workshop(GREEN).do(Deliver(ZINC))
    assert [event.seats for event in position.events if isinstance(event.data, Delivered)] == [None]
    assert position.rules.view(position.state, None).companies[GREEN].delivered == [ZINC * 8]


def test_a_company_that_nobody_can_think_able_to_act_passes_by_itself() -> None:
    """No money for anything, and fewer cubes seen than any delivery costs."""
    position = at_workshop(rich(Position()).stock(GREEN, (4, 4, 4, 4), 1400), GREEN, PURPLE)
    assert position.told(Passed) == [Passed(GREEN, BOARD, True)]
    assert position.asked() == (WORKSHOP, (PURPLE,))


def test_a_company_that_might_deliver_is_asked_though_its_cubes_are_insured() -> None:
    """Passing by itself would show that its cubes are gone."""
    position = at_workshop(Position().stock(GREEN, (4, 0, 0, 0), 0, insurance=1), GREEN)
    assert position.asked() == (WORKSHOP, (GREEN,))
    assert position.why_not(Deliver(ZINC)) == "cannot_deliver"


@pytest.mark.rule("RW-WRK-20")
def test_what_is_left_of_a_grant_does_not_last_into_the_next_turn() -> None:
    """Each turn's slots grant anew."""
    position = workshop(GREEN).do(Pass())
    end_of_drilling(position)
    assert position.asked()[0] == BID
