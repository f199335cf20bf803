"""The board as numbers.

A *spot* is where a crew can be: a tile 0..31 (stratum * 8 + index: A1 is 0, D8 is 31), the centre 32, an entrance
33..36, or the border 40 + b between tile b and its right (clockwise) neighbour, where a crew straddles both.
"""

STRATA = "ABCD"
TILE_SPOTS = range(32)
CENTRE = 32
ENTRANCES = range(33, 37)
BORDER = 40
SPOTS = 72
NOWHERE = -1


def _turned(tile: int, by: int) -> int:
    return tile // 8 * 8 + (tile + by) % 8


LEFT = tuple(_turned(tile, -1) for tile in TILE_SPOTS)
RIGHT = tuple(_turned(tile, 1) for tile in TILE_SPOTS)
RING = tuple((LEFT[tile], RIGHT[tile]) for tile in TILE_SPOTS)
"""The two neighbours of a tile in its ring."""
SECOND = tuple((_turned(tile, -2), _turned(tile, 2)) for tile in TILE_SPOTS)
"""The second tiles left and right in its ring (RW-WRK-10)."""
ABOVE = tuple(tile - 8 if tile >= 8 else NOWHERE for tile in TILE_SPOTS)
BELOW = tuple(tile + 8 if tile < 24 else CENTRE for tile in TILE_SPOTS)
NEIGHBOURS = tuple(
    tuple(spot for spot in (*RING[tile], ABOVE[tile], BELOW[tile]) if spot not in (NOWHERE, CENTRE))
    for tile in TILE_SPOTS
)
"""The tiles adjacent to a tile (RW-SET-4), without the centre."""
BORDERS = tuple((BORDER + LEFT[tile], BORDER + tile) for tile in TILE_SPOTS)
"""The two borders of a tile with its neighbours in its ring, left first."""


def _on(spot: int) -> tuple[int, ...]:
    if spot < CENTRE:
        return (spot,)
    if spot >= BORDER:
        return (spot - BORDER, RIGHT[spot - BORDER])
    return ()


ON = tuple(_on(spot) for spot in range(SPOTS))
"""The tiles that a crew on a spot is on: two for a border, none at an entrance or the centre."""


def _steps(spot: int) -> tuple[int, ...]:
    if spot in ENTRANCES:
        first = (spot - ENTRANCES.start) * 2
        return (first, first + 1)
    if spot >= BORDER:
        return ON[spot]
    if spot < CENTRE:
        return tuple(to for to in (*RING[spot], ABOVE[spot], BELOW[spot]) if to != NOWHERE)
    return ()


STEPS = tuple(_steps(spot) for spot in range(SPOTS))
"""Where one plain move leads: the facing tiles from an entrance, either tile from a border (RW-WRK-12)."""
NEXT_TO = tuple(
    NEIGHBOURS[spot] if spot < CENTRE else STEPS[spot] if spot in ENTRANCES else () for spot in range(SPOTS)
)
"""The tiles next to a crew that stands on a tile or at an entrance."""
STRATUM = tuple(spot // 8 if spot < CENTRE else (spot - BORDER) // 8 if spot >= BORDER else -1 for spot in range(SPOTS))
"""0 for A to 3 for D; -1 at an entrance and at the centre, and for the unused numbers."""
CAP = tuple(stratum + 1 for stratum in STRATUM)
"""The most power of a subcontractor on a spot (RW-SUB-2); 0 where none may be."""
DEPTH = tuple(4 if spot == CENTRE else STRATUM[spot] for spot in range(SPOTS))
"""As STRATUM, with 4 at the centre."""

TILE_NAMES = tuple(f"{STRATA[tile // 8]}{tile % 8 + 1}" for tile in TILE_SPOTS)
TILE_NAMED = {name: tile for tile, name in enumerate(TILE_NAMES)}


def border(first: int, second: int) -> int | None:
    """The spot that straddles two tiles, None where they are not neighbours in a ring."""
    if RIGHT[first] == second:
        return BORDER + first
    if RIGHT[second] == first:
        return BORDER + second
    return None
