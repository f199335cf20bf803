"""How the tiles are laid: at random within their strata, no two adjacent ones alike in power (RW-SET-3)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from engine.rockwell.geometry import ABOVE, LEFT, NOWHERE, RIGHT

TILES = 32
RING = 8
Ring: TypeAlias = tuple[int, ...]


def lay(powers: Sequence[Sequence[int]], draw: Callable[[int], int]) -> list[int]:
    """The power required by each tile, from the powers of each stratum's eight tiles.

    Tile by tile one of those left is drawn among the fitting ones; from a dead end the search goes back to the last
    place with another power to lay, so it ends after finitely many draws, with a layout whenever there is one.
    Raises ValueError where there is none.
    """
    left = [list(stratum) for stratum in powers]
    laid = [0] * TILES
    refused: list[set[int]] = [set() for _ in range(TILES)]
    tile = 0
    while tile < TILES:
        pool = left[tile // 8]
        fitting = [power for power in pool if power not in refused[tile] and _fits(laid, tile, power)]
        if fitting:
            laid[tile] = fitting[draw(len(fitting))] if len(set(fitting)) > 1 else fitting[0]
            pool.remove(laid[tile])
            tile += 1
            continue
        refused[tile].clear()
        tile -= 1
        if tile < 0:
            raise ValueError("no layout")
        left[tile // 8].append(laid[tile])
        refused[tile].add(laid[tile])
        laid[tile] = 0
    return laid


def exists(powers: Sequence[Sequence[int]]) -> bool:
    """Whether tiles of these powers can be laid at all.

    Ring by ring, and no ring twice below the same one: what is known not to go on is not tried again.
    """
    if any(count > RING // 2 for stratum in powers for count in Counter(stratum).values()):
        return False
    return _goes_on(powers, 0, (0,) * RING, set())


def _goes_on(powers: Sequence[Sequence[int]], stratum: int, above: Ring, failed: set[tuple[int, Ring]]) -> bool:
    """Whether the strata from this one on can be laid below a ring."""
    if stratum == len(powers):
        return True
    if (stratum, above) in failed:
        return False
    if any(_goes_on(powers, stratum + 1, ring, failed) for ring in _rings(Counter(powers[stratum]), above, ())):
        return True
    failed.add((stratum, above))
    return False


def _rings(left: Counter[int], above: Ring, laid: Ring) -> Iterator[Ring]:
    """All ways to go on with a ring below another."""
    if len(laid) == RING:
        yield laid
        return
    for power in left:
        beside = laid[-1:] + (laid[:1] if len(laid) == RING - 1 else ())
        if left[power] and power not in beside and power != above[len(laid)]:
            left[power] -= 1
            yield from _rings(left, above, (*laid, power))
            left[power] += 1


def _fits(laid: list[int], tile: int, power: int) -> bool:
    above = ABOVE[tile]
    return power not in (laid[LEFT[tile]], laid[RIGHT[tile]]) and (above == NOWHERE or laid[above] != power)
