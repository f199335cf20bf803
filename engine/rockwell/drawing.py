"""Where everything stands in a picture of the board: places and sizes as numbers, for a template to draw.

The board is round, its middle at 0, 0, x to the right, y downwards, 500 to the rim. What a ring holds makes it wide or
narrow: where crews are there is room for them, and strata that are dug out make way. Crews are boxes that never turn;
they are put where their tile has room, as large as there is.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine.rockwell.components import Tables
from engine.rockwell.events import AutomatonMoved, Bribed, Fell, Moved
from engine.rockwell.geometry import BORDER, CENTRE, ENTRANCES, SPOTS, TILE_SPOTS
from engine.rockwell.view import Ground, RockwellView, ground

CORE = 56
"""The radius of the centre."""
RIM = 498
BUSY, OPEN, DUG = (84, 84, 88, 152), (62, 62, 68, 98), (48, 48, 52, 92)
"""By stratum, the share of the room for a ring with crews, one with unrevealed tiles, one where all is dug out."""
ENTRANCE = (46, 68)
"""How deep an entrance with crews is: above and below the board, and beside it, where they stand in a column."""
CROWD = 0.15
"""How much more room a ring gets for each crew beyond the first on its fullest tile."""
CREW = (75, 38)
"""The box of a crew at size 1: the broadest of their shapes, with its edge."""
DIE = 32
"""How much wider a subcontractor makes it."""
SIZES = (1.24, 1.12, 1.0, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52, 0.46, 0.4, 0.34)
GAP = 3
ARC = 36
"""How many degrees of an entrance its crews take at most on each side: beside them stands its number."""
PICTURE = 498
"""Half the width of the picture, without its edge."""


class Box(NamedTuple):
    """An upright rectangle by its middle, and half its width and height."""

    x: float
    y: float
    half_width: float
    half_height: float


class Placed(NamedTuple):
    """A crew by its number, the middle of its box, and its size."""

    number: int
    x: float
    y: float
    size: float


class Tile(NamedTuple):
    """A tile: its ring's radii, its first angle in degrees, and where its marks stand, with their size.

    `badge_size` is that of the badge.

    `badge` is for the power, or what a mineshaft yields, above one another where the tile is `upright`; `strength` is
    the power that stands on it.
    """

    number: int
    inner: float
    outer: float
    start: float
    label: tuple[float, float]
    badge: tuple[float, float]
    shaft: tuple[float, float]
    size: float
    strength: int
    upright: bool
    badge_size: float


class Arrow(NamedTuple):
    """The way of a crew (`owner` its seat, or the number of seats for the automaton) in the last round."""

    owner: int
    points: tuple[tuple[float, float], ...]


class Anchor(NamedTuple):
    """The middle of a spot, and half the width of what can be pointed at there."""

    spot: int
    x: float
    y: float
    half: int


class Drawing(NamedTuple):
    """All places. `rim` is the inner radius of the entrances."""

    rim: float
    tiles: tuple[Tile, ...]
    crews: tuple[Placed, ...]
    arrows: tuple[Arrow, ...]


def drawing(tables: Tables, view: RockwellView, moved: Iterable[Any]) -> Drawing:
    """The places of a public position, with the ways of the crews that `moved` (events)."""
    here: dict[int, list[int]] = {}
    for number, spot in enumerate(view.at):
        here.setdefault(spot, []).append(number)
    rim = _rim(here)
    rings = _rings(view, here, rim - 5)
    tiles = tuple(_tile(rings, each) for each in ground(view))
    crews: dict[int, Placed] = {}
    for spot, numbers in here.items():
        wide = CREW[0] + (DIE if any(view.die[number] for number in numbers) else 0)
        for number, place in zip(
            numbers, _places(tables, view, rings, rim, tiles, spot, len(numbers), wide), strict=True
        ):
            crews[number] = Placed(number, *place)
    return Drawing(rim, tiles, tuple(crews.values()), _arrows(rings, rim, crews, moved))


def anchors(view: RockwellView) -> Sequence[Anchor]:
    """Where each spot is, tiles before the borders that lie upon them."""
    here: dict[int, list[int]] = {}
    for number, spot in enumerate(view.at):
        here.setdefault(spot, []).append(number)
    rim = _rim(here)
    rings = _rings(view, here, rim - 5)
    spots = (*TILE_SPOTS, CENTRE, *ENTRANCES, *range(BORDER, SPOTS))
    return [
        Anchor(spot, *_anchor(rings, rim, spot), 24 if spot >= BORDER or spot in ENTRANCES else 38) for spot in spots
    ]


def named(seat: int | None, part: str, value: Any) -> str:
    """What a place of the picture is called that a value of a part of a choice names: `spot-12`, `crew-5`."""
    if part in _SPOT_PARTS and value >= 0:
        return f"spot-{value}"
    if part == "crew" and seat is not None:
        return f"crew-{seat * 4 + value}"
    return f"crew-{value}" if part == "bribe" and value >= 0 else ""


_SPOT_PARTS = frozenset({"to", "second", "onto", "tile", "origin"})
"""The parts of choices that name a spot by its number."""


def _rim(here: dict[int, list[int]]) -> float:
    """The inner radius of the entrances."""
    return RIM - max(ENTRANCE[place % 2] if spot in here else 20 for place, spot in enumerate(ENTRANCES))


def _rings(view: RockwellView, here: dict[int, list[int]], outside: float) -> tuple[float, ...]:
    """The outer radius of each stratum, and that of the centre."""
    asked: list[float] = []
    for stratum in range(4):
        tiles = range(stratum * 8, stratum * 8 + 8)
        most = max(len(here.get(tile, ())) for tile in tiles)
        if most or any(BORDER + tile in here for tile in tiles):
            asked.append(BUSY[stratum] * (1 + CROWD * min(max(most - 1, 0), 6)))
        else:
            asked.append((DUG if all(view.back[tile] >= 0 for tile in tiles) else OPEN)[stratum])
    room = (outside - CORE) / sum(asked)
    radii = [outside]
    for share in asked:
        radii.append(round(radii[-1] - share * room, 1))
    return (*radii[:4], CORE)


def _tile(rings: tuple[float, ...], ground: Ground) -> Tile:
    number = ground.tile
    stratum, start = number // 8, number % 8 * 45 - 45
    outer = rings[stratum]
    size = 1.0 if stratum < 3 else 0.86
    along = outer - 22 * size
    strength = ground.strength if ground.back < 0 else 0
    upright = number % 8 in (2, 3, 6, 7)
    width = outer - rings[stratum + 1]
    # Beside the centre a ring is as wide as it is deep: the broad badge takes what there is.
    broad = upright and strength > 0
    badge_size = min(size, (width - 6) / 88) if broad else size
    # On small tiles it stands further in than their names and mineshafts.
    small = along * math.pi / 8 < (58 + (44 if strength else 26)) * size
    wanted = 46 if broad else 58 if small and strength else 54 if small else 28
    depth = min(wanted * size, width / 2 if upright else width * 0.6)
    return Tile(
        number,
        rings[stratum + 1],
        outer,
        start,
        _polar(along, start + math.degrees(27 * size / along)),
        _polar(outer - depth, start + 22.5),
        _polar(outer - 27 * size, start + 45 - math.degrees(27 * size / along)),
        size,
        strength,
        upright,
        round(badge_size, 2),
    )


def _places(
    tables: Tables,
    view: RockwellView,
    rings: tuple[float, ...],
    rim: float,
    tiles: Sequence[Tile],
    spot: int,
    count: int,
    wide: int,
) -> Sequence[tuple[float, float, float]]:
    if spot == CENTRE:
        return _heap(count, wide)
    if spot in ENTRANCES:
        return _in_a_row(spot - ENTRANCES.start, (rim + RIM) / 2, count, wide)
    if spot >= BORDER:
        angle = (spot - BORDER) % 8 * 45
        middle = sum(rings[(spot - BORDER) // 8 : (spot - BORDER) // 8 + 2]) / 2
        return [(*_polar(middle + (place - (count - 1) / 2) * CREW[1], angle), 1.0) for place in range(count)]
    tile = tiles[spot]
    return _in_sector(tile.inner, tile.outer, tile.start, count, wide, tuple(marks(tables, view, tile)))


def marks(tables: Tables, view: RockwellView, tile: Tile) -> Iterable[Box]:
    """What crews must not cover."""
    size = tile.size
    yield Box(*tile.label, 20 * size, 14 * size)
    if view.mineshaft[tile.number] >= 0:
        yield Box(*tile.shaft, 19 * size, 23 * size)
    if view.back[tile.number] < 0:
        size = tile.badge_size
        yield Box(*tile.badge, (44 if tile.strength else 26) * size, 24 * size)
    else:
        yields = sum(tables.backs[tile.number // 8][view.back[tile.number]].yields)
        along, across = 14.5 * yields * size, 14.5 * size
        yield Box(*tile.badge, *((across, along) if tile.upright else (along, across)))


@lru_cache(maxsize=4096)
def _in_sector(
    inner: float, outer: float, start: float, count: int, wide: int, marks: tuple[Box, ...]
) -> tuple[tuple[float, float, float], ...]:
    """Places for so many boxes in a piece of a ring, as large as there is room for; heaped up where there is none."""
    middle = _polar((inner + outer) / 2 - 10, start + 22.5)
    for size in SIZES:
        half = (wide * size / 2 + GAP / 2, CREW[1] * size / 2 + GAP / 2)
        found: list[tuple[float, ...]] = []
        for phase in range(4):
            rows = _rows(inner, outer, start, half, phase / 4, marks)
            rows.sort(key=lambda place: math.dist(place, middle))
            if len(rows) >= count:
                found.append((sum(math.dist(place, middle) for place in rows[:count]), *sum(rows[:count], ())))
        if found:
            best = min(found)[1:]
            places = sorted(zip(best[::2], best[1::2], strict=True), key=lambda place: (place[1], place[0]))
            return tuple((x, y, size) for x, y in places)
    size = SIZES[-1]
    step = CREW[1] * size
    return tuple((middle[0], round(middle[1] + (place - (count - 1) / 2) * step, 1), size) for place in range(count))


def _rows(
    inner: float, outer: float, start: float, half: tuple[float, float], phase: float, marks: tuple[Box, ...]
) -> list[tuple[float, float]]:
    """Middles of boxes in rows, all inside the piece of a ring and clear of the marks."""
    wide, high = half
    corners = [_polar(radius, start + angle) for radius in (inner, outer) for angle in (0, 22.5, 45)]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    sides = (_polar(1, start + 90), _polar(1, start - 45))
    found: list[tuple[float, float]] = []
    y = top + high * (1 + 2 * phase)
    while y < bottom:
        before = len(found)
        x = left + wide
        while x < right:
            if _inside(x, y, wide, high, inner, outer, sides) and not any(
                _meets(x, y, wide, high, box) for box in marks
            ):
                found.append((round(x, 1), round(y, 1)))
                x += 2 * wide
            else:
                x += 4
        y += 2 * high if len(found) > before else 4
    return found


def _inside(
    x: float, y: float, wide: float, high: float, inner: float, outer: float, sides: Sequence[tuple[float, float]]
) -> bool:
    """Whether a box lies between two circles and on the inner side of two lines through the middle."""
    if (abs(x) + wide) ** 2 + (abs(y) + high) ** 2 > (outer - GAP) ** 2:
        return False
    if max(abs(x) - wide, 0) ** 2 + max(abs(y) - high, 0) ** 2 < (inner + GAP) ** 2:
        return False
    return all(nx * x + ny * y - abs(nx) * wide - abs(ny) * high >= 1 for nx, ny in sides)


def _meets(x: float, y: float, wide: float, high: float, box: Box) -> bool:
    return abs(x - box.x) < wide + box.half_width and abs(y - box.y) < high + box.half_height


def _heap(count: int, wide: int) -> list[tuple[float, float, float]]:
    """The crews at the centre, in columns."""
    columns = 1 if count < 4 else 2 if count < 9 else 3
    rows = -(-count // columns)
    size = min(1.0, 2 * CORE * 0.86 / (columns * wide), 2 * CORE * 0.94 / (rows * CREW[1]))
    return [
        (
            round((place % columns - (columns - 1) / 2) * wide * size, 1),
            round((place // columns - (rows - 1) / 2) * CREW[1] * size, 1),
            round(size, 2),
        )
        for place in range(count)
    ]


def _in_a_row(entrance: int, radius: float, count: int, wide: int) -> list[tuple[float, float, float]]:
    """The crews at an entrance: along its arc from the left, or beside the board from the top; none upon another."""
    upright = entrance % 2 == 1
    side = CREW[1] if upright else wide
    room = 2 * radius * math.sin(math.radians(ARC))
    size = min(1.0, room / (count * side), 2 * (PICTURE - radius) / wide if upright else 1.0)
    places = []
    for place in range(count):
        along = (place - (count - 1) / 2) * side * size
        across = math.sqrt(radius**2 - along**2) * (1 if entrance in (1, 2) else -1)
        x, y = (across, along) if upright else (along, across)
        places.append((round(x, 1), round(y, 1), math.floor(size * 100) / 100))
    return places


def _arrows(rings: tuple[float, ...], rim: float, crews: dict[int, Placed], moved: Iterable[Any]) -> tuple[Arrow, ...]:
    """One way for each crew that moved, however often, from where it stood to where it stands."""
    ways: dict[int, list[tuple[float, float]]] = {}
    automaton = len(crews) // 4 - 1
    for event in moved:
        crew = _crew(event, automaton)
        to = event.tile if isinstance(event, Fell) else event.to
        way = ways.setdefault(crew, [_anchor(rings, rim, event.origin)])
        way.append(_anchor(rings, rim, to))
    arrows = []
    for crew, way in ways.items():
        way[-1] = _short_of(way[-2], crews[crew])
        arrows.append(Arrow(crew // 4, tuple(way)))
    return tuple(arrows)


def _crew(event: Any, automaton: int) -> int:
    if isinstance(event, Bribed):
        return event.owner * 4 + event.target
    if isinstance(event, AutomatonMoved):
        return automaton * 4 + event.crew
    assert isinstance(event, Moved | Fell)
    return event.seat * 4 + event.crew


def _short_of(origin: tuple[float, float], crew: Placed) -> tuple[float, float]:
    """The point at which a way from `origin` meets the box of the crew."""
    dx, dy = crew.x - origin[0], crew.y - origin[1]
    wide, high = CREW[0] * crew.size / 2 + 2, CREW[1] * crew.size / 2 + 2
    part = min(wide / abs(dx) if dx else 9.0, high / abs(dy) if dy else 9.0, 0.8)
    return round(crew.x - dx * part, 1), round(crew.y - dy * part, 1)


def _anchor(rings: tuple[float, ...], rim: float, spot: int) -> tuple[float, float]:
    """The middle of a spot."""
    if spot == CENTRE:
        return 0.0, 0.0
    if spot in ENTRANCES:
        return _polar((rim + RIM) / 2, (spot - ENTRANCES.start) * 90)
    tile = spot - BORDER if spot >= BORDER else spot
    angle = tile % 8 * 45 - (0 if spot >= BORDER else 22.5)
    return _polar((rings[tile // 8] + rings[tile // 8 + 1]) / 2, angle)


def _polar(radius: float, angle: float) -> tuple[float, float]:
    """A point by its distance from the middle and its angle in degrees, clockwise from the top."""
    return round(radius * math.sin(math.radians(angle)), 1), round(-radius * math.cos(math.radians(angle)), 1)
