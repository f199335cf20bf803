"""Whether a fact holds in what a seat sees."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

from engine.contract import Condition
from engine.errors import Illegal
from engine.rockwell.geometry import ON
from engine.rockwell.language.facts import OTHERS
from engine.rockwell.language.quantities import ANYONE, amount
from engine.rockwell.view import RockwellView

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}


def holds(view: RockwellView, condition: Condition) -> bool:
    """Whether a fact holds, whatever is expected of it. Raises Illegal: `unknown_fact`, or `hidden` from the seat."""
    params = condition.params
    try:
        if condition.code in _TRUTHS:
            return _TRUTHS[condition.code](view, params)
        return _COMPARE[params["op"]](amount(view, {"code": condition.code, **params}), params["n"])
    except (KeyError, IndexError, TypeError, ValueError):
        raise Illegal("unknown_fact", {"code": condition.code}) from None


def _revealed(view: RockwellView, params: dict[str, Any]) -> bool:
    return bool(view.back[params["tile"]] >= 0)


def _on(view: RockwellView, params: dict[str, Any]) -> bool:
    spot = params["spot"]
    return any(view.at[number] == spot or spot in ON[view.at[number]] for number in _crews(view, **params))


def _crews(view: RockwellView, seat: int, crew: int, spot: int) -> Sequence[int]:
    if seat in (ANYONE, OTHERS):
        return [number for number in range(len(view.at)) if seat == ANYONE or number // 4 != view.seat]
    return range(seat * 4, seat * 4 + 4) if crew == ANYONE else (seat * 4 + crew,)


def _has_die(view: RockwellView, params: dict[str, Any]) -> bool:
    return bool(view.die[params["crew"]])


def _mineshaft_on(view: RockwellView, params: dict[str, Any]) -> bool:
    owner = view.mineshaft[params["tile"]]
    if params["seat"] == OTHERS:
        return bool(owner >= 0 and owner != view.seat)
    return bool(owner >= 0 if params["seat"] == ANYONE else owner == params["seat"])


def _holds(view: RockwellView, params: dict[str, Any]) -> bool:
    first, slot = params["board"] * 4, params["slot"]
    there = view.slots[first : first + 4] if slot == ANYONE else view.slots[first + slot : first + slot + 1]
    return params["seat"] in there


def _free(view: RockwellView, params: dict[str, Any]) -> bool:
    return bool(view.slots[params["board"] * 4 + params["slot"]] < 0)


def _before(view: RockwellView, params: dict[str, Any]) -> bool:
    return view.control.index(params["first"]) < view.control.index(params["second"])


def _compare(view: RockwellView, params: dict[str, Any]) -> bool:
    return _COMPARE[params["op"]](amount(view, params["left"]), amount(view, params["right"]))


_TRUTHS: dict[str, Callable[[RockwellView, dict[str, Any]], bool]] = {
    "revealed": _revealed,
    "on": _on,
    "has_die": _has_die,
    "mineshaft_on": _mineshaft_on,
    "holds": _holds,
    "free": _free,
    "before": _before,
    "compare": _compare,
}
