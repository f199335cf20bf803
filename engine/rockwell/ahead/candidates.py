"""The choices that are worth playing on: few of each kind, each a function of the view and the space alone."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.contract import Decision
from engine.rockwell import drillbot, workbot
from engine.rockwell.achievements import HOLDINGS
from engine.rockwell.choices import BID, DRILL, INSURE, MARKET, PLACE, WORKSHOP, Bid, Insure
from engine.rockwell.cubespace import BidSpace, InsureSpace
from engine.rockwell.drillspace import DrillSpace
from engine.rockwell.market import BUY, PASS, SELL, MarketSpace
from engine.rockwell.placing import PlaceSpace
from engine.rockwell.prospects import Scout
from engine.rockwell.state import CONTROL, COPPER, ZINC
from engine.rockwell.view import RockwellView
from engine.rockwell.workspace import MINESHAFT, MOVE_MINESHAFT, WorkSpace
from engine.spaces import every

BIDS = (0, 200, 500, 900, 1500)
"""Dollars. What is bid is lost, so a high bid has to win much."""
INSURED = ((ZINC, 4), (COPPER, 2))
"""Kinds that are cheap enough to be insured, and how many at most."""
DRILLS = 7
SITES = 3
PRICES = (2000, 4000)
"""What one action or two cost, more or less: sales that bring so much."""
ANY = 12
"""So many choices of the other kinds, which are small."""


def candidates(view: RockwellView, decision: Decision, space: Any, own: Any) -> list[Any]:
    """`own` first, then the others, no choice twice."""
    assert view.seat is not None
    if decision.kind in _KINDS:
        return list(dict.fromkeys((own, *_KINDS[decision.kind](view, space, view.seat))))
    return list(dict.fromkeys((own, *every(space, ANY))))


def _bids(view: RockwellView, space: BidSpace, seat: int) -> Iterator[Bid]:
    for money in BIDS:
        if money <= space.money:
            yield Bid(money, (0, 0, 0, 0))


def _places(view: RockwellView, space: PlaceSpace, seat: int) -> Iterator[Any]:
    """One slot of those on a board that grant the same; on the control board each drills at its own time."""
    for board in space.boards:
        part = space.part((board,))
        assert part is not None
        granted = set()
        for slot in part.values:
            grant = slot if board == CONTROL else space.tables.grants[board][slot]
            if grant not in granted:
                granted.add(grant)
                yield space.build((board, slot))


def _insurance(view: RockwellView, space: InsureSpace, seat: int) -> Iterator[Insure]:
    for kind, most in INSURED:
        for count in range(min(most, space.held[kind]) + 1):
            cubes = [0, 0, 0, 0]
            cubes[kind] = count
            yield Insure((cubes[0], cubes[1], cubes[2], cubes[3]))


def _drills(view: RockwellView, space: DrillSpace, seat: int) -> Iterator[Any]:
    for act in drillbot.ranked(view, space, seat)[:DRILLS]:
        yield drillbot.choice(space, act)


def _trades(view: RockwellView, space: MarketSpace, seat: int) -> Iterator[Any]:
    part = space.part(())
    assert part is not None
    for trade in part.values:
        if trade == PASS:
            yield space.build((PASS,))
            continue
        amounts = space.part((trade,))
        assert amounts is not None
        wanted = _sales(space, SELL.index(trade), amounts.values) if trade in SELL else _lacking(view, space, trade)
        for amount in sorted(wanted):
            if amount in amounts.values:
                yield space.build((trade, amount))


def _sales(space: MarketSpace, kind: int, amounts: Any) -> set[int]:
    """All of them, half of them, or what brings the price of an action or two."""
    most = len(amounts)
    return {most, most // 2, *(-(-price // space.tables.market[kind]) for price in PRICES)}


def _lacking(view: RockwellView, space: MarketSpace, trade: str) -> set[int]:
    """What an achievement or the next delivery lacks; or a single one, for the awards at the end."""
    kind = BUY.index(trade)
    own, pile = view.own, space.tables.deliveries[kind]
    assert own is not None
    counts = [count for achievement, count, kinds in HOLDINGS if kind in kinds and not own.claimed[achievement]]
    if view.deliveries[kind] < len(pile):
        counts.append(pile[view.deliveries[kind]].cost[kind])
    return {1, *(count - own.cubes[kind] for count in counts)}


def _works(view: RockwellView, space: WorkSpace, seat: int) -> Iterator[Any]:
    part = space.part(())
    assert part is not None
    for action in part.values:
        if action == MINESHAFT:
            yield from _sites(view, space, seat)
        elif action != MOVE_MINESHAFT:
            yield space.build((action,))


def _sites(view: RockwellView, space: WorkSpace, seat: int) -> Iterator[Any]:
    """A new mineshaft where it is likely to yield most."""
    part = space.part((MINESHAFT,))
    assert part is not None
    scout = Scout(space.tables, view, seat)
    for tile in sorted(part.values, key=lambda tile: -workbot.site(scout, tile))[:SITES]:
        yield space.build((MINESHAFT, tile))


_KINDS: dict[str, Callable[[RockwellView, Any, int], Iterable[Any]]] = {
    BID: _bids,
    PLACE: _places,
    INSURE: _insurance,
    DRILL: _drills,
    MARKET: _trades,
    WORKSHOP: _works,
}
"""The kinds whose choices are too many; of the others every choice is a candidate."""
