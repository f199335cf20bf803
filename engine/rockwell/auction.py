"""The auction: RW-AUC."""

from collections.abc import Mapping, Sequence

from engine.contract import Decision
from engine.rockwell import account, stock
from engine.rockwell.choices import BID, Bid
from engine.rockwell.components import Tables
from engine.rockwell.cubespace import BidSpace
from engine.rockwell.events import Bidden, BidsRevealed
from engine.rockwell.play import Play
from engine.rockwell.state import Auction, Company, Placing, State
from engine.rockwell.view import Rival

NOTHING = Bid(0, (0, 0, 0, 0))


def pending(tables: Tables, state: State, step: Auction) -> Decision:
    """All bid at once (RW-AUC-1)."""
    return Decision(BID, bidders(state.companies), sealed=True)


def bidders(companies: Sequence[Company | Rival]) -> tuple[int, ...]:
    """The companies that can, for all that everyone knows, bid something."""
    return tuple(
        seat for seat, company in enumerate(companies) if company.money >= 100 or account.may_have_any(company.account)
    )


def space(tables: Tables, state: State, seat: int) -> BidSpace:
    """What a company may bid."""
    return BidSpace(tables, state, seat)


def run(play: Play, step: Auction) -> bool:
    """Wait for the bids; with nobody who has anything, all bid nothing."""
    if bidders(play.state.companies):
        return True
    answer(play, step, {})
    return False


def answer(play: Play, step: Auction, answers: Mapping[int, Bid]) -> None:
    """All bids are revealed together and lost (RW-AUC-10, RW-AUC-5); the management order follows their worth."""
    state = play.state
    zinc, copper, silver, gold = play.tables.market
    bids = []
    worths = []
    for seat, company in enumerate(state.companies):
        bid = answers.get(seat, NOTHING)
        cubes = bid.cubes
        worth = bid.money + cubes[0] * zinc + cubes[1] * copper + cubes[2] * silver + cubes[3] * gold
        bids.append(Bidden(seat, bid.money, cubes, worth))
        worths.append(-worth)
        if worth:
            company.money -= bid.money
            stock.pay(company, cubes)
    before = tuple(state.management)
    # Sorting is stable: equal bids keep their present order (RW-AUC-4).
    state.management.sort(key=worths.__getitem__)
    play.tell(BidsRevealed(tuple(bids), before, tuple(state.management)))
    state.stack[-1] = Placing(0)
