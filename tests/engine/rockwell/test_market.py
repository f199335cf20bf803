"""Phase II, the market."""

import pytest

from engine.rockwell.choices import MARKET, WORKSHOP, Pass, Trade
from engine.rockwell.events import Passed, Traded
from engine.rockwell.state import COPPER, EXCHANGE, GOLD, SILVER, ZINC
from tests.engine.rockwell.late import GREEN, PURPLE, RED, WHITE, at_market, end_of_drilling, refused, rich
from tests.engine.rockwell.position import Position


def market(*seats: int, workshop: tuple[int, ...] = (RED,)) -> Position:
    """A market with vice presidents on these slots, all companies with five cubes of each kind and $9,000."""
    return at_market(rich(Position()), *seats, workshop=workshop)


@pytest.mark.rule("RW-MKT-1")
@pytest.mark.parametrize(("kind", "value"), [(ZINC, 400), (COPPER, 600), (SILVER, 800), (GOLD, 1000)])
@pytest.mark.parametrize("amount", [2, -3, 1, -1])
def test_market_values_are_the_same_for_sale_and_purchase(kind: int, value: int, amount: int) -> None:
    """Zinc $400, copper $600, silver $800, gold $1,000, whichever way and however many."""
    position = market(GREEN).do(Trade(kind, amount))
    company = position.company(GREEN)
    assert (company.cubes[kind], company.money) == (5 + amount, 9000 - amount * value)


@pytest.mark.rule("RW-MKT-8")
def test_a_transaction_of_nothing_is_refused() -> None:
    """Whoever wants to trade no cube passes."""
    illegal = refused(market(GREEN), Trade(GOLD, 0))
    assert (illegal.code, illegal.part) == ("trade_of_nothing", "amount")


@pytest.mark.rule("RW-MKT-2")
def test_only_companies_on_board_two_act_one_transaction_each_in_turn() -> None:
    """With two on the board the turn goes back and forth, and to nobody else."""
    position = market(PURPLE, GREEN)
    order = []
    for kind in (ZINC, ZINC, GOLD, GOLD):
        order.append(position.asked())
        position.do(Trade(kind, -1))
    assert order == [(MARKET, (seat,)) for seat in (PURPLE, GREEN, PURPLE, GREEN)]


@pytest.mark.rule("RW-MKT-2")
def test_with_nobody_on_board_two_there_is_no_market() -> None:
    """The workshop follows at once."""
    assert market(workshop=(WHITE,)).asked() == (WORKSHOP, (WHITE,))


@pytest.mark.rule("RW-MKT-9")
@pytest.mark.parametrize(("order", "expected"), [("slots", [WHITE, RED, GREEN]), ("management", [GREEN, RED, WHITE])])
def test_companies_act_in_slot_order_or_by_option_in_management_order(order: str, expected: list[int]) -> None:
    """Slots from the left, whatever the management order; with the option the other way round."""
    position = rich(Position(phase_order=order))
    position.state.management = [GREEN, PURPLE, RED, WHITE]
    at_market(position, WHITE, RED, -1, GREEN)
    seen: list[int] = []
    for _ in range(6):
        seen += position.asked()[1]
        position.do(Trade(GOLD if len(seen) <= 3 else ZINC, -1))
    assert seen == expected * 2


@pytest.mark.rule("RW-MKT-10", "RW-MKT-5")
@pytest.mark.parametrize("slot", range(4))
def test_a_slot_grants_so_many_transactions_and_no_more(slot: int) -> None:
    """After its last transaction the company is done, without passing, and its vice president is home."""
    position = market(*[GREEN if place == slot else -1 for place in range(4)])
    for kind in range((4, 3, 2, 2)[slot]):
        assert position.asked() == (MARKET, (GREEN,))
        position.do(Trade(kind, -1))
    assert position.asked() == (WORKSHOP, (RED,))
    assert position.state.slots[EXCHANGE * 4 : EXCHANGE * 4 + 4] == [-1] * 4
    assert position.told(Passed) == []


@pytest.mark.rule("RW-MKT-3")
@pytest.mark.parametrize("amount", [-5, -1, 1, 9])
def test_any_number_of_cubes_of_one_kind_can_be_traded(amount: int) -> None:
    """From one to all that it holds, or all that it can pay; the other kinds stay untouched."""
    assert market(GREEN).do(Trade(GOLD, amount)).company(GREEN).cubes == [5, 5, 5, 5 + amount]


