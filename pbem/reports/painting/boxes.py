"""How much room the pieces of a drawing take: a little too much here and there, never too little."""

import html
import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.reports.painting.pieces import ATTRIBUTE, INHERITED, SHAPES, Place, Tag, Whole, moved_by, tags_of

_KNOWN = re.compile(
    rf"{INHERITED.pattern}|(?:fill|stroke)-opacity|transform|x|y|width|height|rx|ry|cx|cy|r|x1|y1|x2|y2|d"
)


WIDEST, WIDEST_SYMBOL, SYMBOLS = 1.2, 3.2, "\u2000"
"""How wide a letter of our font can be, and a sign from SYMBOLS on, where the font is as high as 1."""


class Box(NamedTuple):
    """What holds a piece, about its origin."""

    left: float
    top: float
    right: float
    bottom: float

    def wider(self, by: float) -> "Box":
        """The same with room around it."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@lru_cache(maxsize=4096)
def box(source: str) -> Box:
    """What holds all of a piece's shapes with their edges. Raises Whole where that can't be told."""
    try:
        return _all(_boxes(source))
    except (ValueError, KeyError) as wrong:  # a length in per cent, a path that is none
        raise Whole(source) from wrong


def _boxes(source: str) -> list[Box]:
    boxes: list[Box] = []
    inherited: list[tuple[Place, dict[str, str]]] = [(Place(), {})]
    for tag in tags_of(source):
        place, given = inherited[-1]
        said = dict(ATTRIBUTE.findall(tag.attributes))
        if not all(map(_KNOWN.fullmatch, said)):
            raise Whole(tag.attributes)
        own = {**given, **said}
        moved = moved_by(own.pop("transform", ""))
        there = place.inside(*moved)
        if tag.name == "g":
            inherited.append((there, own))
        elif tag.name == "/" and source.startswith("</g", tag.begin):
            inherited.pop()
        elif tag.name in SHAPES:
            boxes.append(_set(_shape(tag, own, source), there))
    return boxes


def _set(found: Box, place: Place) -> Box:
    scale = place.scale
    return Box(
        place.x + found.left * scale,
        place.y + found.top * scale,
        place.x + found.right * scale,
        place.y + found.bottom * scale,
    )


def _shape(tag: Tag, given: dict[str, str], source: str) -> Box:
    def n(name: str, default: float = 0.0) -> float:
        return float(given.get(name, default))

    edge = n("stroke-width", 1) if given.get("stroke", "none") != "none" else 0.0
    match tag.name:
        case "rect":
            found = Box(n("x"), n("y"), n("x") + n("width"), n("y") + n("height"))
        case "circle":
            found = Box(n("cx"), n("cy"), n("cx"), n("cy")).wider(n("r"))
        case "ellipse":
            across, down = n("rx"), n("ry")
            found = Box(n("cx") - across, n("cy") - down, n("cx") + across, n("cy") + down)
        case "line":
            found = _around(((n("x1"), n("y1")), (n("x2"), n("y2"))))
        case "path":
            found, edge = _path(given["d"]), 4 * edge  # an edge's corner is a mitre of at most four times its width
        case _:
            found = _text(given, source[tag.inside : source.index("</text>", tag.inside)])
    return found.wider(edge)


def _text(given: dict[str, str], inside: str) -> Box:
    """Room for the widest letters that a text of that length can have."""
    words = html.unescape(re.sub(r"<[^>]*>", "", inside)).strip()
    inner = ATTRIBUTE.findall(" ".join(re.findall(r"<tspan([^>]*)>", inside)))
    if {"x", "y", "dx", "dy"} & {name for name, _ in inner}:
        raise Whole("a tspan that stands elsewhere")
    said = [*given.items(), *inner]
    size = max(float(value) for name, value in [("font-size", "16"), *said] if name == "font-size")
    apart = max(float(value) for name, value in [("letter-spacing", "0"), *said] if name == "letter-spacing")
    wide = sum(WIDEST if each < SYMBOLS else WIDEST_SYMBOL for each in words) * size + len(words) * apart + 0.6 * size
    left = {"start": 0.0, "middle": wide / 2, "end": wide}[given.get("text-anchor", "start")]
    x, y = float(given.get("x", 0)) - left, float(given.get("y", 0))
    return Box(x - size / 2, y - 1.2 * size, x + wide + size / 2, y + 0.5 * size)


_STEP = re.compile(r"([MmLlHhVvAaCcQqZz])([^a-zA-Z]*)")
_PATH = re.compile(rf"\s*(?:{_STEP.pattern})+")
_IN_A_PATH = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "C": 6, "Q": 4}

Point = tuple[float, float]


def _path(d: str) -> Box:
    """What holds every point of a path; curves lie within their control points, arcs as far as they can bulge."""
    if not _PATH.fullmatch(d):
        raise Whole(d)
    boxes: list[Box] = []
    now = begin = (0.0, 0.0)
    for letter, text in _STEP.findall(d):
        kind, numbers = letter.upper(), [float(each) for each in _IN_A_PATH.findall(text)]
        if kind == "Z":
            now = begin
            continue
        takes = _TAKES[kind]
        if not numbers or len(numbers) % takes:
            raise Whole(d)
        for at in range(0, len(numbers), takes):
            step = numbers[at : at + takes]
            points = _points(kind, step, now, now if letter.islower() else (0.0, 0.0))
            if kind == "M" and at == 0:
                begin = now = points[-1]
            bulge = _bulge(step, math.dist(now, points[-1])) if kind == "A" else 0.0
            boxes.append(_around((now, *points)).wider(bulge))
            now = points[-1]
    return _all(boxes)


def _points(kind: str, numbers: list[float], now: Point, origin: Point) -> list[Point]:
    """The points that a step of a path is drawn by, its end last."""
    if kind == "H":
        return [(origin[0] + numbers[0], now[1])]
    if kind == "V":
        return [(now[0], origin[1] + numbers[0])]
    pairs = numbers[-2:] if kind == "A" else numbers
    return [(origin[0] + x, origin[1] + y) for x, y in zip(pairs[::2], pairs[1::2], strict=True)]


def _bulge(arc: list[float], chord: float) -> float:
    """How far an arc over such a chord goes beyond its ends at most."""
    radius = max(abs(arc[0]), abs(arc[1]), chord / 2)
    rest = math.sqrt(max(radius**2 - chord**2 / 4, 0.0))
    return radius + rest if arc[3] else radius - rest


def _around(points: Iterable[Point]) -> Box:
    across, down = zip(*points, strict=True)
    return Box(min(across), min(down), max(across), max(down))


def _all(boxes: Sequence[Box]) -> Box:
    if not boxes:
        raise Whole("nothing")
    left, top, right, bottom = zip(*boxes, strict=True)
    return Box(min(left), min(top), max(right), max(bottom))
