"""The auction: RW-AUC."""

import pytest

from engine.rockwell.choices import Bid, Drill
from engine.rockwell.events import BidsRevealed
from engine.rockwell.geometry import ENTRANCES
from engine.rockwell.state import Drilling
from tests.engine.rockwell.position import Position

NOTHING = Bid(0, (0, 0, 0, 0))


@pytest.mark.rule("RW-AUC-1")
def test_every_company_bids_any_part_of_its_cubes_and_money_unseen() -> None:
    """One sealed decision of all seats; all, part or nothing of the stock is legal."""
    position = Position()
    assert position.asked() == ("bid", (0, 1, 2, 3))
    decision = position.rules.pending(position.state)
    assert decision is not None
    assert decision.sealed
    for bid in (NOTHING, Bid(3000, (3, 2, 1, 0)), Bid(100, (0, 0, 1, 0)), Bid(0, (3, 0, 0, 0))):
        assert not position.why_not(bid)


@pytest.mark.rule("RW-AUC-10", "RW-AUC-7")
def test_bids_are_revealed_together_to_everyone() -> None:
    """One public event holds all bids, cubes by kind and money."""
    position = Position().do(Bid(500, (1, 0, 0, 0)), NOTHING, Bid(0, (0, 2, 1, 0)), Bid(3000, (0, 0, 0, 0)))
    (revealed,) = position.told(BidsRevealed)
    assert [(bid.money, bid.cubes) for bid in revealed.bids] == [
        (500, (1, 0, 0, 0)),
        (0, (0, 0, 0, 0)),
        (0, (0, 2, 1, 0)),
        (3000, (0, 0, 0, 0)),
    ]
    assert position.events[0].seats is None


@pytest.mark.rule("RW-AUC-2", "RW-AUC-3")
def test_bids_are_ordered_by_money_and_market_value() -> None:
    """$1,900 in money loses to 1 gold, 1 silver and $200; cubes count $400, $600, $800, $1,000."""
    position = Position().stock(2, (1, 1, 1, 1), 3000)
    position.do(Bid(100, (0, 0, 0, 0)), Bid(1900, (0, 0, 0, 0)), Bid(200, (0, 0, 1, 1)), Bid(100, (1, 1, 0, 0)))
    (revealed,) = position.told(BidsRevealed)
    assert [bid.worth for bid in revealed.bids] == [100, 1900, 2000, 1100]
    assert revealed.order == (2, 1, 3, 0)
    assert position.state.management == [2, 1, 3, 0]


@pytest.mark.rule("RW-AUC-4")
def test_equal_bids_keep_their_order() -> None:
    """$1,200 and 2 copper are worth the same."""
    position = Position()
    position.state.management = [3, 1, 2, 0]
    position.do(Bid(1200, (0, 0, 0, 0)), NOTHING, Bid(0, (0, 2, 0, 0)), NOTHING)
    assert position.state.management == [2, 0, 3, 1]


@pytest.mark.rule("RW-AUC-5")
def test_every_bid_is_lost() -> None:
    """The losers' too."""
    position = Position().do(Bid(500, (1, 0, 0, 0)), Bid(100, (0, 1, 0, 0)), Bid(3000, (3, 2, 1, 0)), NOTHING)
    assert [company.money for company in position.state.companies] == [2500, 2900, 0, 3000]
    assert [company.cubes for company in position.state.companies] == [
        [2, 2, 1, 0],
        [3, 1, 1, 0],
        [0, 0, 0, 0],
        [3, 2, 1, 0],
    ]


@pytest.mark.rule("RW-AUC-6")
def test_more_than_it_holds_is_refused_and_says_so() -> None:
    """The refusal names what is too much."""
    position = Position()
    assert position.why_not(Bid(3100, (0, 0, 0, 0))) == "too_much_money"
    assert position.why_not(Bid(0, (4, 0, 0, 0))) == "too_many_cubes"
    assert position.why_not(Bid(0, (0, 0, 0, 1))) == "too_many_cubes"
    assert position.why_not(Bid(-100, (0, 0, 0, 0))) == "not_a_number"


@pytest.mark.rule("RW-AUC-8")
def test_money_is_bid_in_whole_hundreds() -> None:
    """$150 is refused."""
    assert Position().why_not(Bid(150, (0, 0, 0, 0))) == "hundreds"


@pytest.mark.rule("RW-AUC-9")
def test_insurance_and_deliveries_can_not_be_bid() -> None:
    """A bid has no place for them, and insured cubes are no longer there to bid."""
    position = Position().stock(0, (0, 0, 0, 0), 1000, insurance=5)
    position.company(0).delivered = [0, 8]
    assert Bid.__struct_fields__ == ("money", "cubes")
    assert position.why_not(Bid(0, (1, 0, 0, 0)), 0) == "too_many_cubes"
    assert not position.why_not(Bid(1000, (0, 0, 0, 0)), 0)


def test_a_company_known_to_have_nothing_is_not_asked() -> None:
    """With nobody who can bid the auction passes and all keep their order."""
    position = Position().stock(1, (0, 0, 0, 0), 99)
    assert position.asked() == ("bid", (0, 2, 3))
    for seat in range(4):
        position.stock(seat, (0, 0, 0, 0), 0)
    position.step(Drilling(4, 3)).do(Drill(0, ENTRANCES[0]))
    assert position.state.turn == 2
    assert position.asked() == ("place", (0,))


def test_one_that_may_have_insured_all_it_had_is_asked() -> None:
    """That it holds nothing is known to itself alone."""
    position = Position().stock(1, (0, 0, 0, 0), 0, insurance=3)
    assert 1 in position.asked()[1]


def test_one_that_is_known_to_have_insured_all_it_had_is_not_asked() -> None:
    """Its spent insurance proves that its only cube is gone."""
    position = Position().stock(1, (0, 0, 0, 0), 0, insurance=1)
    position.company(1).account.low = [1, 0, 0, 0]
    assert position.asked() == ("bid", (0, 2, 3))
