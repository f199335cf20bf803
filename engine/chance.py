"""Where outcomes come from: keyed by the game's secret, replayed from a journal, or plain random for simulation."""

from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeAlias

import msgspec

from engine.contract import Pick
from engine.errors import BadJournal

Outcome: TypeAlias = tuple[str, int, int]
"""A draw as journalled: its stream, how many outcomes it had, and the one that came."""

_WORD = 8  # bytes of hash that an outcome is made of
_SPAN = 1 << 8 * _WORD


class KeyedChance:
    """Outcomes that follow from the secret, the players' words, the epoch, the stream and a counter alone.

    `secret` has 1 to 64 bytes. `counters` says how many draws each stream has had; it is kept and counted on.
    `outcomes` collects the draws until `take` empties it.
    """

    __slots__ = ("_key", "counters", "outcomes")

    def __init__(self, secret: bytes, words: Sequence[str], epoch: int, counters: dict[str, int]) -> None:
        if not secret:
            raise ValueError("a secret has at least one byte")
        scope = msgspec.msgpack.encode((tuple(words), epoch))
        self._key = blake2b(scope, key=secret, digest_size=32, person=b"pbem chance").digest()
        self.counters = counters
        self.outcomes: list[Outcome] = []

    def draw(self, stream: str, n: int) -> int:
        """One outcome in 0..n-1, each exactly as likely as the others."""
        counter = self.counters.get(stream, 0)
        self.counters[stream] = counter + 1
        usable = _SPAN - _SPAN % n
        attempt = 0
        number = usable
        # What lies past the last whole multiple of n is drawn again, so that no outcome is favoured.
        while number >= usable:
            place = f"{counter}/{attempt}/{stream}".encode()
            number = int.from_bytes(blake2b(place, key=self._key, digest_size=_WORD).digest(), "big")
            attempt += 1
        value = number % n
        self.outcomes.append((stream, n, value))
        return value

    def take(self) -> tuple[Outcome, ...]:
        """The draws since the last call, in order."""
        taken = tuple(self.outcomes)
        self.outcomes.clear()
        return taken


class RecordedChance:
    """Gives the outcomes of journal entry `number` again. Raises BadJournal where other draws are asked for."""

    __slots__ = ("_number", "_outcomes", "_place")

    def __init__(self, outcomes: Sequence[Outcome], number: int) -> None:
        self._outcomes = outcomes
        self._number = number
        self._place = 0

    def draw(self, stream: str, n: int) -> int:
        """The next recorded outcome, which must be of that stream and of that many."""
        if self._place >= len(self._outcomes):
            raise BadJournal("outcome_missing", self._number)
        drawn_from, count, value = self._outcomes[self._place]
        if (drawn_from, count) != (stream, n) or not 0 <= value < n:
            raise BadJournal("outcome_differs", self._number)
        self._place += 1
        return value

    def finish(self) -> None:
        """Raises BadJournal if an outcome was left over."""
        if self._place != len(self._outcomes):
            raise BadJournal("outcome_unused", self._number)


class RandomChance:
    """Outcomes of a `random.Random`, for simulation and for imagined states: fast, streams ignored, nothing kept."""

    __slots__ = ("_random",)

    def __init__(self, random: Random) -> None:
        self._random = random.random

    def draw(self, stream: str, n: int) -> int:
        """One outcome in 0..n-1."""
        return int(self._random() * n)


def pick_from(random: Random) -> Pick:
    """A fast source of whole numbers for sampling: good for any n far below 2**53."""
    draw = random.random
    return lambda n: int(draw() * n)
