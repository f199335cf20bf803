"""Facts that a condition may name: read, written, and looked up in what a seat sees.

Code and params of each, with the words for it; `seat` -1 means all or anyone, `crew` -1 any crew, `op` a comparison.

    revealed  tile                    B3 is revealed
    on        seat, crew, spot        red c3 is on B3; c2 is on B3; red is on core
    power     tile, seat, op, n       power on B3 >= 4; red power on B3 >= 4     (dice included)
    requires  tile, op, n             B3 requires <= 5
    lacks     tile, op, n             B3 lacks <= 2                              (required, less all power there)
    cubes     kind, op, n             zinc >= 8                                  (one's own)
    money     op, n                   money < 2000                               (one's own)
    insurance op, n                   insurance >= 1                             (one's own)
    round     op, n                   round >= 3                                 (drilling round, 0 outside)
    turn      op, n                   turn > 4
    dice      op, n                   dice >= 1                                  (left on Board I)
    bribery   op, n                   bribery >= 1                               (tiles left on Board I)
    level     seat, what, op, n       red mobility >= 2; my safety >= 1
    holds     seat, board, slot       red holds workshop 1; red holds workshop   (slot -1 any)
    free      board, slot             workshop 1 is free
"""

import operator
from collections.abc import Callable
from typing import Any

from engine.contract import Condition
from engine.errors import Illegal
from engine.orders.cursor import Cursor, Unread
from engine.orders.lexicon import Lexicon
from engine.orders.tokens import NUMBER
from engine.rockwell.geometry import ON, TILE_NAMES
from engine.rockwell.language import places
from engine.rockwell.state import BOARD_NAMES, KIND_NAMES, AutomatonMoving, Drilling
from engine.rockwell.view import RockwellView

ANYONE = -1
LEVELS = ("safety", "mobility", "mineshaft")
COUNTS = {"money": "money", "insurance": "insurance", "round": "round", "turns": "turn", "die": "dice"}
STOCK = (*KIND_NAMES, "money", "insurance")
COUNTS |= {"bribery": "bribery"}
"""Words of a fact that is one number, and its code."""
_WORDS = {code: word for word, code in COUNTS.items()}
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}


def read_fact(words: Cursor, view: RockwellView) -> Condition:
    """One fact. Raises Unread, with code `hidden` for one that the seat can't see."""
    crew_or_tile = _crew_or_tile(words, view)
    if crew_or_tile is not None:
        return crew_or_tile
    if words.take("power"):
        return _power(words, ANYONE)
    seat = _subject(words, view)
    if seat is not None:
        return _of_seat(words, view, seat)
    found = words.take(*KIND_NAMES, *COUNTS, *LEVELS, *BOARD_NAMES, "entrance")
    if found in BOARD_NAMES:
        return _of_board(words, view, BOARD_NAMES.index(found))
    if found in LEVELS and view.seat is not None:
        return _level(words, view.seat, found)
    if found is None or found == "entrance" or found in LEVELS:
        words.fail("fact_expected", ["zinc"])
    return _count(found, words)


def _crew_or_tile(words: Cursor, view: RockwellView) -> Condition | None:
    """What begins with a tile or an own crew; `c3` may be either, and what follows tells."""
    start = words.at
    tile = places.take_tile(words)
    if tile is not None:
        fact = _of_tile(words, tile)
        if fact is not None:
            return fact
        words.at = start
    crew = places.take_crew(words)
    if crew is not None:
        return _on(words, _own(view, words), crew)
    if tile is not None:
        words.at += 1
        words.fail("fact_expected", [f"{words.lexicon.say('is')} {words.lexicon.say('revealed')}"])
    return None


def _of_tile(words: Cursor, tile: int) -> Condition | None:
    found = words.take("requires", "lacks")
    if found is not None:
        op, n = words.comparison()
        return Condition(found, {"tile": tile, "op": op, "n": n})
    expected = _is(words)
    if expected is not None and words.take("revealed"):
        return Condition("revealed", {"tile": tile}, expected)
    return None


def _is(words: Cursor) -> bool | None:
    """`is`, `am`, `is not`; None for neither."""
    found = words.take("is", "isnt", "am")
    if found is None:
        return None
    return found != "isnt" and not words.take("not")


def _subject(words: Cursor, view: RockwellView) -> int | None:
    seat = places.take_seat(words, view)
    if seat is None and words.take("me"):
        return _own(view, words)
    return seat


