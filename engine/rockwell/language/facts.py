"""Facts that a condition may name, as they are read. `truth` looks them up and `factwords` writes them.

Code and params of each, with the words for it; `seat` -1 means anyone, -2 anyone else, `crew` -1 any crew; `op` is a
comparison. A quantity of `quantities` with a comparison is a fact of its code, with `op` and `n`: `zinc >= 8`.

    revealed      tile                     B3 is revealed
    on            seat, crew, spot         red c3 is on B3; c2 is on B3; red is on core; nobody is on B3
    has_die       crew                     c2 has die; red c3 has die
    mineshaft_on  tile, seat               red has mineshaft on B3; B3 has mineshaft
    holds         seat, board, slot        red holds workshop 1; red holds workshop   (slot -1 any)
    free          board, slot              workshop 1 is free
    before        first, second            red is before green                        (in the control order)
    compare       left, op, right          red power on B3 > green power on B3        (two quantities)

Of what the alternative itself would bring about (`Foreseen`), codes as in `foresight`:

    extracts      tile                     this extracts; this extracts B3; B3 would be extracted
    shares        seat                     red would share
    priority      seat                     red has priority
    alone                                  i am alone
"""

from typing import NoReturn

from engine.contract import Condition, Either, Every, Foreseen, Test
from engine.orders.conditions import opposite
from engine.orders.cursor import Cursor, Unread
from engine.rockwell.geometry import TILE_NAMED
from engine.rockwell.language import places
from engine.rockwell.language.comparing import amount_follows, at_least, compared, counted, more, of_amount
from engine.rockwell.language.quantities import (
    ANYONE,
    COUNTS,
    LEVELS,
    STOCK,
    of_tile,
    own,
    power,
    stock,
)
from engine.rockwell.state import KIND_NAMES
from engine.rockwell.view import RockwellView

OTHERS = -2
CREW_ALIKE = tuple(TILE_NAMED[f"C{number}"] for number in range(1, 5))
"""Tiles whose names are those of crews."""
UNSEEN = ("unseen", "bid", "insure", "danger")
"""Words for what nobody can see before it happens, or only another company."""


def read_fact(words: Cursor, view: RockwellView) -> Test:
    """One fact. Raises Unread, with code `hidden` for one that the seat can't see."""
    words.take("there")
    if words.take("this") and not words.take("is"):
        return _of_this(words)
    if words.take("my"):
        return _of_own(words, view)
    words.skip_polite()
    found = _crew_or_tile(words, view)
    if found is not None:
        return found
    if words.take("power"):
        return compared(words, view, power(words, view, ANYONE))
    if words.take("nobody"):
        return opposite(_of_seat(words, view, ANYONE))
    seat = _subject(words, view)
    if seat is not None:
        return _of_seat(words, view, seat)
    if amount_follows(words):
        return at_least(words, view)
    return _of_word(words, view)


def _of_own(words: Cursor, view: RockwellView) -> Test:
    """`my c2 power`, `my power on B3`, `my zinc`."""
    start = words.at
    try:
        return _of_seat(words, view, own(words, view))
    except Unread:
        words.at = start
        return _of_word(words, view)


def _of_word(words: Cursor, view: RockwellView) -> Test:
    """What begins with a word of the game: a count, a level, a slot, priority."""
    at = words.at
    if places.at_board(words):
        return _of_board(words, view, places.board(words))
    found = words.take(*KIND_NAMES, *COUNTS, *LEVELS, "nothing", "priority", *UNSEEN)
    if found in UNSEEN:
        raise Unread("hidden", at)
    if found == "priority":
        words.take("is", "would")
        words.take("to")
        return Foreseen("priority", {"seat": _company(words, view)})
    if found == "mineshaft" and words.take("on"):
        return Condition("mineshaft_on", {"tile": places.tile(words), "seat": ANYONE})
    if found == "nothing":
        words.word("mineshaft")
        words.word("on")
        return Condition("mineshaft_on", {"tile": places.tile(words), "seat": ANYONE}, expected=False)
    if found is None:
        words.fail("fact_expected", ["zinc"])
    if found in LEVELS:
        return compared(words, view, {"code": "level", "seat": own(words, view), "what": found})
    return counted(words, view, stock(found))


