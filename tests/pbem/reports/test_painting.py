"""Drawings painted piece by piece."""

import math
import random
import re
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageStat

from engine import registry
from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.spaces import sample
from pbem.reports import board
from pbem.reports.game import game_words
from pbem.reports.painting import painter
from pbem.reports.painting.boxes import box
from pbem.reports.painting.pieces import FEW, Whole, apart
from pbem.words import PSEUDO

pytestmark = pytest.mark.usefixtures("large_pictures")
GAMES = [("rockwell", Setup(2)), ("rockwell", Setup(4)), ("brass_empire", Setup(1)), ("brass_empire", Setup(4))]
PLAYED = pytest.mark.parametrize(("rules", "setup"), GAMES, ids=lambda value: value if isinstance(value, str) else "")
ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" font-family="DejaVu Sans">{}</svg>'
MANY = '<circle cx="9" cy="9" r="4"/>' * (FEW + 1)


def _drawings(rules: str, setup: Setup, *numbers: int, language: str = "en") -> Iterator[str]:
    """Of the positions after so many decisions of a game at random, where it comes to that."""
    bound, pick = registry.bind(rules, setup), pick_from(random.Random(rules))
    words, chance = game_words(rules, setup, language), RandomChance(random.Random(rules))
    state = bound.start(chance, [])
    for number in range(max(numbers) + 1):
        if number in numbers:
            yield board.svg(words, bound.view(state, None))
        decision = bound.pending(state)
        if decision is None:
            return
        answers = {seat: sample(bound.space(state, seat), pick) for seat in decision.seats}
        bound.apply(state, answers, chance, [])


def _whole(drawing: str) -> Image.Image:
    """Drawn at once; of a height that makes whole pixels, for the drawing would be stretched to them else."""
    wide, high = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', drawing)[0])
    taller = re.sub(r'viewBox="[^"]*"', f'viewBox="0 0 {wide} {-(-high // 25) * 25}"', drawing, count=1)
    image = painter._white(painter._rastered(taller, board.WIDTH))
    return image.crop((0, 0, board.WIDTH, math.ceil(high * board.WIDTH / wide)))


def _brightest(image: Image.Image) -> int:
    """Of all pixels and colours."""
    return max(max(place for place, count in enumerate(band.histogram()) if count) for band in image.split())


@PLAYED
def test_a_picture_is_what_the_whole_drawing_looks_like(rules: str, setup: Setup) -> None:
    """But for edges, which lie elsewhere by an eighth of a pixel at most."""
    for drawing in _drawings(rules, setup, 84, 224):
        one, other = painter.painted(drawing, board.WIDTH), _whole(drawing)
        assert one.size == other.size
        apart_by = ImageChops.difference(one, other)
        assert max(ImageStat.Stat(apart_by).mean) < 1
        assert _brightest(apart_by.reduce(8)) < 40, "a piece is cut off, or missing"


@PLAYED
def test_every_piece_has_room(rules: str, setup: Setup) -> None:
    """No drawing of ours has to be drawn whole, and nothing of a piece goes beyond what is drawn of it."""
    seen: set[str] = set()
    for drawing in _drawings(rules, setup, 0, 140, 280, language=PSEUDO):
        for piece in apart(drawing).pieces:
            if piece.source in seen:
                continue
            seen.add(piece.source)
            room = box(piece.source)
            wide, high = round(room.right - room.left) + 80, round(room.bottom - room.top) + 80
            moved = f'<g transform="translate({40 - room.left} {40 - room.top})">{piece.source}</g>'
            size = f'xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
            inked = painter._rastered(f"<svg {size}>{moved}</svg>", wide).getchannel("A").getbbox()
            assert inked is not None, piece
            assert inked[0] >= 39
            assert inked[1] >= 39
            assert inked[2] <= wide - 39
            assert inked[3] <= high - 39
    assert len(seen) > 5


