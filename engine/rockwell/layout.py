"""How the tiles are laid: at random within their strata, no two adjacent ones alike in power (RW-SET-3)."""

from collections.abc import Callable, Sequence

from engine.rockwell.geometry import ABOVE, LEFT, NOWHERE, RIGHT

TILES = 32


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
    """Whether tiles of these powers can be laid at all."""
    try:
        lay(powers, lambda _: 0)
    except ValueError:
        return False
    return True


def _fits(laid: list[int], tile: int, power: int) -> bool:
    above = ABOVE[tile]
    return power not in (laid[LEFT[tile]], laid[RIGHT[tile]]) and (above == NOWHERE or laid[above] != power)