def _of_this(words: Cursor) -> Foreseen:
    """What the alternative itself would do: `this extracts B3`."""
    expected = not words.take("dont")
    words.take("would")
    expected = expected != bool(words.take("not"))
    words.word("extracts")
    tile = places.take_tile(words)
    return Foreseen("extracts", {} if tile is None else {"tile": tile}, expected)


def _crew_or_tile(words: Cursor, view: RockwellView) -> Test | None:
    """What begins with a tile or an own crew; `c3` may be either, and what follows tells."""
    start = words.at
    several = _several(words)
    if several is not None:
        return several
    tile = places.take_tile(words)
    if tile is not None:
        fact = _of_tile(words, view, tile)
        if fact is not None:
            return fact
        words.at = start
    crew = places.take_crew(words)
    if crew is not None:
        return _of_crew(words, view, own(words, view), crew)
    if tile is not None:
        words.at += 1
        words.fail("fact_expected", [f"{words.lexicon.say('is')} {words.lexicon.say('revealed')}"])
    return None


def _several(words: Cursor) -> Test | None:
    """`B3 and B4 are revealed`, `B3 or B4 is revealed`."""
    start = words.at
    tiles: list[int] = []
    joins: set[str] = set()
    tile = places.take_tile(words)
    while tile is not None:
        tiles.append(tile)
        join = words.take("and", "or")
        tile = places.take_tile(words) if join else None
        joins |= {join} if join else set()
    expected = _revealed(words) if len(tiles) > 1 and len(joins) == 1 else None
    if expected is None:
        words.at = start
        return None
    parts = tuple(Condition("revealed", {"tile": each}, expected) for each in tiles)
    return Every(parts) if joins == {"and"} else Either(parts)


def _revealed(words: Cursor) -> bool | None:
    """`is revealed`, `not revealed`, `is hidden`: whether it is revealed; None where nothing of it is said."""
    start = words.at
    expected = _is(words)
    if expected is None:
        expected = not words.take("not")
    found = words.take("revealed", "unrevealed")
    if found is None:
        words.at = start
        return None
    return expected == (found == "revealed")


def _ambiguous(words: Cursor, view: RockwellView, at: int) -> NoReturn:
    """`c2 power` may be that of a crew or on a tile."""
    said = words.tokens[at - 1].text
    nearest = [f"{words.lexicon.say('me')} {said} {words.lexicon.say('power')}"]
    raise Unread("crew_or_tile", at - 1, nearest, over=words.at - at + 1, name=said)


def _of_tile(words: Cursor, view: RockwellView, tile: int) -> Test | None:
    at = words.at
    quantity = of_tile(words, tile)
    if quantity is not None and quantity["code"] == "power" and tile in CREW_ALIKE:
        return _ambiguous(words, view, at)
    if quantity is not None:
        return compared(words, view, quantity)
    if words.take(*UNSEEN):
        raise Unread("hidden", at)
    if words.take("would"):
        words.word("revealed")
        return Foreseen("extracts", {"tile": tile})
    revealed = _revealed(words)
    if revealed is not None:
        if revealed and words.take("by"):
            words.word("this")
            return Foreseen("extracts", {"tile": tile})
        return Condition("revealed", {"tile": tile}, revealed)
    if words.take("have"):
        return None if words.take("die") else _had_by_tile(words, view, tile)
    expected = _is(words)
    found = words.take("free", "taken") if expected is not None else None
    if found is not None:
        return Condition("on", {"seat": ANYONE, "crew": -1, "spot": tile}, expected == (found == "taken"))
    return None


