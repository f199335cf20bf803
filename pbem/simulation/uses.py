"""What stand-ins make use of: each value of each part of a choice, told apart by what was on offer.

Nothing here knows a game. A part whose values are listed (a board, a slot, an action) is counted value by value, and
the second part together with the first as well; a part that is a range of numbers is an amount.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from engine.contract import Choice, Space

AMOUNT = "amount"


class Use(msgspec.Struct):
    """How often a value was on offer and taken; `won` is the share of the wins of those who took it, by each taking.

    For an amount, `taken` counts those above nothing and `total` adds them up.
    """

    offered: int = 0
    taken: int = 0
    won: float = 0.0
    total: int = 0

    def add(self, other: "Use") -> None:
        """Count another's too."""
        self.offered += other.offered
        self.taken += other.taken
        self.won += other.won
        self.total += other.total


Key = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The kind of decision, the part or the first two parts, and the value of each; `amount` for a range."""


Named = Callable[[str, Any], str]
"""What a part's value is called."""


class Uses:
    """The uses of one game. `taken` has, by seat, the keys that it took, each as often as it did."""

    def __init__(self, seats: int, named: Named) -> None:
        self.named = named
        self.uses: dict[Key, Use] = {}
        self.taken: list[list[Key]] = [[] for _ in range(seats)]

    def count(self, seat: int, kind: str, space: Space, choice: Choice) -> None:
        """Count one choice."""
        chosen = space.split(choice)
        first = ""
        for index, value in enumerate(chosen):
            part = space.part(chosen[:index])
            assert part is not None  # the choice is legal
            values = part.values
            if isinstance(values, range):
                self._amount(kind, part.name, value)
                continue
            names = [self.named(part.name, each) for each in values]
            taken = self.named(part.name, value)
            self._listed(seat, (kind, (part.name,)), [(name,) for name in names], (taken,))
            if index == 1 and first:
                before = self.named(first, chosen[0])
                pairs = [(before, name) for name in names]
                self._listed(seat, (kind, (first, part.name)), pairs, (before, taken))
            if index == 0:
                first = part.name

    def _listed(
        self, seat: int, place: tuple[str, tuple[str, ...]], names: Iterable[tuple[str, ...]], taken: tuple[str, ...]
    ) -> None:
        for name in names:
            self._use((*place, name)).offered += 1
        key = (*place, taken)
        self._use(key).taken += 1
        self.taken[seat].append(key)

    def _amount(self, kind: str, name: str, value: int) -> None:
        use = self._use((kind, (name,), (AMOUNT,)))
        use.offered += 1
        use.taken += value != 0
        use.total += value

    def _use(self, key: Key) -> Use:
        use = self.uses.get(key)
        if use is None:
            use = self.uses[key] = Use()
        return use

    def finish(self, wins: list[float]) -> Iterator[tuple[Key, Use]]:
        """All uses, once it is known what share of the win each seat has."""
        for seat, keys in enumerate(self.taken):
            if wins[seat]:
                for key in keys:
                    self.uses[key].won += wins[seat]
        yield from self.uses.items()


def plainly(part: str, value: Any) -> str:
    """What a value is called where the rules have no names for it."""
    return str(value).lower()
