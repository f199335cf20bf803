"""The picture of the board."""

import io
import re
import subprocess
import sys
from itertools import islice
from xml.etree import ElementTree

import pytest
from PIL import Image

from engine.contract import Setup
from engine.rockwell import drawing
from engine.rockwell.events import Bribed, Fell, Moved, RoundBegan
from engine.rockwell.rules import RockwellRules
from pbem.reports import board
from pbem.reports.game import game_words
from pbem.words import PSEUDO
from tests.pbem.reports.plain import bypassing
from tests.pbem.reports.playing import SETUP, Stop, some, stops

pytestmark = pytest.mark.usefixtures("large_pictures")
ROCKWELL = game_words("rockwell", SETUP, "en")


COMPANIES = pytest.mark.parametrize("seats", [2, 3, 4])
OWNERS = {2: "RGX", 3: "RGP", 4: "RGPW"}


def _texts(drawing: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)<", drawing)


def _boxes(stop: Stop) -> list[tuple[float, float, float, float]]:
    """The boxes of all crews, as left, top, right and bottom."""
    assert isinstance(stop.rules, RockwellRules)
    public = stop.rules.view(stop.state, None)
    boxes = []
    for number, x, y, size in stop.rules.drawing(public, stop.moved()).crews:
        wide, high = (
            (drawing.CREW[0] + (drawing.DIE if public.die[number] else 0)) * size / 2,
            drawing.CREW[1] * size / 2,
        )
        boxes.append((x - wide, y - high, x + wide, y + high))
    return boxes


@COMPANIES
@pytest.mark.parametrize("seed", [1])
def test_the_picture_shows_every_crew_tile_and_vice_president(seats: int, seed: int) -> None:
    """At each stage of a game every crew is drawn once, and every tile by its name."""
    setup = Setup(seats=seats)
    for stop in some(seed, setup):
        assert isinstance(stop.rules, RockwellRules)
        public = stop.rules.view(stop.state, None)
        drawn = stop.drawing(game_words("rockwell", setup, "en"))
        texts = _texts(drawn)
        for number in range(len(public.at)):
            assert texts.count(f"{OWNERS[seats][number // 4]}{number % 4 + 1}") == 1 + (
                number == 0
            )  # the legend shows R1
        for tile in range(32):
            assert f"{'ABCD'[tile // 8]}{tile % 8 + 1}" in texts
        slots = sum(map(len, stop.rules.tables.grants))
        assert drawn.count("stroke-dasharray") == slots - sum(owner >= 0 for owner in public.slots)
        assert ElementTree.fromstring(drawn) is not None


@COMPANIES
@pytest.mark.parametrize("seed", [1])
def test_no_crew_covers_another_and_none_lies_outside_the_board(seats: int, seed: int) -> None:
    """Whoever stands where: each can be seen whole."""
    for stop in some(seed, Setup(seats=seats)):
        boxes = _boxes(stop)
        for place, box in enumerate(boxes):
            assert max(abs(edge) for edge in box) <= 503
            for other in boxes[:place]:
                apart = (
                    box[2] <= other[0] + 1 or other[2] <= box[0] + 1 or box[3] <= other[1] + 1 or other[3] <= box[1] + 1
                )
                assert apart, (stop.turn, stop.stage, box, other)


def test_the_box_of_a_crew_holds_the_shape_of_each_owner() -> None:
    """With its edge, for what has room to itself by its box would lie upon its neighbour else."""
    drawn = next(stops(0)).drawing(ROCKWELL)
    shapes = re.findall(
        r'<rect x="3" y="-18" width="30" height="36" [^>]*stroke-width="2.5"/>\s*<path d="([^"]+)"', drawn
    )
    assert len(shapes) > 16
    for shape in set(shapes):
        left = min(int(number) for number in re.findall(r"[HL](-?\d+)", shape))
        assert 33 - left + 1.25 <= drawing.CREW[0]
    assert drawing.CREW[1] >= 36 + 1.25


@COMPANIES
def test_no_mark_covers_another(seats: int) -> None:
    """Names of tiles, powers, yields and mineshafts: at most the corners of their boxes, which are empty, overlap."""
    for stop in some(0, Setup(seats=seats)):
        assert isinstance(stop.rules, RockwellRules)
        public = stop.rules.view(stop.state, None)
        tiles = stop.rules.drawing(public, ()).tiles
        boxes = [box for tile in tiles for box in drawing.marks(stop.rules.tables, public, tile)]
        for place, box in enumerate(boxes):
            for other in boxes[:place]:
                across = box.half_width + other.half_width - abs(box.x - other.x)
                down = box.half_height + other.half_height - abs(box.y - other.y)
                assert min(across, down) < 13, (stop.turn, stop.stage, box, other)


def test_all_crews_on_one_tile_find_room_in_it() -> None:
    """The worst that can be: sixteen crews on the smallest tile, on the widest, at an entrance, and at the centre."""
    stop = next(iter(stops(0)))
    for spot in (24, 27, 0, 2, 33, 34, 32):
        stop.state.at = [spot] * 16
        boxes = _boxes(stop)
        assert len(set(boxes)) == 16
        assert max(abs(edge) for box in boxes for edge in box) <= 503


