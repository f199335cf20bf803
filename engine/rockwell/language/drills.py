"""Drilling orders: `c2 to B3 then C3, bring die 1`, `c4 straddle B3 B4`, `c1 stay, bribe red c3`, `c3 to core`.

    drill  = [ crew ] ( "stay" | move [ "then" move ] ) { [ "," ] extra }
    move   = [ "to" ] ( tile | "core" ) | "straddle" tile [ tile ]
    extra  = "hire" power [ "anyway" ] | "bribe" seat crew [ "to" tile ] | "bring" "die" [ power ] | "leave" "die"

Without a crew it is that of the alternative before (`c2 to B3 or B4`), and, for `stay`, else the first that can act
(`any crew stay`).
"""

from typing import Any

from engine.orders.cursor import Cursor, Unread
from engine.orders.tokens import NUMBER, WORD
from engine.rockwell.choices import LEFT, NOT_SAID
from engine.rockwell.geometry import CENTRE, ON, RING, TILE_NAMES, border
from engine.rockwell.language import places
from engine.rockwell.language.intents import ANY, SAME, STAY, WITH, DrillBy
from engine.rockwell.view import RockwellView

POWERS = range(1, 5)
EXTRAS = ("hire", "bribe", "bring", "leave", "anyway", "die")


def drill(words: Cursor, view: RockwellView, before: Any) -> DrillBy:
    """One act of a drilling round. Raises Unread."""
    words.take("move")
    stays = _stays(words)
    crew = ANY if words.take("any_crew", "any") else _crew(words, view, before)
    stays = stays or _stays(words)
    if crew is None:
        if isinstance(before, DrillBy):
            crew = before.crew
        elif stays:
            crew = ANY
        else:
            words.fail("crew_expected", ["c1"])
    if crew == ANY and not stays:
        words.fail("unknown_word", [words.lexicon.say("stay")], expected=[words.lexicon.say("stay")])
    said: dict[str, Any] = {"crew": crew, "to": STAY if stays else _move(words)}
    if not stays and _goes_on(words):
        said["second"] = _move(words)
    while _extra(words, view, said):
        pass
    return DrillBy(**said)


def _stays(words: Cursor) -> bool:
    """`stay`; `pass` and `nothing` are taken for it, for a company always plays a crew, and told."""
    at = words.at
    found = words.take("stay", "pass", "nothing")
    if found in ("pass", "nothing"):
        words.doubts.append((words.tokens[at].text, words.lexicon.say("stay")))
    return found is not None


def _crew(words: Cursor, view: RockwellView, before: Any) -> int | None:
    """The own crew that acts; a later `c3` that stands alone is a tile: `c2 to B3 or C3`."""
    start = words.at
    seat = places.take_seat(words, view)
    if seat is not None and seat != view.seat:
        words.at = start
        words.fail("not_your_crew")
    if seat is None and before is not None and _is_alone(words):
        return None
    crew = places.take_crew(words)
    if crew is None and seat is not None:
        words.fail("crew_expected", ["c1"])
    return crew


def _is_alone(words: Cursor) -> bool:
    """Whether the next word is the last of the alternative or has a pause after it."""
    after = words.tokens[words.at + 1] if words.at + 1 < words.end else None
    return after is None or (after.kind != WORD and after.text in ",;.")


def _goes_on(words: Cursor) -> bool:
    """Whether a second move follows."""
    start = words.at
    words.take_sign(",")
    if words.take("then", "to") or words.take_sign("→", "-"):
        move = words.at
        if not words.take(*EXTRAS):
            words.at = move
            return True
    words.at = start
    return False


def _move(words: Cursor) -> int:
    """A spot, or WITH a tile for a border that one of its tiles fixes. Raises Unread."""
    words.take("move")
    words.take_sign("→", "-", ":")
    words.take("to", "on")
    if words.take("straddle", "border"):
        words.take("border")
        return _straddled(words)
    if words.take("core"):
        return CENTRE
    return places.tile(words)


