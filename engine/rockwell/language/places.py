"""Crews, tiles and other spots, read and written: `c2`, `red c3`, `B4`, `core`, `entrance 1`, `workshop 2`."""

import re

from engine.orders.cursor import Cursor
from engine.orders.lexicon import Lexicon
from engine.rockwell.geometry import CENTRE, ENTRANCES, ON, STRATA, TILE_NAMES
from engine.rockwell.state import BOARD_NAMES
from engine.rockwell.view import RockwellView

CREW = re.compile(r"c([1-9])")
TILE = re.compile(r"([a-d])([1-8])")
SLOTS = range(1, 5)
SEATS = ("red", "green", "purple", "white")
"""The companies in seat order."""


def take_seat(words: Cursor, view: RockwellView) -> int | None:
    """A company by its colour, if one comes next."""
    ids = SEATS[: len(view.companies)]
    found = words.take(*ids)
    return None if found is None else ids.index(found)


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
    return words.fail("crew_expected", ["c1"]) if found is None else found


def take_tile(words: Cursor) -> int | None:
    """A tile, if one comes next."""
    match = words.take_piece(TILE)
    return None if match is None else STRATA.lower().index(match[1]) * 8 + int(match[2]) - 1


def tile(words: Cursor) -> int:
    """A tile. Raises Unread, with the tiles that are written nearly so."""
    found = take_tile(words)
    return words.fail("tile_expected", _near_tiles(words)) if found is None else found


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
    """A phase board 0..2. Raises Unread."""
    found = words.word(*BOARD_NAMES, "market")
    return BOARD_NAMES.index("exchange" if found == "market" else found)


def slot(words: Cursor) -> int | None:
    """A slot 0..3, if a number comes next. Raises Unread for one that no board has."""
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
    digits = [digit for digit in text if digit.isdigit()]
    number = min(8, max(1, int(digits[0]))) if digits else 3
    letter = text[0].upper() if text[:1] in tuple(STRATA.lower()) else "B"
    return [f"{letter}{number}"]