def _had_by_tile(words: Cursor, view: RockwellView, tile: int) -> Test:
    """`B3 has power 4`, `B3 has a mineshaft`, `B3 has no mineshaft of red`."""
    at = words.at
    expected = not words.take("nothing")
    if words.word("power", "mineshaft") == "power":
        if tile in CREW_ALIKE:
            _ambiguous(words, view, at - 1)
        return compared(words, view, {"code": "power", "tile": tile, "seat": ANYONE}, bare_means_least=True)
    words.take("by")
    seat = _subject(words, view)
    return Condition("mineshaft_on", {"tile": tile, "seat": ANYONE if seat is None else seat}, expected)


def _of_crew(words: Cursor, view: RockwellView, seat: int, crew: int) -> Test:
    """What is said of a crew: where it stands, its power, whether it has a die."""
    number = seat * 4 + crew
    if seat == view.seat:
        foreseen = _foreseen(words, view, seat)
        if foreseen is not None:
            return foreseen
    if words.take("power"):
        return compared(words, view, {"code": "crew_power", "crew": number})
    if words.take("have"):
        expected = not words.take("nothing")
        if words.word("die", "power") == "die":
            return Condition("has_die", {"crew": number}, expected)
        return compared(words, view, {"code": "crew_power", "crew": number}, bare_means_least=True)
    return _on(words, view, seat, crew)


def _is(words: Cursor) -> bool | None:
    """`is`, `am`, `stands`, `is not`; None for neither."""
    found = words.take("is", "isnt", "am")
    if found is None:
        return None
    return found != "isnt" and not words.take("not")


def _subject(words: Cursor, view: RockwellView) -> int | None:
    """A company, oneself, the automaton, anyone, anyone else; `nobody` is told by what follows it."""
    seat = places.take_company(words, view)
    if seat is not None:
        return seat
    found = words.take("me", "anyone", "others")
    if found == "me":
        return own(words, view)
    return None if found is None else ANYONE if found == "anyone" else OTHERS


def _player(words: Cursor, view: RockwellView) -> int:
    """A company, and not the automaton."""
    at = words.at
    seat = _company(words, view)
    if seat >= len(view.companies):
        words.at = at
        words.word(*places.SEATS[: len(view.companies)])
    return seat


def _company(words: Cursor, view: RockwellView) -> int:
    seat = places.take_company(words, view)
    if seat is None and words.take("me"):
        seat = own(words, view)
    if seat is None:
        words.word(*places.SEATS[: len(view.companies)])
    assert seat is not None
    return seat


def _of_seat(words: Cursor, view: RockwellView, seat: int) -> Test:
    """What is said of a company: where it stands, its levels and vice presidents; its stock only of one's own."""
    crew = places.take_crew(words)
    if crew is not None:
        return _of_crew(words, view, seat, crew)
    if seat < 0:
        return _on(words, view, seat, -1)
    if words.take("dont"):
        return opposite(_of_seat(words, view, seat))
    if seat >= len(view.companies):
        return _of_automaton(words, view, seat)
    start = words.at
    if words.take("hold"):
        return _held(words, seat)
    if words.take("power"):
        return compared(words, view, power(words, view, seat))
    level = words.take(*LEVELS)
    if level == "mineshaft" and words.take("is", "on"):
        words.take("on")
        return Condition("mineshaft_on", {"tile": places.tile(words), "seat": seat})
    if level is not None:
        return compared(words, view, {"code": "level", "seat": seat, "what": level})
    foreseen = _foreseen(words, view, seat)
    if foreseen is not None:
        return foreseen
    if words.take("have"):
        return _had(words, view, seat, start)
    found = words.take(*STOCK, *UNSEEN)
    if found is None:
        return _on(words, view, seat, -1)
    if seat != view.seat or found in UNSEEN:
        raise Unread("hidden", start)
    return counted(words, view, stock(found))


def _of_automaton(words: Cursor, view: RockwellView, seat: int) -> Test:
    """It has crews, and a part in extractions; no stock, levels or vice presidents."""
    if words.take("power"):
        return compared(words, view, power(words, view, seat))
    return _foreseen(words, view, seat) or _on(words, view, seat, -1)


