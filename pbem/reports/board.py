"""The picture of a public position: SVG by a game's own template, PNG with our own font, so that the bytes are the same
everywhere. Drawn once a position and language, and kept by the hash of its content."""

import hashlib
import io
import math
from pathlib import Path
from typing import Any

import resvg_py
from PIL import Image

from engine.contract import View
from pbem.reports.environments import HTML
from pbem.reports.game import GameWords

FONTS = [str(path) for path in sorted((Path(__file__).parent / "font").glob("*.ttf"))]
WIDTH = 960
"""Pixels; a phone shows it at a third, where a finger can widen it."""
COLOURS = 128


def x(radius: float, angle: float) -> float:
    """The x of a point by its distance from the middle and its angle in degrees, clockwise from the top."""
    return round(radius * math.sin(math.radians(angle)), 1)


def y(radius: float, angle: float) -> float:
    """The y of such a point; downwards, as in SVG."""
    return round(-radius * math.cos(math.radians(angle)), 1)


def sector(inner: float, outer: float, start: float, end: float) -> str:
    """The path of a piece of a ring, of less than half a turn."""
    return (
        f"M{x(inner, start)} {y(inner, start)}L{x(outer, start)} {y(outer, start)}"
        f"A{outer} {outer} 0 0 1 {x(outer, end)} {y(outer, end)}L{x(inner, end)} {y(inner, end)}"
        f"A{inner} {inner} 0 0 0 {x(inner, start)} {y(inner, start)}Z"
    )


def svg(words: GameWords, public: View) -> str:
    """The picture as SVG; empty for a game that has none."""
    if not words.has("board.svg.j2"):
        return ""
    template = words.environments[HTML].get_template("board.svg.j2")
    return template.render(view=public, x=x, y=y, sector=sector)


def png(drawing: str) -> bytes:
    """The picture as a small PNG; the same bytes on every machine."""
    raw: Any = resvg_py.svg_to_bytes(
        svg_string=drawing, skip_system_fonts=True, font_files=FONTS, font_family="DejaVu Sans", width=WIDTH
    )
    image = Image.open(io.BytesIO(bytes(raw))).convert("RGB")
    small = io.BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def content_key(drawing: str) -> str:
    """What a picture is stored under: the same for the same drawing."""
    return hashlib.sha256(drawing.encode()).hexdigest()[:32]
