"""What stand-ins need that try candidates in imagined worlds: luck that is the same for all, and whom to drop."""

from collections.abc import Callable, Sequence
from typing import TypeVar
from zlib import crc32

C = TypeVar("C")
S = TypeVar("S")

FEW = 2
"""So many candidates stay to the end."""
_MASK = (1 << 64) - 1


def most_promising(
    found: Sequence[C],
    number: int,
    steps: int,
    imagine: Callable[[int], S],
    tried: Callable[[S, C, int], tuple[int, float]],
) -> C:
    """The candidate that does best over worlds, the same for all; after each world the worst are dropped.

    `imagine` makes the world of a number; they count on from `number`. `tried` carries a candidate out in a world, of
    which it takes a copy, plays on with the luck of that number, and says how many choices were made and how good the
    end is for the one who chooses, from 0 to 1. No new world is begun once so many `steps` are made: a number of
    choices and no time, so that what comes out is repeatable. Each candidate is tried once at least, whatever that
    takes.
    """
    hopes = [0.0] * len(found)
    left = list(range(len(found)))
    made = world = 0
    while made < steps:
        start = imagine(number + world)
        for each in left:
            played, hope = tried(start, found[each], number + world)
            made += played
            hopes[each] += hope
        left.sort(key=lambda each: -hopes[each])
        left = left[: max(FEW, (2 * len(left) + 2) // 3)]
        world += 1
    return found[left[0]]


class Fate:
    """Outcomes that follow from a number, the stream and how often the stream was asked; nothing is kept.

    Candidates that are judged in the same world draw the same cards from a pile, whatever else differs. It is no
    source of secrets: the mixing is quick and fair enough for judging, not more.
    """

    __slots__ = ("_counts", "_number")

    def __init__(self, number: int) -> None:
        self._number = number
        self._counts: dict[str, int] = {}

    def draw(self, stream: str, n: int) -> int:
        """One outcome in 0..n-1."""
        count = self._counts.get(stream, 0)
        self._counts[stream] = count + 1
        # splitmix64
        word = (self._number + crc32(stream.encode()) * 0x9E3779B97F4A7C15 + count * 0xD1B54A32D192ED03) & _MASK
        word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & _MASK
        return (word ^ word >> 31) * n >> 64

    def pick(self, n: int) -> int:
        """What those who play on choose from."""
        return self.draw("pick", n)
