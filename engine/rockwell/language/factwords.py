"""Facts in words, such that they read back to the same."""

from collections.abc import Callable
from typing import Any

from engine.contract import Fact
from engine.orders.lexicon import Lexicon
from engine.rockwell.geometry import TILE_NAMES
from engine.rockwell.language import places
from engine.rockwell.language.facts import OTHERS
from engine.rockwell.language.quantities import ANYONE, say_crew, say_quantity, say_seat
from engine.rockwell.state import BOARD_NAMES
from engine.rockwell.view import RockwellView

WITH_IS = frozenset({"revealed", "on", "free", "before"})
"""Facts whose opposite has `not` after `is`; before the others it stands in front."""


def say_fact(fact: Fact, words: Lexicon, view: RockwellView) -> str:
    """The words of a fact or its opposite."""
    params = fact.params
    said = _FACTS[fact.code](params, words, view) if fact.code in _FACTS else _say_count(fact.code, params, words, view)
    if fact.expected:
        return said
    if fact.code == "on" and params["seat"] == ANYONE:
        anyone, nobody = words.say("anyone"), words.say("nobody")
        return f"{nobody}{said.removeprefix(anyone)}"
    is_, isnt = f" {words.say('is')} ", f" {words.say('is')} {words.say('not')} "
    if fact.code in WITH_IS:
        return said.replace(is_, isnt, 1)
    return f"{words.say('not')} {said}"


def _say_count(code: str, params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    return f"{say_quantity({'code': code, **params}, words, view)} {params['op']} {params['n']}"


def _say_compare(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    left, right = (say_quantity(params[side], words, view) for side in ("left", "right"))
    return f"{left} {params['op']} {right}"


def _say_subject(seat: int, words: Lexicon, view: RockwellView) -> str:
    if seat in (ANYONE, OTHERS):
        return words.say("anyone" if seat == ANYONE else "others")
    return say_seat(seat, words, view)


def _say_on(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    seat, crew = params["seat"], params["crew"]
    who = say_crew(seat * 4 + crew, words, view) if crew >= 0 else _say_subject(seat, words, view)
    return " ".join((who, words.say("is"), words.say("on"), places.say_spot(params["spot"], words)))


def _say_revealed(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    return f"{TILE_NAMES[params['tile']]} {words.say('is')} {words.say('revealed')}"


def _say_has_die(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    return f"{say_crew(params['crew'], words, view)} {words.say('have')} {words.say('die')}"


def _say_mineshaft_on(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    tile, has = TILE_NAMES[params["tile"]], f"{words.say('have')} {words.say('mineshaft')}"
    if params["seat"] == ANYONE:
        return f"{tile} {has}"
    if params["seat"] == OTHERS:
        return f"{tile} {has} {words.say('by')} {words.say('others')}"
    return f"{say_seat(params['seat'], words, view)} {has} {words.say('on')} {tile}"


def _say_holds(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    slot = [] if params["slot"] == ANYONE else [str(params["slot"] + 1)]
    board = words.say(BOARD_NAMES[params["board"]])
    return " ".join((say_seat(params["seat"], words, view), words.say("hold"), board, *slot))


def _say_free(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    board = words.say(BOARD_NAMES[params["board"]])
    return f"{board} {params['slot'] + 1} {words.say('is')} {words.say('free')}"


def _say_before(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    first, second = (say_seat(params[which], words, view) for which in ("first", "second"))
    return f"{first} {words.say('is')} {words.say('before')} {second}"


def _say_extracts(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    said = f"{words.say('this')} {words.say('extracts')}"
    return f"{said} {TILE_NAMES[params['tile']]}" if "tile" in params else said


def _say_shares(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    return f"{say_seat(params['seat'], words, view)} {words.say('shares')}"


def _say_priority(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    return f"{say_seat(params['seat'], words, view)} {words.say('have')} {words.say('priority')}"


def _say_alone(params: dict[str, Any], words: Lexicon, view: RockwellView) -> str:
    return f"{words.say('me')} {words.say('am')} {words.say('alone')}"


_FACTS: dict[str, Callable[[dict[str, Any], Lexicon, RockwellView], str]] = {
    "revealed": _say_revealed,
    "on": _say_on,
    "has_die": _say_has_die,
    "mineshaft_on": _say_mineshaft_on,
    "holds": _say_holds,
    "free": _say_free,
    "before": _say_before,
    "compare": _say_compare,
    "extracts": _say_extracts,
    "shares": _say_shares,
    "priority": _say_priority,
    "alone": _say_alone,
}
