"""A drawing taken apart into pieces that are the same in many drawings: a crew, a chip, a tile, a line of text.

A piece is a small group or a single shape, with where it stands. What can be taken apart is what templates draw with:
groups that are moved and scaled, plain shapes, text. Anything else makes `Whole`, for a drawing to be drawn as it is.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

SHAPES = frozenset(("rect", "circle", "ellipse", "line", "path", "text"))
FEW = 8
"""A group of no more shapes is one piece."""
_SAID = frozenset(("title", "desc"))
_KNOWN = SHAPES | _SAID | {"svg", "g", "tspan"}
_OF_THE_ROOT = re.compile(r'\s(?:xmlns|viewBox|role|width|height)="[^"]*"')
_TAG = re.compile(r'<(/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<>]*")*)\s*(/?)>')
INHERITED = re.compile(
    r"fill|stroke(?:-width|-linecap|-linejoin|-dasharray)?|font-(?:family|size|weight)|text-anchor|letter-spacing"
)
"""What a group may say of all in it."""
ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_MOVED = re.compile(rf"(?:translate\({_NUMBER}[ ,]+{_NUMBER}\))? ?(?:scale\({_NUMBER}\))?")
_GROUND = re.compile(r'(?:<g[^<>]*>)*<rect width="(\d+)" height="(\d+)" fill="(#[0-9a-fA-F]{6})"/>(?:</g>)*')
_VIEW = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


class Whole(Exception):
    """The drawing has something that can't be taken apart."""


class Place(NamedTuple):
    """Where something is drawn: its own origin in the drawing, and by how much it is larger."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    def inside(self, x: float, y: float, scale: float) -> "Place":
        """Where it is drawn if it is moved and scaled inside this one."""
        return Place(self.x + x * self.scale, self.y + y * self.scale, self.scale * scale)


class Piece(NamedTuple):
    """`source` is a whole SVG fragment, drawn about its own origin at `place`."""

    source: str
    place: Place


class Apart(NamedTuple):
    """A drawing of that size in its own units: the pieces, the lowest first, on a ground of one colour."""

    width: int
    height: int
    ground: str
    pieces: list[Piece]


class Tag(NamedTuple):
    """A tag of a drawing; its name is `/` if it ends another."""

    name: str
    attributes: str
    begin: int
    inside: int
    """Where what is between this tag and its end begins."""
    last: int
    """The number of the tag that ends it; its own if it stands alone."""
    shapes: int
    """How many shapes there are in a group."""


def apart(drawing: str) -> Apart:
    """The pieces of a drawing. Raises Whole."""
    tags = tags_of(drawing)
    view = _VIEW.search(tags[0].attributes) if tags and tags[0].name == "svg" else None
    if view is None or tags[0].last != len(tags) - 1:
        raise Whole("no root")
    place, kept = _group(_OF_THE_ROOT.sub("", tags[0].attributes))
    pieces = list(_pieces(drawing, tags, range(1, len(tags) - 1), (f"<g{kept}>",), place))
    ground = _GROUND.fullmatch(pieces[0].source) if pieces and pieces[0].place == Place() else None
    if ground is None or ground.groups()[:2] != view.groups():
        return Apart(int(view[1]), int(view[2]), "#ffffff", pieces)
    return Apart(int(view[1]), int(view[2]), ground[3], pieces[1:])


def tags_of(drawing: str) -> list[Tag]:
    """All tags, each with that which ends it. Raises Whole."""
    found = list(_TAG.finditer(drawing))
    if len(found) != drawing.count("<"):
        raise Whole("a comment, or an attribute of another form")
    tags: list[Tag] = []
    open_: list[tuple[int, int]] = []
    shapes = 0
    for number, each in enumerate(found):
        ends, name, attributes, alone = each.groups()
        if name not in _KNOWN:
            raise Whole(name)
        if ends:
            if not open_:
                raise Whole("an end without a beginning")
            began, before = open_.pop()
            if tags[began].name != name:
                raise Whole("an end of something else")
            tags[began] = tags[began]._replace(last=number, shapes=shapes - before)
        else:
            if not alone:
                open_.append((number, shapes))
            shapes += name in SHAPES
        tags.append(Tag("/" if ends else name, attributes, each.start(), each.end(), number, 1))
    if open_:
        raise Whole("a beginning without an end")
    return tags


def _pieces(drawing: str, tags: list[Tag], numbers: range, context: tuple[str, ...], place: Place) -> Iterator[Piece]:
    number = numbers.start
    while number < numbers.stop:
        tag = tags[number]
        end = tags[tag.last]
        if tag.name in SHAPES:
            yield _piece(drawing[tag.begin : end.inside], context, place)
        elif tag.name == "g":
            moved, kept = _group(tag.attributes)
            there, around = place.inside(*moved), (*context, f"<g{kept}>") if kept else context
            if tag.shapes > FEW:
                yield from _pieces(drawing, tags, range(number + 1, tag.last), around, there)
            elif tag.shapes:
                yield _piece(drawing[tag.inside : end.begin], around, there)
        elif tag.name not in _SAID:
            raise Whole(tag.name)
        number = tag.last + 1


def _piece(source: str, context: tuple[str, ...], place: Place) -> Piece:
    return Piece("".join((*context, source, "</g>" * len(context))), place)


@lru_cache(maxsize=4096)
def _group(attributes: str) -> tuple[Place, str]:
    """How a group is moved and scaled, and what else it says of all in it."""
    given = dict(ATTRIBUTE.findall(attributes))
    moved = moved_by(given.pop("transform", ""))
    if not all(map(INHERITED.fullmatch, given)):
        raise Whole(attributes)
    return moved, "".join(f' {name}="{value}"' for name, value in given.items())


def moved_by(transform: str) -> Place:
    """How an attribute `transform` moves and scales. Raises Whole where it does more."""
    found = _MOVED.fullmatch(transform.strip())
    if found is None:
        raise Whole(transform)
    x, y, scale = found.groups()
    return Place(float(x or 0), float(y or 0), float(scale or 1))
