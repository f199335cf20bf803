"""Numbers that a condition may compare: read, written, and looked up in what a seat sees.

A quantity is its code and params in one plain dict, `{"code": "power", "tile": 10, "seat": -1}`:

    power       tile, seat       power on B3; red power on B3             (dice included; seat -1 of all)
    requires    tile             B3 requires
    lacks       tile             B3 lacks                                 (required, less all power there)
    crew_power  crew             c2 power; red c3 power                   (a crew number; without its die)
    cubes       kind             zinc                                     (one's own)
    money, insurance                                                      (one's own)
    round                        drilling round, 0 outside
    turn
    dice, bribery                left on Board I
    level       seat, what       red mobility; my safety
"""

from typing import Any, TypeAlias

from engine.errors import Illegal
from engine.orders.cursor import Cursor, Unread
from engine.orders.lexicon import Lexicon
from engine.rockwell.geometry import ON, TILE_NAMES
from engine.rockwell.language import places
from engine.rockwell.state import KIND_NAMES, AutomatonMoving, Drilling
from engine.rockwell.view import RockwellView

Quantity: TypeAlias = dict[str, Any]

ANYONE = -1
LEVELS = ("safety", "mobility", "mineshaft")
COUNTS = {
    "money": "money",
    "insurance": "insurance",
    "round": "round",
    "turns": "turn",
    "die": "dice",
    "bribery": "bribery",
}
"""Words of a quantity that is one number, and its code."""
STOCK = (*KIND_NAMES, "money", "insurance")
_WORDS = {code: word for word, code in COUNTS.items()}


def stock(found: str) -> Quantity:
    """The quantity that a word of the stock, or of a count, names."""
    if found in KIND_NAMES:
        return {"code": "cubes", "kind": KIND_NAMES.index(found)}
    return {"code": COUNTS[found]}


def take_quantity(words: Cursor, view: RockwellView) -> Quantity | None:
    """A quantity as it stands alone, after a comparison. Raises Unread, with `hidden` for what the seat can't see."""
    start = words.at
    tile = places.take_tile(words)
    if tile is not None:
        found = of_tile(words, tile)
        if found is not None:
            return found
        words.at = start
    seat = own(words, view) if words.take("me", "my") else places.take_company(words, view)
    if seat is None and words.take("power"):
        return power(words, view, ANYONE)
    if seat is not None:
        return of_company(words, view, seat)
    crew = places.take_crew(words)
    if crew is not None:
        words.word("power")
        return {"code": "crew_power", "crew": own(words, view) * 4 + crew}
    name = words.take(*KIND_NAMES, *COUNTS, *LEVELS)
    if name in LEVELS:
        return {"code": "level", "seat": own(words, view), "what": name}
    return None if name is None else stock(name)


def of_tile(words: Cursor, tile: int) -> Quantity | None:
    """`requires`, `lacks`, `power` after a tile."""
    name = words.take("requires", "lacks", "power")
    if name is None:
        return None
    return {"code": name, "tile": tile, "seat": ANYONE} if name == "power" else {"code": name, "tile": tile}


def of_company(words: Cursor, view: RockwellView, seat: int) -> Quantity:
    """What follows a company: its power somewhere, a crew's power, a level; of one's own also the stock."""
    crew = places.take_crew(words)
    if crew is not None:
        words.word("power")
        return {"code": "crew_power", "crew": seat * 4 + crew}
    if words.take("power"):
        return power(words, view, seat)
    at = words.at
    name = words.word(*LEVELS, *STOCK) if seat < len(view.companies) else words.word("power")
    if name in LEVELS:
        return {"code": "level", "seat": seat, "what": name}
    if seat != view.seat:
        raise Unread("hidden", at)
    return stock(name)


def power(words: Cursor, view: RockwellView, seat: int) -> Quantity:
    """`on B3`, `of c2` after the word power."""
    start = words.at
    words.take("of")
    crew = places.take_crew(words)
    tile_follows = crew is not None and words.at - start == 1
    if crew is not None and not (tile_follows and seat != ANYONE):
        return {"code": "crew_power", "crew": (own(words, view) if seat == ANYONE else seat) * 4 + crew}
    words.at = start
    other = places.take_company(words, view) if seat == ANYONE else None
    if other is not None:
        return {"code": "crew_power", "crew": other * 4 + places.crew(words)}
    words.word("on")
    return {"code": "power", "tile": places.tile(words), "seat": seat}


def own(words: Cursor, view: RockwellView) -> int:
    """The seat whose view it is. Raises Unread in the public one."""
    if view.seat is None:
        raise Unread("hidden", words.at)
    return view.seat


def say_quantity(quantity: Quantity, words: Lexicon, view: RockwellView) -> str:
    """The words of a quantity."""
    code = quantity["code"]
    if code == "cubes":
        return words.say(KIND_NAMES[quantity["kind"]])
    if code in ("requires", "lacks"):
        return f"{TILE_NAMES[quantity['tile']]} {words.say(code)}"
    if code == "power":
        where = f"{words.say('power')} {words.say('on')} {TILE_NAMES[quantity['tile']]}"
        return where if quantity["seat"] == ANYONE else f"{say_seat(quantity['seat'], words, view)} {where}"
    if code == "crew_power":
        # Always with its company: `c2 power` could be that on the tile C2.
        seat, crew = divmod(quantity["crew"], 4)
        return f"{say_seat(seat, words, view)} {places.say_crew(crew)} {words.say('power')}"
    if code == "level":
        return f"{say_seat(quantity['seat'], words, view)} {words.say(quantity['what'])}"
    return words.say(_WORDS[code])


def say_seat(seat: int, words: Lexicon, view: RockwellView) -> str:
    """A company, or the automaton."""
    return words.say(places.SEATS[seat] if seat < len(view.companies) else "automaton_move")


def say_crew(number: int, words: Lexicon, view: RockwellView) -> str:
    """One's own crew by its number alone, another's with its company."""
    seat, crew = divmod(number, 4)
    said = places.say_crew(crew)
    return said if seat == view.seat else f"{say_seat(seat, words, view)} {said}"


def power_on(view: RockwellView, tile: int, seat: int = ANYONE) -> int:
    """The power on a tile, dice included, of one company or of all."""
    return sum(
        view.power[number] + view.die[number]
        for number, spot in enumerate(view.at)
        if tile in ON[spot] and seat in (ANYONE, number // 4)
    )


def amount(view: RockwellView, quantity: Quantity) -> int:
    """How much it is. Raises Illegal with `hidden`, and LookupError for what there is not."""
    code = quantity["code"]
    if code == "power":
        return power_on(view, quantity["tile"], quantity["seat"])
    if code in ("requires", "lacks"):
        tile = quantity["tile"]
        return int(view.required[tile]) - (power_on(view, tile) if code == "lacks" else 0)
    if code == "crew_power":
        return view.power[quantity["crew"]]
    if code in ("cubes", "money", "insurance"):
        if view.own is None:
            raise Illegal("hidden", {"code": code})
        return view.own.cubes[quantity["kind"]] if code == "cubes" else int(getattr(view.own, code))
    if code == "level":
        company = view.companies[quantity["seat"]]
        levels = {"safety": company.safety, "mobility": company.mobility, "mineshaft": company.mineshaft}
        return int(levels[quantity["what"]])
    if code == "round":
        return next((step.round for step in view.stack if isinstance(step, Drilling | AutomatonMoving)), 0)
    return int({"turn": view.turn, "dice": view.dice, "bribery": view.bribery}[code])
