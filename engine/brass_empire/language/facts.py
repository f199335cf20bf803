"""Facts that a condition may name: read, written, and looked up in what a seat sees.

Code and params of each, with the words for it; `seat` -1 means any company, `op` is a comparison.

    number    what, seat, op, n     labor >= 4; blue brass > 10; pool < 5; round >= 6
    platform  seat, up              platform is down; blue platform is up
    where     card, place, seat     tesla trooper is in the row; clerk is in hand; blue chroniker is in play; clerk is
                                    in blue's discard pile
"""

from collections.abc import Callable
from typing import Any

from engine.brass_empire.language import names
from engine.brass_empire.state import DOWN
from engine.brass_empire.tables import Tables
from engine.brass_empire.view import BrassView
from engine.contract import Condition, Fact
from engine.errors import Illegal
from engine.orders.cursor import Cursor
from engine.orders.lexicon import Lexicon

ANYONE = -1
OF_TABLE = ("labor", "construction", "pool", "round")
"""Numbers that are nobody's own."""
OF_SIDE = ("brass", "health", "hand", "deck")
PLACES = ("row", "hand", "play", "pile", "reserve")
OPS: dict[str, Callable[[int, int], bool]] = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def read_fact(words: Cursor, view: BrassView) -> Condition:
    """One fact. Raises Unread, with code `hidden` for what another holds in its hand."""
    me = ANYONE if view.me is None else view.me
    seat = names.take_side(words, view)
    if seat is None and words.take("me"):
        seat = me
    if words.take("has"):
        held = _held(words, me if seat is None else seat)
        if held is not None:
            return held
    if words.take("there"):
        words.take("is")
        held = _held(words, me if seat is None else seat)
        if held is not None:
            return held
    number = words.take(*OF_TABLE, *OF_SIDE) or ("hand" if words.take("whole_hand") else None)
    if number is not None:
        op, amount = words.comparison()
        if number in OF_TABLE:
            return Condition("number", {"what": number, "seat": ANYONE, "op": op, "n": amount})
        what = "brass" if number == "health" else number
        return Condition("number", {"what": what, "seat": me if seat is None else seat, "op": op, "n": amount})
    card = names.card(words, view)
    if seat is None:
        words.take("of")
        seat = names.take_side(words, view)
    expected = words.take("isnt") is None
    if expected:
        words.take("is")
    if words.take("not"):
        expected = not expected
    where = words.take("up", "down")
    if where is not None:
        return Condition("platform", {"seat": me if seat is None else seat, "up": where == "up"}, expected)
    words.take("in")
    whose = names.take_side(words, view)
    seat = seat if whose is None else whose
    place = "hand" if words.take("whole_hand") else words.word(*PLACES)
    if place == "hand" and seat not in (None, me):
        words.at -= 1
        words.fail("hidden")
    if place == "row":
        seat = ANYONE
    elif seat is None and place != "play":
        seat = me
    return Condition("where", {"card": card, "place": place, "seat": ANYONE if seat is None else seat}, expected)


def _held(words: Cursor, seat: int) -> Condition | None:
    """`I have 4 labor`, `blue has at least 10 brass`: the number before what it counts; without a word for it, at least
    so many."""
    start, doubts = words.at, len(words.doubts)
    amount = words.take_number()
    op = ">="
    if amount is None:
        op = words.comparator()
        amount = words.take_number()
    number = words.take(*OF_TABLE, *OF_SIDE) if amount is not None else None
    if amount is None or number is None:
        words.at = start
        del words.doubts[doubts:]
        return None
    what = "brass" if number == "health" else number
    return Condition("number", {"what": what, "seat": ANYONE if number in OF_TABLE else seat, "op": op, "n": amount})


def say_fact(condition: Fact, lexicon: Lexicon, view: BrassView) -> str:
    """The words of a fact or of its opposite."""
    params, word = condition.params, lexicon.say
    seat = params.get("seat", ANYONE)
    whose = "" if seat in (ANYONE, view.me) else f"{names.say_side(seat, lexicon, view)} "
    if condition.code == "number":
        said = f"{whose}{word(params['what'])} {params['op']} {params['n']}"
        return said if condition.expected else f"{word('not')} {said}"
    verb = word("is") if condition.expected else word("isnt")
    if condition.code == "platform":
        return f"{whose}{word('card_mining_platform')} {verb} {word('up' if params['up'] else 'down')}"
    if params["place"] == "play" and seat == view.me and seat != ANYONE:
        whose = f"{names.say_side(seat, lexicon, view)} "
    name = names.say_card(params["card"], lexicon, view)
    return f"{whose}{name} {verb} {word('in')} {word(params['place'])}"


def holds(tables: Tables, view: BrassView, condition: Condition) -> bool:
    """Whether a fact holds in what a seat sees. Raises Illegal for one that is unknown."""
    params = condition.params
    look = _LOOK.get(condition.code)
    if look is None or params.get("seat", ANYONE) not in range(ANYONE, len(view.companies)):
        raise Illegal("unknown_fact", {"code": condition.code})
    return look(tables, view, params)


def _number(tables: Tables, view: BrassView, params: dict[str, Any]) -> bool:
    what, seat = params["what"], params["seat"]
    values = {"pool": view.pool, "round": view.round}
    mine = view.me is not None and view.me == view.seat
    # What may be spent is of whoever's turn it is.
    values |= {"labor": view.labor if mine else 0, "construction": view.construction if mine else 0}
    value = values[what] if what in values else getattr(view.companies[seat], what)
    return OPS[params["op"]](value, params["n"])


def _platform(tables: Tables, view: BrassView, params: dict[str, Any]) -> bool:
    return bool((view.companies[params["seat"]].platform != DOWN) == params["up"])


def _where(tables: Tables, view: BrassView, params: dict[str, Any]) -> bool:
    card, place, seat = params["card"], params["place"], params["seat"]
    if place == "row":
        return any(card in row for row in view.rows)
    if place == "hand":
        return card in view.hand
    if place in ("pile", "reserve"):
        own = view.companies[seat]
        return card in (own.discard if place == "pile" else own.reserve)
    sides = view.companies if seat == ANYONE else [view.companies[seat]]
    return any(piece.card == card and not piece.down for side in sides for piece in side.pieces) or (
        card == tables.platform and any(side.platform != DOWN for side in sides)
    )


_LOOK: dict[str, Callable[[Tables, BrassView, dict[str, Any]], bool]] = {
    "number": _number,
    "platform": _platform,
    "where": _where,
}
