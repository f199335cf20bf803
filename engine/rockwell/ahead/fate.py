"""Chance for imagined play: alike for alike questions, so that candidates meet the same luck."""

from zlib import crc32

_MASK = (1 << 64) - 1


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
