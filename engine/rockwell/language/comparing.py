"""Facts that compare a quantity with a number or with another one."""

from engine.contract import Condition, Fact, Test
from engine.orders.cursor import Cursor, Unread
from engine.orders.tokens import NUMBER
from engine.rockwell.language import places
from engine.rockwell.language.quantities import STOCK, Quantity, power, stock, take_quantity
from engine.rockwell.view import RockwellView


def more(words: Cursor, view: RockwellView, seat: int, op: str) -> Test:
    """`more gold than zinc`, `more power on B3 than red`."""
    at = words.at
    if words.take("power"):
        left = power(words, view, seat)
        words.word("than")
        other = places.take_company(words, view)
        right = {**left, "seat": other} if other is not None and "seat" in left else take_quantity(words, view)
    else:
        if seat != view.seat:
            raise Unread("hidden", at)
        left = stock(words.word(*STOCK))
        words.word("than")
        right = take_quantity(words, view)
    if right is None:
        words.fail("number_expected", ["1"])
    return Condition("compare", {"left": left, "op": op, "right": right})


def amount_follows(words: Cursor) -> bool:
    """Whether an amount comes next, as in `at least 3 gold`."""
    here = words.here
    return (here is not None and here.kind == NUMBER) or compares(words)


def compares(words: Cursor) -> bool:
    """Whether a comparison comes next; nothing is passed over."""
    start = words.at
    words.comparator()
    found = words.at > start
    words.at = start
    return found


def at_least(words: Cursor, view: RockwellView) -> Condition:
    """`3 gold`, `at least 3 gold`, `2 dice are left`: with nothing said so many at least."""
    here = words.here
    is_plain = here is not None and here.kind == NUMBER
    op = words.comparator()
    n = words.number()
    start = words.at
    found = words.take(*STOCK, "die", "bribery")
    if found is None and (words.here is None or words.at >= words.end or words.take("and", "or")):
        # `I have $2000`: an amount alone is money.
        words.at = start
        found = "money"
    quantity = stock(found or words.word(*STOCK, "die", "bribery"))
    _left(words)
    return of_amount(quantity, ">=" if is_plain else op, n)


def _left(words: Cursor) -> bool:
    """`left`, `are left`: on Board I, which is meant anyway."""
    start = words.at
    words.take("is")
    if words.take("leave"):
        return True
    words.at = start
    return False


def counted(words: Cursor, view: RockwellView, quantity: Quantity) -> Fact:
    """A count with its comparison; `dice left` alone are some."""
    if quantity["code"] in ("dice", "bribery") and _left(words) and not amount_follows(words):
        return of_amount(quantity, ">=", 1)
    return compared(words, view, quantity)


def compared(words: Cursor, view: RockwellView, left: Quantity, *, bare_means_least: bool = False) -> Condition:
    """A quantity and what it is compared with; with `bare_means_least` a bare number means so many at least."""
    here = words.here
    is_plain = here is not None and here.kind == NUMBER
    op = words.comparator()
    n = words.take_number()
    if n is not None:
        return of_amount(left, ">=" if bare_means_least and is_plain else op, n)
    right = take_quantity(words, view)
    if right is None:
        words.fail("number_expected", ["1"])
    return Condition("compare", {"left": left, "op": op, "right": right})


def of_amount(quantity: Quantity, op: str, n: int) -> Condition:
    """The fact that a quantity is so much."""
    params = {name: value for name, value in quantity.items() if name != "code"}
    return Condition(quantity["code"], {**params, "op": op, "n": n})
