"""Crews, tiles and other spots, read and written: `c2`, `red c3`, `B4`, `core`, `entrance 1`, `workshop 2`."""

import re

from engine.numerals import DIGITS
from engine.orders.cursor import Cursor
from engine.orders.lexicon import Lexicon
from engine.orders.tokens import NUMBER
from engine.rockwell import automaton
from engine.rockwell.geometry import CENTRE, ENTRANCES, ON, STRATA, TILE_NAMES
from engine.rockwell.state import BOARD_NAMES
from engine.rockwell.view import RockwellView

CREW = re.compile(r"c([1-9])")
TILE = re.compile(r"([a-d])([1-8])")
BOARD_SHORT = re.compile(r"([a-z])([1-4])")
SLOTS = range(1, 5)
BOARD_NUMBERS = range(1, 4)
SEATS = ("red", "green", "purple", "white")
"""The companies in seat order."""


def take_seat(words: Cursor, view: RockwellView) -> int | None:
    """A company by its colour, if one comes next."""
    ids = SEATS[: len(view.companies)]
    found = words.take(*ids)
    return None if found is None else ids.index(found)


def take_company(words: Cursor, view: RockwellView) -> int | None:
    """A company, or in a game of two the automaton (its number is that of the companies), if one comes next."""
    seat = take_seat(words, view)
    if seat is None and len(view.companies) == automaton.SEATS and words.take("automaton_move"):
        return automaton.SEATS
    return seat


def take_crew(words: Cursor) -> int | None:
    """A crew 0..3, if one comes next: `c2`, `c 2`, `crew 2`."""
    start = words.at
    if words.take("crew"):
        number = words.number()
        if not 1 <= number <= 4:
            words.at -= 1
            words.fail("no_such_crew", ["1", "2", "3", "4"])
        return number - 1
    match = words.take_piece(CREW)
    if match is None:
        return None
    if int(match[1]) > 4:
        words.at = start
        words.fail("no_such_crew", ["c1", "c2", "c3", "c4"])
    return int(match[1]) - 1


def crew(words: Cursor) -> int:
    """A crew 0..3. Raises Unread."""
    found = take_crew(words)
    if found is not None:
        return found
    here = words.here
    number = here.value if here is not None and here.kind == NUMBER and here.value in SLOTS else 1
    return words.fail("crew_expected", [f"c{number}"])


def take_tile(words: Cursor) -> int | None:
    """A tile, if one comes next."""
    match = words.take_piece(TILE)
    return None if match is None else STRATA.lower().index(match[1]) * 8 + int(match[2]) - 1


def tile(words: Cursor) -> int:
    """A tile. Raises Unread, with the tiles that are written nearly so."""
    found = take_tile(words)
    if found is not None:
        return found
    backwards = _backwards(words)
    if backwards:
        words.fail("tile_expected", [backwards], over=2)
    return words.fail("tile_expected", _near_tiles(words))


def _backwards(words: Cursor) -> str:
    """The tile of `3b`."""
    number, letter = (*(token.text for token in words.tokens[words.at : min(words.end, words.at + 2)]), "", "")[:2]
    name = letter + number
    return name.upper() if TILE.fullmatch(name) else ""


def spot(words: Cursor) -> int:
    """A tile, the centre or an entrance. Raises Unread."""
    if words.take("core"):
        return CENTRE
    if words.take("entrance"):
        number = words.number()
        if number not in SLOTS:
            words.at -= 1
            words.fail("out_of_range", ["1", "2", "3", "4"], least=1, most=4)
        return ENTRANCES[number - 1]
    return tile(words)


def board(words: Cursor) -> int:
    """A phase board 0..2: `workshop`, `board 3`. Raises Unread."""
    if words.take("board"):
        number = words.number()
        if number not in BOARD_NUMBERS:
            words.at -= 1
            words.fail("out_of_range", ["1", "2", "3"], least=1, most=3)
        return number - 1
    here = words.here
    short = BOARD_SHORT.fullmatch(here.text) if here is not None else None
    if short is not None:
        names = {words.lexicon.say(name)[0]: words.lexicon.say(name) for name in BOARD_NAMES}
        words.fail("unknown_word", [f"{names[short[1]]} {short[2]}"] if short[1] in names else [], expected=[])
    found = words.word(*BOARD_NAMES, "market")
    return BOARD_NAMES.index("exchange" if found == "market" else found)


def at_board(words: Cursor) -> bool:
    """Whether a phase board comes next; nothing is passed over."""
    start = words.at
    found = words.take(*BOARD_NAMES, "market", "board") is not None
    words.at = start
    return found


def slot(words: Cursor) -> int | None:
    """A slot 0..3, if a number comes next. Raises Unread for one that no board has."""
    words.take("slot")
    number = words.take_number()
    if number is None:
        return None
    if number not in SLOTS:
        words.at -= 1
        words.fail("out_of_range", ["1", "2", "3", "4"], least=1, most=4)
    return number - 1


def say_crew(number: int) -> str:
    """One's own crew."""
    return f"c{number + 1}"


def say_spot(at: int, words: Lexicon) -> str:
    """A tile, the centre or an entrance."""
    if at == CENTRE:
        return words.say("core")
    if at in ENTRANCES:
        return f"{words.say('entrance')} {at - ENTRANCES.start + 1}"
    return TILE_NAMES[at]


def say_border(at: int) -> str:
    """The two tiles of a border."""
    return " ".join(TILE_NAMES[tile] for tile in ON[at])


def _near_tiles(words: Cursor) -> list[str]:
    """Of `b9` B8, of `e3` A3: those with the same number or stratum."""
    here = words.here
    text = here.text if here is not None else ""
    digits = [digit for digit in text if digit in DIGITS]
    number = min(8, max(1, int(digits[0]))) if digits else 3
    letter = text[0].upper() if text[:1] in tuple(STRATA.lower()) else "B"
    return [f"{letter}{number}"]
