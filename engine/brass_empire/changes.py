"""What changed most for one company, out of what it saw happen: the opening of its report.

Each kind of change is weighed in brass: tokens as they are, a card by what it cost and what it is worth.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from engine.brass_empire.events import (
    Acquired,
    Attacked,
    AttackedCompany,
    Bought,
    BrassTaken,
    Built,
    Converted,
    Demolished,
    Destroyed,
    Discarded,
    Mined,
    PoolEmpty,
    Stole,
    Struck,
    WentOut,
)
from engine.brass_empire.tables import Tables

TOLD = 2
WENT_OUT = 2000
LAST_ROUND = 1000
PLATFORM = 6
DISCARDED_CARD = 2


class Change(NamedTuple):
    """A kind of change, how much it weighs, and what is to be said of it. Codes and parameters:

    `out` (), `last` (): the pool was emptied, `lost` (cards that others destroyed), `robbed` (brass), `hurt` (health
    lost to attacks), `gained` (brass, in battle health), `destroyed` (cards of others), `discarded` (cards), `built`
    (cards), `got` (cards bought or had free).
    """

    code: str
    weight: int
    params: dict[str, Any]


def changes(tables: Tables, events: Iterable[Any], me: int) -> list[Change]:
    """The two changes that weigh most for a seat, the weightiest first; fewer where less happened."""
    book = _Book(tables, me)
    for event in events:
        enter = _ENTRIES.get(type(event))
        if enter is not None:
            enter(book, event)
    found = [change for change in book.changes() if change.weight > 0]
    return sorted(found, key=lambda change: -change.weight)[:TOLD]


class _Book:
    """What happened to one company, added up. `fighters` dealt the last damage that there was."""

    def __init__(self, tables: Tables, me: int) -> None:
        self.tables = tables
        self.me = me
        self.is_out = False
        self.is_last = False
        self.demolishing = False
        self.fighters: tuple[int, ...] = ()
        self.robbed = 0
        self.hurt = 0
        self.gained = 0
        self.lost: list[int] = []
        self.destroyed: list[int] = []
        self.discarded: list[int] = []
        self.built: list[int] = []
        self.got: list[int] = []

    def changes(self) -> list[Change]:
        """All kinds of change, those that did not happen with a weight of 0."""
        price = self._price
        return [
            Change("out", WENT_OUT * self.is_out, {}),
            Change("last", LAST_ROUND * self.is_last, {}),
            Change("lost", 2 * price(self.lost), {"cards": tuple(self.lost)}),
            Change("robbed", 4 * self.robbed, {"brass": self.robbed}),
            Change("hurt", 4 * self.hurt, {"health": self.hurt}),
            Change("gained", 3 * self.gained, {"brass": self.gained}),
            Change("destroyed", 2 * price(self.destroyed), {"cards": tuple(self.destroyed)}),
            Change("discarded", DISCARDED_CARD * len(self.discarded), {"cards": tuple(self.discarded)}),
            Change("built", price(self.built), {"cards": tuple(self.built)}),
            Change("got", price(self.got), {"cards": tuple(self.got)}),
        ]

    def _price(self, cards: list[int]) -> int:
        tables = self.tables
        return sum(
            PLATFORM
            if card == tables.platform
            else 1 + tables.labor[card] + tables.construction[card] + tables.brass[card]
            for card in cards
        )

    def attacked(self, event: Attacked) -> None:
        self.fighters = event.seat, event.victim

    def struck(self, event: Struck) -> None:
        self.fighters = (event.seat,)

    def demolished(self, event: Demolished) -> None:
        self.demolishing = True

    def is_destroyed(self, event: Destroyed) -> None:
        """By its owner who demolishes it, or by those who fought or struck last."""
        if self.demolishing:
            self.demolishing = False
        elif event.seat == self.me:
            self.lost.append(event.card)
        elif self.me in self.fighters:
            self.destroyed.append(event.card)

    def company_attacked(self, event: AttackedCompany) -> None:
        if event.victim == self.me:
            self.hurt += event.dealt

    def stole(self, event: Stole) -> None:
        if event.victim == self.me:
            self.robbed += event.brass
        elif event.seat == self.me:
            self.gained += event.brass

    def came(self, event: Mined | Converted | BrassTaken) -> None:
        if event.seat == self.me:
            self.gained += event.brass

    def is_discarded(self, event: Discarded) -> None:
        if event.seat == self.me:
            self.discarded += event.cards

    def is_built(self, event: Built) -> None:
        if event.seat == self.me:
            self.built += event.cards

    def came_free_or_bought(self, event: Bought | Acquired) -> None:
        if event.to == self.me:
            self.got.append(event.card)

    def pool_emptied(self, event: PoolEmpty) -> None:
        self.is_last = True

    def went_out(self, event: WentOut) -> None:
        self.is_out |= event.seat == self.me


_ENTRIES: dict[type, Callable[[_Book, Any], None]] = {
    Attacked: _Book.attacked,
    Struck: _Book.struck,
    Demolished: _Book.demolished,
    Destroyed: _Book.is_destroyed,
    AttackedCompany: _Book.company_attacked,
    Stole: _Book.stole,
    Mined: _Book.came,
    Converted: _Book.came,
    BrassTaken: _Book.came,
    Discarded: _Book.is_discarded,
    Built: _Book.is_built,
    Bought: _Book.came_free_or_bought,
    Acquired: _Book.came_free_or_bought,
    PoolEmpty: _Book.pool_emptied,
    WentOut: _Book.went_out,
}
