"""Where the parts of a drill choice chosen so far leave a crew, and what is asked next."""

from collections.abc import Sequence
from typing import Any

from engine.contract import Part
from engine.rockwell import bribery, moves, subcontracting
from engine.rockwell.choices import LEFT, NOT_SAID
from engine.rockwell.components import Tables
from engine.rockwell.geometry import CAP, CENTRE, ON
from engine.rockwell.state import State


class Plan:
    """Reads the parts in their order. `final` is the spot where the crew ends, `die` and `money` what it then has.

    `part` is the next one; `names` are those of the parts chosen.
    """

    __slots__ = (
        "chosen",
        "dice",
        "die",
        "final",
        "money",
        "moved",
        "names",
        "number",
        "part",
        "right",
        "seat",
        "state",
        "tables",
    )

    def __init__(self, tables: Tables, state: State, seat: int, right: str, chosen: tuple[Any, ...]) -> None:
        self.tables = tables
        self.state = state
        self.seat = seat
        self.right = right
        self.chosen = chosen
        self.number = seat * 4 + chosen[0]
        self.final = chosen[1]
        self.moved = self.final != state.at[self.number]
        self.die = state.die[self.number]
        self.dice = state.dice
        self.money = state.companies[seat].money
        self.names = ["crew", "to"]
        self.part = self._second() or self._die() or self._extra()

    def _take(self, name: str, values: Sequence[Any]) -> Part | None:
        """The part, unless it is chosen already; then its value is `taken()`."""
        place = len(self.names)
        if place == len(self.chosen):
            return Part(name, values)
        self.names.append(name)
        return None

    def taken(self) -> Any:
        """The value of the part named last."""
        return self.chosen[len(self.names) - 1]

    def _second(self) -> Part | None:
        """The second move of mobility 3."""
        if self.state.companies[self.seat].mobility < 3 or not self.moved or self.final == CENTRE:
            return None
        part = self._take("second", (NOT_SAID, *moves.onward(self.tables, self.state, self.number, self.final)))
        if part is None and self.taken() != NOT_SAID:
            self.final = self.taken()
        return part

    def _die(self) -> Part | None:
        """Whether its die is left or goes along, and at which power."""
        if not self.die or not self.moved:
            return None
        if self.final == CENTRE:
            self.die = 0
            return None
        part = self._take("die", (LEFT, *subcontracting.payable(self.tables, self.final, self.money)))
        if part is None:
            self.die = self.taken()
            self.money -= self.tables.fees[self.die]
            self.dice += self.die == LEFT
        return part

    def _extra(self) -> Part | None:
        """A hire or a bribe at the end of the move, with the right slot."""
        if not CAP[self.final]:
            return None
        if self.right == subcontracting.SUBCONTRACTING:
            return self._hire()
        if self.right == subcontracting.BRIBERY and self.state.bribery:
            return self._bribe()
        return None

    def _hire(self) -> Part | None:
        if self.die or not self.dice:
            return None
        powers = subcontracting.payable(self.tables, self.final, self.money)
        if not powers:
            return None
        part = self._take("hire", (0, *powers))
        if part is None and self.taken():
            part = self._take("anyway", (False, True))
        return part

    def _bribe(self) -> Part | None:
        tiles = ON[self.final]
        reach = [bribery.targets(self.tables, self.state, self.seat, tile, self.money) for tile in tiles]
        crews = reach[0] if len(reach) == 1 else sorted({*reach[0], *reach[1]})
        if not crews:
            return None
        part = self._take("bribe", (NOT_SAID, *crews))
        if part is None and len(tiles) == 2 and self.taken() != NOT_SAID:
            target = self.taken()
            part = self._take("onto", [tile for tile, there in zip(tiles, reach, strict=True) if target in there])
        return part