@pytest.mark.rule("RW-MKT-4")
def test_no_kind_is_traded_twice_in_a_phase() -> None:
    """Neither sold twice nor bought back; other companies may, and so may it in the next turn's market."""
    position = market(GREEN, PURPLE).do(Trade(GOLD, -1)).do(Trade(GOLD, 1))
    for amount in (-1, 1):
        illegal = refused(position, Trade(GOLD, amount))
        assert (illegal.code, illegal.params) == ("traded_already", {"kind": GOLD})
    end_of_drilling(position)
    assert position.why_not(Trade(GOLD, 1)) == ""


@pytest.mark.rule("RW-MKT-5")
def test_who_passes_is_done_and_takes_its_vice_president_back() -> None:
    """The other company goes on alone, to its last transaction."""
    position = market(GREEN, PURPLE).do(Pass())
    assert position.told(Passed) == [Passed(GREEN, EXCHANGE, False)]
    assert position.state.slots[EXCHANGE * 4 : EXCHANGE * 4 + 4] == [-1, PURPLE, -1, -1]
    for kind in range(3):
        assert position.asked() == (MARKET, (PURPLE,))
        position.do(Trade(kind, -1))
    assert position.asked() == (WORKSHOP, (RED,))


@pytest.mark.rule("RW-MKT-6")
def test_more_than_one_holds_or_can_pay_is_refused_with_what_would_do() -> None:
    """The error says how many or how much one has, and offers the most that is possible."""
    position = market(GREEN)
    illegal = refused(position, Trade(SILVER, -6))
    assert (illegal.code, illegal.params) == ("too_many_cubes", {"kind": SILVER, "most": 5})
    assert illegal.nearest[0] == 5
    illegal = refused(position, Trade(GOLD, 10))
    assert (illegal.code, illegal.params) == ("cannot_pay", {"price": 10000, "has": 9000})
    assert illegal.nearest[0] == 9


@pytest.mark.rule("RW-MKT-6")
def test_a_kind_that_one_has_none_of_or_no_money_for_is_refused() -> None:
    """Even a single cube must be there, or be paid."""
    position = at_market(Position().stock(GREEN, (1, 0, 0, 0), 900), GREEN)
    assert refused(position, Trade(COPPER, -1)).params == {"kind": COPPER, "most": 0}
    illegal = refused(position, Trade(GOLD, 1))
    assert (illegal.code, illegal.params) == ("cannot_pay", {"price": 1000, "has": 900})


@pytest.mark.rule("RW-MKT-7")
def test_everyone_sees_kind_and_number_of_the_cubes_traded() -> None:
    """The event is for all, and the public account follows it."""
    position = market(GREEN).do(Trade(SILVER, -4))
    assert [event.seats for event in position.events if event.data == Traded(GREEN, SILVER, -4, 3200)] == [None]
    seen = position.rules.view(position.state, None).companies[GREEN]
    assert (seen.account.seen, seen.money) == ([5, 5, 1, 5], 12200)


def test_a_company_that_nobody_can_think_able_to_trade_passes_by_itself() -> None:
    """Without money and without a cube seen there is nothing to ask."""
    position = at_market(rich(Position()).stock(GREEN, (0, 0, 0, 0), 300), GREEN, PURPLE)
    assert position.told(Passed) == [Passed(GREEN, EXCHANGE, True)]
    assert position.asked() == (MARKET, (PURPLE,))


def test_a_company_that_has_secretly_insured_all_is_still_asked() -> None:
    """Passing by itself would show that its cubes are gone."""
    position = at_market(Position().stock(GREEN, (0, 0, 0, 0), 300, insurance=2), GREEN)
    assert position.asked() == (MARKET, (GREEN,))


@pytest.mark.parametrize("money", [400, 399])
def test_a_company_that_can_just_pay_a_zinc_cube_is_asked(money: int) -> None:
    """A dollar less, and there is nothing that it could do."""
    position = at_market(Position().stock(GREEN, (0, 0, 0, 0), money), GREEN)
    assert position.asked() == ((MARKET, (GREEN,)) if money == 400 else (WORKSHOP, (RED,)))