def _own(view: RockwellView, words: Cursor) -> int:
    if view.seat is None:
        raise Unread("hidden", words.at)
    return view.seat


def _of_seat(words: Cursor, view: RockwellView, seat: int) -> Condition:
    """What is said of a company: where it stands, its levels and vice presidents; its stock only of one's own."""
    crew = places.take_crew(words)
    if crew is not None:
        return _on(words, seat, crew)
    start = words.at
    if words.take("hold"):
        board = places.board(words)
        slot = places.slot(words)
        return Condition("holds", {"seat": seat, "board": board, "slot": ANYONE if slot is None else slot})
    if words.take("power"):
        return _power(words, seat)
    level = words.take(*LEVELS)
    if level is not None:
        return _level(words, seat, level)
    has = words.take("have")
    stock = _stock(words, has=has is not None)
    if stock is not None:
        if seat != view.seat:
            raise Unread("hidden", start, kind=stock.code)
        return stock
    words.at = start
    return _on(words, seat, ANYONE)


def _stock(words: Cursor, *, has: bool) -> Condition | None:
    """`has at least 3 gold`, `has 3 gold`, `has insurance`, `gold >= 3`."""
    found = words.take(*STOCK)
    if not has:
        return None if found is None else _count(found, words)
    if found is not None:
        return _counted(found, ">=", 1)
    here = words.here
    op, n = words.comparison()
    at_least = here is not None and here.kind == NUMBER
    return _counted(words.word(*STOCK), ">=" if at_least else op, n)


def _count(found: str, words: Cursor) -> Condition:
    op, n = words.comparison()
    return _counted(found, op, n)


def _counted(found: str, op: str, n: int) -> Condition:
    if found in KIND_NAMES:
        return Condition("cubes", {"kind": KIND_NAMES.index(found), "op": op, "n": n})
    return Condition(COUNTS[found], {"op": op, "n": n})


def _level(words: Cursor, seat: int, what: str) -> Condition:
    op, n = words.comparison()
    return Condition("level", {"seat": seat, "what": what, "op": op, "n": n})


def _power(words: Cursor, seat: int) -> Condition:
    words.word("on")
    tile = places.tile(words)
    op, n = words.comparison()
    return Condition("power", {"tile": tile, "seat": seat, "op": op, "n": n})


def _on(words: Cursor, seat: int, crew: int) -> Condition:
    expected = _is(words)
    if expected is None:
        words.fail("fact_expected", [f"{words.lexicon.say('is')} {words.lexicon.say('on')} B3"])
    words.take("on")
    return Condition("on", {"seat": seat, "crew": crew, "spot": places.spot(words)}, expected)


def _of_board(words: Cursor, view: RockwellView, board: int) -> Condition:
    slot = places.slot(words)
    if slot is None:
        words.fail("number_expected", ["1", "2", "3", "4"])
    expected = _is(words)
    if expected is None:
        words.fail("fact_expected", [f"{words.lexicon.say('is')} {words.lexicon.say('free')}"])
    found = words.word("free", "taken", "held")
    if found in ("free", "taken"):
        return Condition("free", {"board": board, "slot": slot}, expected == (found == "free"))
    words.word("by")
    seat = _subject(words, view)
    if seat is None:
        words.word(*places.SEATS[: len(view.companies)])
    return Condition("holds", {"seat": seat, "board": board, "slot": slot}, expected)


def say_fact(condition: Condition, words: Lexicon, view: RockwellView) -> str:
    """The words of a fact or its opposite."""
    said = _FACTS[condition.code](condition.params, words, view)
    if condition.expected:
        return said
    is_, isnt = f" {words.say('is')} ", f" {words.say('is')} {words.say('not')} "
    if condition.code in ("revealed", "on", "free"):
        return said.replace(is_, isnt, 1)
    return f"{words.say('not')} {said}"


def _say_seat(seat: int, words: Lexicon) -> str:
    return words.say(places.SEATS[seat])


def _say_count(params: dict[str, Any]) -> str:
    return f"{params['op']} {params['n']}"


