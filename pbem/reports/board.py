"""The picture of a public position: SVG by a game's own template, PNG with our own font, so that the bytes are the same
everywhere. Drawn once a position and language, and kept by the hash of its content."""

import hashlib
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from markupsafe import Markup
from PIL import Image

from engine.contract import View
from pbem.reports.environments import HTML
from pbem.reports.game import GameWords
from pbem.reports.painting.painter import painted

WIDTH = 720
"""Pixels; two to each of a phone of 360. Drawing is what takes longest of a report, and it grows with their number."""
COLOURS = 64
EFFORT = 4
"""How hard a picture is packed, of 9: the usual 6 takes twice the time for a twentieth less."""
HEAD = 20
"""How long an arrow's head is."""


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


Points = Sequence[tuple[float, float]]


def shaft(points: Points) -> str:
    """The path of an arrow's shaft through two or more points; it ends inside the head."""
    *way, (tip_x, tip_y) = points
    from_x, from_y = way[-1]
    length = math.dist(way[-1], points[-1]) or 1.0
    part = max(length - HEAD + 4, 0) / length
    way.append((from_x + (tip_x - from_x) * part, from_y + (tip_y - from_y) * part))
    return "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in way)


def head(points: Points) -> str:
    """The path of an arrow's head, its tip at the last point."""
    (from_x, from_y), (tip_x, tip_y) = points[-2:]
    length = math.dist(points[-2], points[-1]) or 1.0
    dx, dy = (tip_x - from_x) / length * HEAD, (tip_y - from_y) / length * HEAD
    back_x, back_y = tip_x - dx, tip_y - dy
    return (
        f"M{tip_x:.1f} {tip_y:.1f}L{back_x - dy * 0.6:.1f} {back_y + dx * 0.6:.1f}"
        f"L{back_x + dy * 0.6:.1f} {back_y - dx * 0.6:.1f}Z"
    )


@dataclass(frozen=True)
class Target:
    """What is chosen by pointing at a place of the picture: the control of that id on the page, and what it says."""

    control: str
    label: str


_SIZE = re.compile(r'viewBox="0 0 ([1-9]\d{0,4}) (\d{1,5})"')
_TARGET = Markup(
    '<foreignObject x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}">'
    '<label xmlns="http://www.w3.org/1999/xhtml" class="spot" for="{}" title="{}"></label></foreignObject>'
)


def svg(
    words: GameWords, public: View, moved: Sequence[Any] = (), targets: Mapping[str, Target] = MappingProxyType({})
) -> str:
    """The picture as SVG, with what it shows in words inside it; empty for a game that has none.

    `moved` are the events that it draws, as the rules' own structs (`engine.contract.Moving`). `targets` are by the
    names of places (`engine.contract.Pictured`) what can be chosen there: such a picture is for the inside of a page.
    """
    if not words.has("board.svg.j2"):
        return ""
    template = words.environments[HTML].get_template("board.svg.j2")
    said = words.position(public, moved)

    def target(name: str, left: float, top: float, width: float, height: float) -> str:
        found = targets.get(name)
        return _TARGET.format(left, top, width, height, found.control, found.label) if found is not None else ""

    shapes = {"x": x, "y": y, "sector": sector, "shaft_of": shaft, "head_of": head, "target": target}
    return template.render(view=public, moved=moved, words=said, targets=targets, **shapes)


def png(drawing: str) -> bytes:
    """The picture as a small PNG; the same bytes on every machine."""
    small = io.BytesIO()
    few = painted(drawing, WIDTH).quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(small, "PNG", compress_level=EFFORT)
    return small.getvalue()


def name_of(drawing: str) -> str:
    """What a picture is stored under: the same for the same drawing and with its height, for which pages leave room."""
    return f"{content_key(drawing)}-{height(drawing)}"


def height(drawing: str) -> int:
    """How high the picture is if it is a thousand wide; as high as wide where it does not say."""
    found = _SIZE.search(drawing)
    return round(1000 * float(found[2]) / float(found[1])) if found else 1000


def content_key(drawing: str) -> str:
    """The same for the same drawing."""
    return hashlib.sha256(drawing.encode()).hexdigest()[:32]