def _straddled(words: Cursor) -> int:
    first = places.tile(words)
    words.take("and")
    words.take_sign("/", "-", "&")
    at = words.at
    second = places.take_tile(words)
    if second is None:
        return WITH + first
    found = border(first, second)
    if found is None:
        near = [TILE_NAMES[tile] for tile in RING[first]]
        raise Unread("no_border", at, near, tiles=(first, second))
    return found


def _extra(words: Cursor, view: RockwellView, said: dict[str, Any]) -> bool:
    """What the crew does besides moving; whether there was something."""
    start = words.at
    words.take_sign(",", "+", "&", ";", ".")
    words.take_sign("(")
    words.take("and")
    words.take("then", "with")
    found = words.take(*EXTRAS)
    if found is None:
        words.at = start
        return False
    at = words.at
    if found == "hire":
        said["hire"] = _power(words)
    elif found == "anyway":
        said["anyway"] = True
    elif found == "bribe":
        said["bribe"], said["onto"] = _bribed(words, view)
    elif found == "leave":
        words.take("die")
        said["die"] = LEFT
    elif found == "die":
        # `with die 2` is a hire or the die that it has.
        raise Unread("hire_or_bring", at - 1, [words.lexicon.say("hire")])
    else:
        words.take("die")
        words.take("power")
        here = words.here
        said["die"] = _power(words) if here is not None and here.kind == "number" else SAME
    words.take_sign(")")
    if said.get("anyway") and not said.get("hire"):
        raise Unread("only_with_hire", at - 1)
    return True


def _power(words: Cursor) -> int:
    """`2`, `a die of power 2`."""
    words.take("die")
    words.take("power")
    words.take("die")
    at = words.at
    power = words.number()
    if power not in POWERS:
        raise Unread("out_of_range", at, ["1", "2", "3", "4"], least=1, most=4)
    return power


def _bribed(words: Cursor, view: RockwellView) -> tuple[int, int]:
    """The crew number that is bribed, and the tile where it is to come, if one is said."""
    start = words.at
    seat = places.take_seat(words, view)
    if seat is None and words.take("automaton_move"):
        seat = len(view.companies)
    ids = [places.SEATS[other] for other in range(len(view.companies)) if other != view.seat]
    said = [words.lexicon.say(seat_id) for seat_id in ids]
    if seat is None:
        owned = _owned(words, view)
        if owned is not None:
            return owned
        here = words.here
        if here is not None and places.CREW.fullmatch(here.text):
            raise Unread("whose_crew", start, [f"{colour} {here.text}" for colour in said], seats=said)
        words.word(*ids)
        words.fail("whose_crew", said, seats=said)
    if seat == view.seat:
        raise Unread("own_crew", start, said)
    number = seat * 4 + _numbered(words)
    if words.take("to") or words.take("on"):
        return number, places.tile(words)
    return number, NOT_SAID


def _numbered(words: Cursor) -> int:
    """A crew after its company, where the number alone says it too: `red c3`, `red 3`."""
    here = words.here
    if here is not None and here.kind == NUMBER and here.value in POWERS:
        words.at += 1
        return here.value - 1
    return places.crew(words)


def _owned(words: Cursor, view: RockwellView) -> tuple[int, int] | None:
    """`c3 of red`, if that comes next."""
    start = words.at
    crew = places.take_crew(words)
    words.take_sign("(")
    seat = places.take_seat(words, view) if crew is not None else None
    if crew is None or seat is None or seat == view.seat:
        words.at = start
        return None
    words.take_sign(")")
    onto = places.tile(words) if words.take("to", "on") else NOT_SAID
    return seat * 4 + crew, onto


def say_move(spot: int) -> tuple[int, ...]:
    """The tiles that a straddling move names, none for another move."""
    if spot >= WITH:
        return (spot - WITH,)
    return ON[spot] if len(ON[spot]) == 2 else ()
