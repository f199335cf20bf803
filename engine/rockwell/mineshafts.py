"""Mineshafts: where they may stand (RW-WRK-5 to 9), and what active ones yield (RW-MIN)."""

from engine.rockwell import achievements, stock
from engine.rockwell.events import Yielded
from engine.rockwell.geometry import NEIGHBOURS, NEXT_TO, ON, SPOTS, TILE_SPOTS
from engine.rockwell.play import Play
from engine.rockwell.state import State

ANYWHERE = (1 << len(TILE_SPOTS)) - 1


def _mask(tiles: tuple[int, ...]) -> int:
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


_ON = tuple(_mask(ON[spot]) for spot in range(SPOTS))
"""The tiles that a crew on a spot is on, bit by tile: both for one that straddles (RW-WRK-26)."""
_REACH = tuple(
    _mask(ON[spot] + NEXT_TO[spot] + tuple(tile for on in ON[spot] for tile in NEIGHBOURS[on])) for spot in range(SPOTS)
)
"""Those and the tiles next to them; from an entrance those that it faces (RW-WRK-25); none from the centre."""


def pay_out(play: Play) -> None:
    """Every mineshaft on a revealed tile gives its owner what stands on the tile's back (RW-MIN-1).

    All yields are one distribution for the achievements (RW-ACH-18).
    """
    state, backs = play.state, play.tables.backs
    gained = set()
    for tile in TILE_SPOTS:
        owner = state.mineshaft[tile]
        if owner < 0 or state.back[tile] < 0:
            continue
        cubes = backs[tile // 8][state.back[tile]].yields
        stock.gain(state.companies[owner], cubes)
        play.tell(Yielded(owner, tile, cubes))
        gained.add(owner)
    if gained:
        achievements.look(play, sorted(gained), None)


def sites(state: State, seat: int, level: int) -> int:
    """The tiles where that level builds, or moves to, a mineshaft of the company: bit by tile.

    Level 1: an unrevealed tile without an opponent's crew that a crew of its own is on or next to. Level 2 also: a
    revealed tile that a crew of its own is on or next to. Level 3: any. Never where a mineshaft is (RW-WRK-9).
    """
    free = ANYWHERE
    revealed = 0
    for tile, owner in enumerate(state.mineshaft):
        if owner >= 0:
            free ^= 1 << tile
    if level == 3:
        return free
    for tile, back in enumerate(state.back):
        if back >= 0:
            revealed |= 1 << tile
    reach = 0
    barred = 0
    first = seat * 4
    for number, spot in enumerate(state.at):
        if first <= number < first + 4:
            reach |= _REACH[spot]
        else:
            barred |= _ON[spot]
    if level == 1:
        return free & reach & ~barred & ~revealed
    return free & reach & (~barred | revealed)


def tiles(mask: int) -> list[int]:
    """The tiles of a mask, in the order of the board."""
    return [tile for tile in TILE_SPOTS if mask >> tile & 1]


def cheapest(state: State, seat: int, levels: int, to: int) -> int:
    """The lowest of the company's levels that allows a mineshaft on a tile, 0 where none does (RW-WRK-18)."""
    for level in range(1, levels + 1):
        if sites(state, seat, level) >> to & 1:
            return level
    return 0
