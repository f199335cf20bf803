"""The part of an order after its first word, read to an intent."""

from collections.abc import Callable
from typing import Any

from engine.orders.cursor import Cursor, Unread
from engine.orders.tokens import NUMBER, WORD
from engine.rockwell.choices import (
    AutomatonMove,
    AutomatonRaise,
    Deliver,
    First,
    Mineshaft,
    Mobility,
    MoveMineshaft,
    Pass,
    Raise,
    Safety,
)
from engine.rockwell.language import places
from engine.rockwell.language.drills import drill
from engine.rockwell.language.intents import ALL, ANY, BidOf, Buy, CoverBy, InsureOf, PlaceOn, Sell
from engine.rockwell.state import KIND_NAMES
from engine.rockwell.view import RockwellView


def body(head: str, words: Cursor, view: RockwellView, before: Any) -> Any:
    """What stands after a head of Rockwell's. Raises Unread."""
    if head == "drill":
        return drill(words, view, before)
    return _BODIES[head](words)


def cube(words: Cursor) -> int:
    """A kind of cube 0..3. Raises Unread."""
    return KIND_NAMES.index(words.word(*KIND_NAMES))


def _bid(words: Cursor) -> BidOf:
    if words.take("nothing"):
        words.take("bid")
        return BidOf(0, (0, 0, 0, 0))
    money, cubes = _amounts(words, with_money=True)
    return BidOf(money, cubes)


def _insure(words: Cursor) -> InsureOf:
    words.take("insurance")
    if words.take("nothing"):
        words.take("insurance")
        return InsureOf((0, 0, 0, 0))
    return InsureOf(_amounts(words, with_money=False)[1])


def _amounts(words: Cursor, *, with_money: bool) -> tuple[int, tuple[int, int, int, int]]:
    """`1200 + 2 zinc, all gold`: money and cubes; a kind named twice adds up."""
    money, cubes = 0, [0, 0, 0, 0]
    kinds = (*KIND_NAMES, "money") if with_money else KIND_NAMES
    while True:
        amount = _number(words, "100" if with_money else "1")
        kind = words.take(*kinds)
        if kind is None and amount == ALL:
            cubes = [ALL] * 4
            money = ALL if with_money else 0
        elif kind in KIND_NAMES:
            index = KIND_NAMES.index(kind)
            cubes[index] = ALL if ALL in (amount, cubes[index]) else cubes[index] + amount
        elif with_money:
            money = ALL if ALL in (amount, money) else money + amount
        else:
            raise Unread("cube_expected", words.at, [words.lexicon.say(name) for name in KIND_NAMES])
        joined = words.take_sign("+", ",", "&") or words.take("and", "plus") is not None
        if not joined and not _goes_on(words, kind):
            return money, (cubes[0], cubes[1], cubes[2], cubes[3])


def _goes_on(words: Cursor, kind: str | None) -> bool:
    """Whether another amount follows, as in `2z 1c 1200`; in `12 00` the second number is none of its own."""
    after = [token.kind for token in words.tokens[words.at : min(words.end, words.at + 2)]]
    return after[:1] == [NUMBER] and (kind is not None or after[1:] == [WORD])


def _place(words: Cursor) -> PlaceOn:
    words.take("place")
    _ordinal(words)
    words.take("on", "to")
    board = places.board(words)
    slot = places.slot(words)
    return PlaceOn(board, ANY if slot is None else slot)


def _ordinal(words: Cursor) -> None:
    """`vp 1: workshop`, `place first: workshop`: which of the two it is does not matter, they go in turn."""
    start = words.at
    if (words.take_number() is None and words.take("first") is None) or not words.take_sign(":", ")", "."):
        words.at = start


def _first(words: Cursor) -> First:
    return First(places.tile(words))


def _danger(words: Cursor) -> CoverBy:
    if words.take("keep"):
        words.take("all")
        return CoverBy(ALL, cube(words))
    words.take("use")
    words.take("insurance")
    amount = 0 if words.take("nothing") else _number(words)
    words.take("insurance")
    return CoverBy(amount)


def _sell(words: Cursor) -> Sell:
    return Sell(*_lot(words))


def _buy(words: Cursor) -> Buy:
    return Buy(*_lot(words))


def _lot(words: Cursor) -> tuple[int, int]:
    """A kind and an amount: `3 gold`, `gold 3`."""
    found = words.take(*KIND_NAMES)
    if found is not None:
        return KIND_NAMES.index(found), _amount(words)
    amount = _amount(words)
    return cube(words), amount


def _number(words: Cursor, nearest: str = "1") -> int:
    return ALL if words.take("all") else words.number(nearest)


def _level(words: Cursor) -> None:
    """`safety level 2`: only the next level can be bought, so its number says nothing; it is told as left out."""
    start = words.at
    words.take("level")
    words.take_number()
    written = " ".join(token.text for token in words.tokens[start : words.at])
    if written:
        words.doubts.append((written, words.lexicon.say("next")))


def _safety(words: Cursor) -> Safety:
    _level(words)
    return Safety()


def _mobility(words: Cursor) -> Mobility:
    _level(words)
    return Mobility()


def _amount(words: Cursor) -> int:
    if words.take("all"):
        return ALL
    at = words.at
    amount = words.number()
    if not amount:
        raise Unread("trade_of_nothing", at, ["1"])
    return amount


def _power(words: Cursor) -> Raise:
    return Raise(places.crew(words))


def _mineshaft(words: Cursor) -> Mineshaft:
    here = words.here
    if (here is not None and here.kind == NUMBER) or words.take("level"):
        _level(words)
    words.take("on", "to")
    return Mineshaft(places.tile(words))


def _move_mineshaft(words: Cursor) -> MoveMineshaft:
    words.take("from")
    origin = places.take_tile(words)
    words.take("to", "on")
    words.take_sign("→", "-")
    return MoveMineshaft(ANY if origin is None else origin, places.tile(words))


def _deliver(words: Cursor) -> Deliver:
    words.take("tile")
    words.take_number()
    kind = cube(words)
    words.take("tile")
    return Deliver(kind)


def _automaton_move(words: Cursor) -> AutomatonMove:
    words.take("move")
    if words.take("power"):
        # `automaton: power c2`: without the colon it is the other order.
        raise Unread("too_much", words.at - 2, [words.lexicon.say("power")], over=2)
    crew = places.crew(words)
    words.take_sign("→", "-")
    words.take("to", "on")
    return AutomatonMove(crew, places.tile(words))


def _automaton_step(words: Cursor) -> AutomatonRaise:
    return AutomatonRaise(places.crew(words))


_BODIES: dict[str, Callable[[Cursor], Any]] = {
    "bid": _bid,
    "place": _place,
    "insure": _insure,
    "first": _first,
    "danger": _danger,
    "sell": _sell,
    "buy": _buy,
    "pass": lambda words: Pass(),
    "power": _power,
    "safety": _safety,
    "mobility": _mobility,
    "mineshaft": _mineshaft,
    "move_mineshaft": _move_mineshaft,
    "deliver": _deliver,
    "automaton_move": _automaton_move,
    "automaton_step": _automaton_step,
}