def _foreseen(words: Cursor, view: RockwellView, seat: int) -> Foreseen | None:
    """What this would mean for a company: `red would share`, `I share with red`, `red has priority`."""
    start = words.at
    found = _would(words, view, seat)
    if found is None:
        words.at = start
    return found


def _would(words: Cursor, view: RockwellView, seat: int) -> Foreseen | None:
    words.take("would")
    if words.take("extracts"):
        tile = places.take_tile(words)
        words.take("this")
        return Foreseen("extracts", {} if tile is None else {"tile": tile}) if seat == view.seat else None
    if words.take("shares"):
        return Foreseen("shares", {"seat": _company(words, view) if words.take("with") else seat})
    words.take("have")
    if words.take("priority"):
        return Foreseen("priority", {"seat": seat})
    if words.take("is", "am") and words.take("alone"):
        return Foreseen("alone") if seat == view.seat else None
    return None


def _held(words: Cursor, seat: int) -> Condition:
    board = places.board(words)
    slot = places.slot(words)
    return Condition("holds", {"seat": seat, "board": board, "slot": ANYONE if slot is None else slot})


def _had(words: Cursor, view: RockwellView, seat: int, start: int) -> Test:
    """`has at least 3 gold`, `has 3 gold`, `has control 1`, `has a mineshaft on B3`, `has more gold than zinc`."""
    if amount_follows(words):
        return _had_amount(words, view, seat, start)
    expected = not words.take("nothing")
    if words.take("mineshaft"):
        words.word("on")
        return Condition("mineshaft_on", {"tile": places.tile(words), "seat": seat}, expected)
    if places.at_board(words):
        return _held(words, seat)
    than = words.take("more", "fewer")
    if than is not None:
        test = more(words, view, seat, ">" if than == "more" else "<")
        return test if expected else opposite(test)
    found = words.take(*STOCK, *UNSEEN)
    if found is None:
        words.fail("fact_expected", ["3 zinc"])
    if seat != view.seat or found in UNSEEN:
        raise Unread("hidden", start)
    return of_amount(stock(found), ">=" if expected else "<", 1)


def _had_amount(words: Cursor, view: RockwellView, seat: int, start: int) -> Test:
    if seat != view.seat:
        raise Unread("hidden", start)
    return at_least(words, view)


def _on(words: Cursor, view: RockwellView, seat: int, crew: int) -> Test:
    """Where a crew or a company stands, which slot it holds, whom it acts before."""
    expected = _is(words)
    if expected is None and words.take("move"):
        expected = True
    if expected is not None and crew < 0 <= seat < len(view.companies):
        order = words.take("before", "behind")
        if order is not None:
            pair = (seat, _player(words, view))
            first, second = pair if order == "before" else pair[::-1]
            return Condition("before", {"first": first, "second": second}, expected)
    if not words.take("on") and expected is None:
        words.fail("fact_expected", [f"{words.lexicon.say('is')} {words.lexicon.say('on')} B3"])
    expected = expected is not False
    if crew < 0 <= seat < len(view.companies) and places.at_board(words):
        held = _held(words, seat)
        return Condition(held.code, held.params, expected)
    return Condition("on", {"seat": seat, "crew": crew, "spot": places.spot(words)}, expected)


def _of_board(words: Cursor, view: RockwellView, board: int) -> Condition:
    slot = places.slot(words)
    if slot is None:
        words.fail("number_expected", ["1", "2", "3", "4"])
    expected = _is(words)
    if expected is None:
        words.fail("fact_expected", [f"{words.lexicon.say('is')} {words.lexicon.say('free')}"])
    found = words.take("free", "taken", "held")
    if found in ("free", "taken"):
        return Condition("free", {"board": board, "slot": slot}, expected == (found == "free"))
    words.take("by")
    return Condition("holds", {"seat": _player(words, view), "board": board, "slot": slot}, expected)
