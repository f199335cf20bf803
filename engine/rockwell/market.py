"""Phase II, the market: RW-MKT."""

from collections.abc import Mapping
from typing import Any

from engine.contract import Decision, Part
from engine.errors import Illegal
from engine.rockwell import account, achievements, phases, stock, workshop
from engine.rockwell.choices import MARKET, Pass, Trade
from engine.rockwell.components import Tables
from engine.rockwell.events import Traded
from engine.rockwell.play import Play
from engine.rockwell.state import EXCHANGE, KIND_NAMES, KINDS, Company, Market, State

PASS = "pass"
SELL = tuple(f"sell_{name}" for name in KIND_NAMES)
BUY = tuple(f"buy_{name}" for name in KIND_NAMES)
_KIND = {name: kind for names in (SELL, BUY) for kind, name in enumerate(names)}


def begin(play: Play) -> None:
    """Phase II takes the place of the step on top of the stack."""
    phases.grant(play, EXCHANGE)
    play.state.stack[-1] = Market(0)


def pending(tables: Tables, state: State, step: Market) -> Decision:
    """One company after the other, one transaction each (RW-MKT-2)."""
    return Decision(MARKET, (phases.actor(tables, state, EXCHANGE, step.index),))


def space(tables: Tables, state: State, seat: int) -> "MarketSpace":
    """The transactions that a company may make."""
    return MarketSpace(tables, state, seat)


def run(play: Play, step: Market) -> bool:
    """Wait for a company that can do something, for all that everyone knows; phase III follows when all are done."""
    tables, state = play.tables, play.state
    index = phases.turn(tables, state, EXCHANGE, step.index)
    if index < 0:
        workshop.begin(play)
        return False
    seat = phases.actor(tables, state, EXCHANGE, index)
    if _may_trade(tables, state.companies[seat], state.traded[seat]):
        if index != step.index:
            state.stack[-1] = Market(index)
        return True
    phases.leave(play, EXCHANGE, seat, forced=True)
    return False


def _may_trade(tables: Tables, company: Company, traded: int) -> bool:
    return any(
        not traded >> kind & 1 and (company.money >= tables.market[kind] or account.may_have(company.account, kind))
        for kind in KINDS
    )


def answer(play: Play, step: Market, answers: Mapping[int, Trade | Pass]) -> None:
    """Carry out a transaction; the next company is the next in the order of the phase."""
    for seat, choice in answers.items():
        if isinstance(choice, Pass):
            phases.leave(play, EXCHANGE, seat, forced=False)
        else:
            _trade(play, seat, choice)
    play.state.stack[-1] = Market((step.index + 1) % phases.SLOTS)


def _trade(play: Play, seat: int, trade: Trade) -> None:
    state, kind = play.state, trade.kind
    company = state.companies[seat]
    money = play.tables.market[kind] * abs(trade.amount)
    state.traded[seat] |= 1 << kind
    phases.spend(state, EXCHANGE, seat)
    play.tell(Traded(seat, kind, trade.amount, money))
    if trade.amount < 0:
        stock.hand_over(company, kind, -trade.amount)
        company.money += money
        return
    company.money -= money
    company.cubes[kind] += trade.amount
    company.account.seen[kind] += trade.amount
    achievements.look(play, (seat,), seat)


class MarketSpace:
    """Pass, or a sale or purchase of a kind not traded yet, and then its amount (RW-MKT-3, RW-MKT-4)."""

    __slots__ = ("_cubes", "_market", "_money", "_traded", "tables")

    def __init__(self, tables: Tables, state: State, seat: int) -> None:
        own = state.companies[seat]
        self.tables = tables
        self._market = tables.market
        self._cubes = own.cubes
        self._money = own.money
        self._traded = state.traded[seat]

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """What to do, then how many cubes."""
        if not chosen:
            return Part("trade", self._trades())
        if len(chosen) == 1 and chosen[0] != PASS:
            return Part("amount", range(1, self._most(chosen[0]) + 1))
        return None

    def build(self, chosen: tuple[Any, ...]) -> Trade | Pass:
        """The choice of complete parts."""
        if chosen[0] == PASS:
            return Pass()
        return Trade(_KIND[chosen[0]], -chosen[1] if chosen[0] in SELL else chosen[1])

    def split(self, choice: object) -> tuple[Any, ...]:
        """What to do, and the amount; a trade of nothing counts as a purchase of none."""
        if isinstance(choice, Pass):
            return (PASS,)
        if isinstance(choice, Trade) and choice.kind in KINDS:
            return (SELL[choice.kind], -choice.amount) if choice.amount < 0 else (BUY[choice.kind], choice.amount)
        raise Illegal("wrong_kind", given=choice)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Traded already, nothing, or more than it holds or can pay."""
        trade = chosen[0] if chosen else value
        kind = _KIND[trade]
        if self._traded >> kind & 1:
            return "traded_already", {"kind": kind}
        amount = value if chosen else 1
        if type(amount) is not int or amount < 0:
            return "not_a_number", {}
        if not amount:
            return "trade_of_nothing", {}
        if trade in SELL:
            return "too_many_cubes", {"kind": kind, "most": self._cubes[kind]}
        return "cannot_pay", {"price": amount * self._market[kind], "has": self._money}

    def _trades(self) -> list[str]:
        trades = [PASS]
        for kind in KINDS:
            if self._traded >> kind & 1:
                continue
            if self._cubes[kind]:
                trades.append(SELL[kind])
            if self._money >= self._market[kind]:
                trades.append(BUY[kind])
        return trades

    def _most(self, trade: str) -> int:
        kind = _KIND[trade]
        return self._cubes[kind] if trade in SELL else self._money // self._market[kind]
