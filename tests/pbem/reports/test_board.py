"""The picture of the board."""

import io
import re
import subprocess
import sys
from itertools import islice

import pytest
from PIL import Image

from engine.contract import Setup
from pbem.reports import board
from pbem.reports.game import game_words
from pbem.words import PSEUDO
from tests.pbem.reports.plain import bypassing
from tests.pbem.reports.playing import SETUP, some, stops

ROCKWELL = game_words("rockwell", SETUP, "en")


@pytest.mark.parametrize("seed", range(2))
def test_the_picture_shows_every_crew_tile_and_vice_president(seed: int) -> None:
    """At each stage of a game every crew is drawn once, with its letter, number and power."""
    for stop in some(seed):
        public = stop.rules.view(stop.state, None)
        drawing = board.svg(ROCKWELL, public)
        texts = re.findall(r"<text[^>]*>([^<]*)<", drawing)
        for number in range(16):
            assert texts.count(f"{'RGPW'[number // 4]}{number % 4 + 1}") == 1 + (number == 0)  # the legend shows R1
        for tile in range(32):
            assert f"{'ABCD'[tile // 8]}{tile % 8 + 1}" in texts
        assert drawing.count("stroke-dasharray") == public.slots.count(-1)


def test_the_picture_speaks_the_recipients_language() -> None:
    """In the pseudo-locale no plain word is drawn."""
    stop = next(islice(stops(0), 9, None))
    drawing = board.svg(game_words("rockwell", SETUP, PSEUDO), stop.rules.view(stop.state, None))
    assert bypassing(" ".join(re.findall(r"<text[^>]*>([^<]*)<", drawing))) == set()


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
    """Under 100 kB for a mail; without our font the letters would be missing."""
    stop = next(islice(stops(0), 9, None))
    drawing = board.svg(ROCKWELL, stop.rules.view(stop.state, None))
    made = board.png(drawing)
    assert len(made) < 100_000
    image = Image.open(io.BytesIO(made))
    assert image.size[0] == board.WIDTH
    silent = board.png(re.sub(r"<text.*?</text>", "", drawing))
    assert silent != made


def test_a_game_without_a_board_has_no_picture() -> None:
    """Then mail and page do without."""
    assert board.svg(game_words("tinygame", Setup(seats=2), "en"), None) == ""
