"""Paints a drawing: what it is taken apart into is drawn once, kept, and put in its places."""

import io
import math
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import resvg_py
from PIL import Image

from pbem.reports.painting.boxes import box
from pbem.reports.painting.pieces import Apart, Piece, Whole, apart

FONTS = [str(path) for path in sorted((Path(__file__).parents[1] / "font").glob("*.ttf"))]
FINE = 4
"""A piece stands at a place in so many parts of a pixel."""
LARGEST = 4
"""How many times as large as its drawing a piece may be."""
MOST_KEPT = 24 << 20
"""Bytes of pieces that a process keeps."""

Key = tuple[str, float, float, float]


class Sprite(NamedTuple):
    """A piece as pixels, with how much of each is covered, and where its corner is from the piece's origin."""

    colours: Image.Image
    cover: Image.Image
    left: int
    top: int

    def bytes(self) -> int:
        """How much room it takes."""
        return 4 * self.cover.width * self.cover.height


class Sprites:
    """What has been drawn, the last used kept, within so many bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._room = most
        self._kept: OrderedDict[Key, Sprite] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Sprite:
        """Kept or drawn."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        drawn = _drawn(*key)
        with self._lock:
            if key not in self._kept and drawn.bytes() <= self._most:
                self._kept[key] = drawn
                self._room -= drawn.bytes()
                while self._room < 0:
                    self._room += self._kept.popitem(last=False)[1].bytes()
        return drawn


SPRITES = Sprites(MOST_KEPT)


def painted(drawing: str, width: int) -> Image.Image:
    """The drawing as an image of that many pixels across, in RGB; the same whatever was painted before."""
    try:
        found = sound(drawing)
    except Whole:
        return _white(_rastered(drawing, width))
    size = width / found.width
    image = Image.new("RGB", (width, math.ceil(found.height * size)), found.ground)
    for piece in found.pieces:
        _put(image, piece, size)
    return image


def sound(drawing: str) -> Apart:
    """The drawing taken apart. Raises Whole also for a piece whose room is not known, or is far more than all has."""
    found = apart(drawing)
    for piece in found.pieces:
        room, scale = box(piece.source), piece.place.scale
        if (room.right - room.left) * (room.bottom - room.top) * scale**2 > LARGEST * found.width * found.height:
            raise Whole("too large a piece")
    return found


def _put(image: Image.Image, piece: Piece, size: float) -> None:
    x, right = _place(piece.place.x * size)
    y, down = _place(piece.place.y * size)
    sprite = SPRITES.get((piece.source, piece.place.scale * size, right, down))
    image.paste(sprite.colours, (x + sprite.left, y + sprite.top), sprite.cover)


def _place(at: float) -> tuple[int, float]:
    """The whole pixel, and the part of one beyond it."""
    whole, part = divmod(round(at * FINE), FINE)
    return whole, part / FINE


def _drawn(source: str, scale: float, right: float, down: float) -> Sprite:
    """A piece at that part of a pixel, cut to what is not empty."""
    room = box(source)
    left, top = math.floor(right + room.left * scale) - 1, math.floor(down + room.top * scale) - 1
    wide = math.ceil(right + room.right * scale) + 1 - left
    high = math.ceil(down + room.bottom * scale) + 1 - top
    moved = f'<g transform="translate({right - left} {down - top}) scale({scale})">{source}</g>'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}">{moved}</svg>'
    image = _rastered(drawing, wide)
    cover = image.getchannel("A")
    seen = cover.getbbox() or (0, 0, 1, 1)
    return Sprite(image.convert("RGB").crop(seen), cover.crop(seen), left + seen[0], top + seen[1])


def _rastered(drawing: str, width: int) -> Image.Image:
    raw: Any = resvg_py.svg_to_bytes(
        svg_string=drawing, skip_system_fonts=True, font_files=FONTS, font_family="DejaVu Sans", width=width
    )
    return Image.open(io.BytesIO(bytes(raw))).convert("RGBA")


def _white(image: Image.Image) -> Image.Image:
    """On a white ground."""
    ground = Image.new("RGB", image.size, "#ffffff")
    ground.paste(image, mask=image)
    return ground