def test_moves_of_the_last_round_are_arrows_and_words() -> None:
    """Each crew that moved in the last round has one arrow to it, and the words list the same moves."""
    counted = 0
    for stop in islice(stops(0), 20):
        moved = stop.moved()
        drawn = stop.drawing(ROCKWELL)
        crews = {
            event.owner * 4 + event.target if isinstance(event, Bribed) else event.seat * 4 + event.crew
            for event in moved
        }
        assert drawn.count('stroke-width="9"') == len(crews) + bool(crews)  # the legend shows one
        lines = ROCKWELL.position(stop.rules.view(stop.state, None), moved)
        assert ("Moves of the last round" in lines) == bool(moved)
        for event in moved:
            assert f"  {ROCKWELL.event(event)}" in lines
        assert bool(moved) == any(isinstance(each.data, Moved) for each in stop.events)
        rounds = [each.data.round for each in stop.events if isinstance(each.data, RoundBegan)]
        if rounds:
            last = [each.data for each in stop.events][-1::-1]
            after = last[: next(place for place, data in enumerate(last) if isinstance(data, RoundBegan))]
            assert set(moved) == {data for data in after if isinstance(data, Moved | Bribed | Fell)}
            counted += len(moved)
    assert counted > 10


def test_the_picture_says_in_words_what_it_shows() -> None:
    """Its description, and what `pbem board --text` prints and reports say, are the same lines."""
    stop = next(islice(stops(0), 9, None))
    lines = ROCKWELL.position(stop.rules.view(stop.state, None), stop.moved())
    described = ElementTree.fromstring(stop.drawing(ROCKWELL)).findtext("{http://www.w3.org/2000/svg}desc")
    assert described == "\n".join(lines)


def test_owners_and_kinds_are_told_apart_without_colour() -> None:
    """With every hue taken out each owner still has a letter and a shape of its own, each kind of cube a letter."""
    stop = list(stops(0))[-3]
    drawn = re.sub(r'(fill|stroke)="#[0-9a-f]{6}"', r'\1="#000"', stop.drawing(ROCKWELL))
    chips = dict(re.findall(r'<path d="([^"]+)"[^>]*/><text y="10"[^>]*>(.)</text>', drawn))
    assert sorted(chips.values()) == ["G", "P", "R", "W"]
    ends = re.findall(r'<path d="(M6-18[^"]+)"[^>]*/>\s*<text[^>]*>(.)', drawn)
    assert len(set(ends)) == len({letter for _, letter in ends}) == 4
    assert set("ZCSG") <= set(_texts(drawn))


def test_the_picture_speaks_the_recipients_language() -> None:
    """In the pseudo-locale no plain word is drawn."""
    stop = next(islice(stops(0), 9, None))
    drawn = stop.drawing(game_words("rockwell", SETUP, PSEUDO))
    assert bypassing(" ".join(re.findall(r"<(?:text|title|desc)[^>]*>([^<]*)<", drawn))) == set()


def test_the_picture_is_of_the_public_position_alone() -> None:
    """It is drawn from what everyone knows: no seat's own view is needed for it."""
    stop = next(islice(stops(0), 9, None))
    public = stop.rules.view(stop.state, None)
    assert public.own is None
    assert board.content_key(board.svg(ROCKWELL, public)) == board.content_key(board.svg(ROCKWELL, public))


DRAW = """
import sys
from itertools import islice
from pbem.reports import board
from pbem.reports.game import game_words
from tests.pbem.reports.playing import SETUP, stops
stop = next(islice(stops(0), 9, None))
drawing = board.svg(game_words("rockwell", SETUP, "en"), stop.rules.view(stop.state, None))
sys.stdout.write(board.content_key(board.png(drawing).hex()))
"""


def test_the_same_position_gives_the_same_bytes_in_any_process() -> None:
    """No font or setting of the machine comes in."""
    keys = {
        subprocess.run(
            [sys.executable, "-c", DRAW],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "LANG": language, "HOME": "/nonexistent"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, language in (("1", "C"), ("2", "fr_FR.UTF-8"))
    }
    assert len(keys) == 1


def test_the_picture_is_small_and_its_text_is_there() -> None:
    """Under 150 kB for a mail; without our font the letters would be missing."""
    stop = next(islice(stops(0), 9, None))
    drawn = stop.drawing(ROCKWELL)
    made = board.png(drawn)
    assert len(made) < 150_000
    image = Image.open(io.BytesIO(made))
    assert image.size[0] == board.WIDTH
    silent = board.png(re.sub(r"<text.*?</text>", "", drawn))
    assert silent != made


def test_a_game_without_a_board_has_no_picture() -> None:
    """Then mail and page do without."""
    assert board.svg(game_words("tinygame", Setup(seats=2), "en"), None) == ""