def test_what_was_painted_before_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes with nothing kept, with all kept, and with room for little."""
    drawings = list(_drawings("rockwell", Setup(2), 63, 70))
    made = []
    for room in (0, 200_000, painter.MOST_KEPT, painter.MOST_KEPT):
        monkeypatch.setattr(painter, "SPRITES", painter.Sprites(room))
        made.append([board.png(drawing) for drawing in drawings])
    assert made[0] == made[1] == made[2] == made[3]
    assert [board.png(drawing) for drawing in reversed(drawings)] == made[0][::-1]


def test_what_is_kept_has_a_limit() -> None:
    """In bytes; what was used last stays."""
    sprites = painter.Sprites(40_000)
    keys = [(f'<g><rect width="{n}" height="30" fill="#123456"/></g>', 1.0, 0.0, 0.0) for n in range(20, 90)]
    for key in keys:
        sprites.get(key)
    kept = list(sprites._kept)
    assert kept == keys[-len(kept) :]
    assert 2 < len(kept) < 10
    assert sum(sprite.bytes() for sprite in sprites._kept.values()) == 40_000 - sprites._room


@pytest.mark.parametrize(
    "inside",
    [
        '<g transform="rotate(30)">' + MANY + "</g>",
        '<g opacity="0.5">' + MANY + "</g>",
        '<g transform="rotate(30)"><rect x="30" width="20" height="9"/></g>',
        '<rect x="30" width="20" height="9" style="stroke:#123456;stroke-width:9"/>',
        '<rect x="30" width="20" height="9" transform="skewX(20)"/>',
        '<defs><linearGradient id="a"><stop offset="0" stop-color="#f00"/></linearGradient></defs>'
        '<rect width="50" height="50" fill="url(#a)"/>',
        '<!-- a remark --><circle cx="20" cy="20" r="9"/>',
        '<polygon points="3,3 40,3 40,40"/>',
        '<path d="M3 3S10 30 40 40T80 40Z"/>',
        '<path d="M3,"/>',
        '<text y="30">two <tspan x="60">places</tspan></text>',
        "<rect width='50' height='50'/>",
        '<rect width="50%" height="20"/>',
        '<text y="30" font-size="2em">large</text>',
        '<path fill="#f00"/><circle cx="20" cy="20" r="9"/>',
        '<g transform="translate(5)"><rect width="50" height="20"/></g>',
        '<rect x="-900" y="-900" width="1900" height="1900" fill="#0a0"/>',
    ],
)
def test_what_cannot_be_taken_apart_is_painted_whole(inside: str) -> None:
    """A template may draw with all of SVG; then its picture only takes longer."""
    drawing = ROOT.format(inside)
    assert ImageChops.difference(painter.painted(drawing, board.WIDTH), _whole(drawing)).getbbox() is None
    with pytest.raises(Whole):
        painter.sound(drawing)


@pytest.mark.parametrize(
    "inside",
    [
        '<g transform="translate(20 10) scale(0.5)" fill="#a00"><g transform="translate(9 -3)" stroke="#00a">'
        + MANY
        + "</g></g>",
        '<ellipse cx="40" cy="20" rx="30" ry="9" fill="none" stroke="#123" stroke-width="4"/>',
        '<line x1="90" y1="5" x2="10" y2="45" stroke="#123" stroke-width="6" stroke-linecap="round"/>',
        '<path d="M10 40Q50-30 90 40"/><path d="M10 10C20 90 80-60 90 40h-20v5l-9-9z" fill="#a0a"/>',
        '<path d="M40 25A12 12 0 1 1 40 26Z" fill="#070" stroke="#000" stroke-width="3"/>',
        '<path d="M10 45L50 5L90 45" fill="none" stroke="#000" stroke-width="8"/>',
        '<g font-size="20" text-anchor="end"><text x="95" y="30">WWÅg▒</text></g>',
        '<text y="30" font-size="9" letter-spacing="9">a<tspan letter-spacing="12" font-size="14">wide⸻</tspan></text>',
        '<rect width="100" height="50" fill="#fbf8f1"/><g><rect x="9" y="9" width="9" height="9"/></g>',
        '<g transform="translate(5 5)"><rect width="100" height="50" fill="#fbf8f1"/></g>',
    ],
)
def test_what_templates_draw_with_is_painted_by_pieces(inside: str) -> None:
    """Groups, shapes and text, moved, scaled, with what a group says of all in it."""
    drawing = ROOT.format(inside)
    painter.sound(drawing)
    one, other = painter.painted(drawing, board.WIDTH), _whole(drawing)
    assert max(ImageStat.Stat(ImageChops.difference(one, other)).mean) < 1
    assert _brightest(ImageChops.difference(one, other).reduce(8)) < 48