def _say_on(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    seat, crew = params["seat"], params["crew"]
    said = [] if seat == view.seat and crew >= 0 else [_say_seat(seat, words)]
    if crew >= 0:
        said.append(places.say_crew(crew))
    return " ".join((*said, words.say("is"), words.say("on"), places.say_spot(params["spot"], words)))


def _say_power(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    whose = [] if params["seat"] == ANYONE else [_say_seat(params["seat"], words)]
    where = (words.say("power"), words.say("on"), TILE_NAMES[params["tile"]], _say_count(params))
    return " ".join((*whose, *where))


def _say_holds(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    slot = [] if params["slot"] == ANYONE else [str(params["slot"] + 1)]
    board = words.say(BOARD_NAMES[params["board"]])
    return " ".join((_say_seat(params["seat"], words), words.say("hold"), board, *slot))


def _say_tile(code: str) -> Callable[[dict[str, Any], Lexicon, RockwellView], str]:
    return lambda params, words, view: f"{TILE_NAMES[params['tile']]} {words.say(code)} {_say_count(params)}"


def _say_number(code: str) -> Callable[[dict[str, Any], Lexicon, RockwellView], str]:
    return lambda params, words, view: f"{words.say(_WORDS[code])} {_say_count(params)}"


_FACTS: dict[str, Callable[[dict[str, Any], Lexicon, RockwellView], str]] = {
    "revealed": lambda p, words, view: f"{TILE_NAMES[p['tile']]} {words.say('is')} {words.say('revealed')}",
    "on": _say_on,
    "power": _say_power,
    "requires": _say_tile("requires"),
    "lacks": _say_tile("lacks"),
    "cubes": lambda p, words, view: f"{words.say(KIND_NAMES[p['kind']])} {_say_count(p)}",
    "level": lambda p, words, view: f"{_say_seat(p['seat'], words)} {words.say(p['what'])} {_say_count(p)}",
    "holds": _say_holds,
    "free": lambda p, words, view: " ".join(
        (words.say(BOARD_NAMES[p["board"]]), str(p["slot"] + 1), words.say("is"), words.say("free"))
    ),
    **{code: _say_number(code) for code in COUNTS.values()},
}


def holds(view: RockwellView, condition: Condition) -> bool:
    """Whether a fact holds, whatever is expected of it. Raises Illegal: `unknown_fact`, or `hidden` from the seat."""
    params = condition.params
    try:
        if condition.code == "revealed":
            return bool(view.back[params["tile"]] >= 0)
        if condition.code == "on":
            return _stands(view, params["seat"], params["crew"], params["spot"])
        if condition.code == "holds":
            first, slot = params["board"] * 4, params["slot"]
            there = view.slots[first : first + 4] if slot == ANYONE else view.slots[first + slot : first + slot + 1]
            return params["seat"] in there
        if condition.code == "free":
            return bool(view.slots[params["board"] * 4 + params["slot"]] < 0)
        return _COMPARE[params["op"]](_number(view, condition), params["n"])
    except (KeyError, IndexError, TypeError):
        raise Illegal("unknown_fact", {"code": condition.code}) from None


def _stands(view: RockwellView, seat: int, crew: int, spot: int) -> bool:
    crews = range(seat * 4, seat * 4 + 4) if crew == ANYONE else (seat * 4 + crew,)
    return any(view.at[number] == spot or spot in ON[view.at[number]] for number in crews)


def power_on(view: RockwellView, tile: int, seat: int = ANYONE) -> int:
    """The power on a tile, dice included, of one company or of all."""
    return sum(
        view.power[number] + view.die[number]
        for number, spot in enumerate(view.at)
        if tile in ON[spot] and seat in (ANYONE, number // 4)
    )


def _number(view: RockwellView, condition: Condition) -> int:
    code, params = condition.code, condition.params
    if code in ("power", "requires", "lacks"):
        tile = params["tile"]
        if code == "power":
            return power_on(view, tile, params["seat"])
        return int(view.required[tile]) - (power_on(view, tile) if code == "lacks" else 0)
    if code in ("cubes", "money", "insurance"):
        if view.own is None:
            raise Illegal("hidden", {"code": code})
        return view.own.cubes[params["kind"]] if code == "cubes" else int(getattr(view.own, code))
    if code == "level":
        company = view.companies[params["seat"]]
        levels = {"safety": company.safety, "mobility": company.mobility, "mineshaft": company.mineshaft}
        return int(levels[params["what"]])
    if code == "round":
        return next((step.round for step in view.stack if isinstance(step, Drilling | AutomatonMoving)), 0)
    counts = {"turn": view.turn, "dice": view.dice, "bribery": view.bribery}
    return int(counts[code])
