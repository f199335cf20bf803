"""What changed most for one company, out of what it saw happen: the opening of its report.

Each kind of change is weighed in dollars: money as it is, cubes at market value, prestige and the rest by what
companies usually give for them.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.rockwell.components import Tables
from engine.rockwell.events import (
    BidsRevealed,
    Bribed,
    CentreReached,
    Claimed,
    DangerStruck,
    Delivered,
    Insured,
    LevelBought,
    MineshaftBuilt,
    MineshaftMoved,
    Moved,
    Raised,
    Shared,
    Started,
    Traded,
    Yielded,
)
from engine.rockwell.geometry import CENTRE, DEPTH
from engine.rockwell.state import KINDS
from engine.rockwell.view import RockwellView

TOLD = 3
PRESTIGE = 1500
CENTRE_CREW = 6000
STRATUM = 500
PLACE = 700
BRIBED_CREW = 1200
INSURANCE = 300


class Change(NamedTuple):
    """A kind of change, how much it weighs, and what is to be said of it. Codes and parameters:

    `began` (cubes, money), `centre` (crews), `claimed` (achievements, prestige), `delivered` (tiles, prestige), `booty`
    (tiles, cubes, lost), `yields` (cubes), `place` (before, now, counted from 1), `traded` (bought and sold: cubes;
    money gained), `built` (money spent; raised: pairs of crew and power; levels: pairs of what and level), `deeper`
    (crews and the spots where they stand now), `bribed` (pairs of crew and the company that took it, and the spots),
    `insured` (cubes).
    """

    code: str
    weight: int
    params: dict[str, Any]


def changes(tables: Tables, events: Iterable[Any], view: RockwellView, me: int) -> list[Change]:
    """The three changes that weigh most for a seat, the weightiest first; fewer where less happened."""
    book = _Book(tables, me)
    for event in events:
        enter = _ENTRIES.get(type(event))
        if enter is not None:
            enter(book, event)
    found = [change for change in book.changes(view) if change.weight > 0]
    return sorted(found, key=lambda change: -change.weight)[:TOLD]


class _Book:
    """What happened to one company, added up."""

    def __init__(self, tables: Tables, me: int) -> None:
        self.tables = tables
        self.me = me
        self.began = False
        self.centre = 0
        self.claimed: list[int] = []
        self.claimed_prestige = 0
        self.delivered = 0
        self.delivered_prestige = 0
        self.tiles: list[int] = []
        self.booty = [0, 0, 0, 0]
        self.lost = [0, 0, 0, 0]
        self.yields = [0, 0, 0, 0]
        self.places: list[int] = []
        self.bought = [0, 0, 0, 0]
        self.sold = [0, 0, 0, 0]
        self.gained = 0
        self.spent = 0
        self.raised: dict[int, int] = {}
        self.levels: list[tuple[str, int]] = []
        self.origins: dict[int, int] = {}
        self.bribed: list[tuple[int, int, int]] = []
        self.insured = [0, 0, 0, 0]

    def changes(self, view: RockwellView) -> list[Change]:
        """All kinds of change, those that did not happen with a weight of 0."""
        worth, first = self._worth, self.me * 4
        deeper = {
            crew: view.at[first + crew]
            for crew, origin in self.origins.items()
            if DEPTH[origin] < DEPTH[view.at[first + crew]] < DEPTH[CENTRE]
        }
        descent = sum(DEPTH[spot] - DEPTH[self.origins[crew]] for crew, spot in deeper.items())
        moved = abs(self.places[0] - self.places[-1]) if self.places else 0
        own = view.companies[self.me]
        start = {"cubes": tuple(own.account.seen), "money": own.money}
        return [
            Change("began", 1 if self.began else 0, start),
            Change("centre", self.centre * CENTRE_CREW, {"crews": self.centre}),
            Change(
                "claimed",
                self.claimed_prestige * PRESTIGE,
                {"achievements": tuple(self.claimed), "prestige": self.claimed_prestige},
            ),
            Change(
                "delivered",
                self.delivered_prestige * PRESTIGE,
                {"tiles": self.delivered, "prestige": self.delivered_prestige},
            ),
            Change(
                "booty",
                worth(self.booty),
                {"tiles": tuple(self.tiles), "cubes": tuple(self.booty), "lost": tuple(self.lost)},
            ),
            Change("yields", worth(self.yields), {"cubes": tuple(self.yields)}),
            Change(
                "place",
                moved * PLACE,
                {"before": self.places[0], "now": self.places[-1]} if self.places else {},
            ),
            Change(
                "traded",
                max(worth(self.bought), worth(self.sold)),
                {"bought": tuple(self.bought), "sold": tuple(self.sold), "money": self.gained},
            ),
            Change(
                "built",
                self.spent,
                {"money": self.spent, "raised": tuple(self.raised.items()), "levels": tuple(self.levels)},
            ),
            Change("deeper", descent * STRATUM, {"crews": tuple(deeper.items())}),
            Change("bribed", len(self.bribed) * BRIBED_CREW, {"crews": tuple(self.bribed)}),
            Change("insured", sum(self.insured) * INSURANCE, {"cubes": tuple(self.insured)}),
        ]

    def _worth(self, cubes: list[int]) -> int:
        return sum(count * price for count, price in zip(cubes, self.tables.market, strict=True))

    def started(self, event: Started) -> None:
        self.began = True

    def bids(self, event: BidsRevealed) -> None:
        self.places += [event.before.index(self.me) + 1, event.order.index(self.me) + 1]

    def moved(self, event: Moved) -> None:
        if event.seat == self.me:
            self.origins.setdefault(event.crew, event.origin)

    def bribe(self, event: Bribed) -> None:
        if event.owner == self.me:
            self.origins.setdefault(event.target, event.origin)
            self.bribed.append((event.target, event.seat, event.to))

    def centre_reached(self, event: CentreReached) -> None:
        self.centre += event.seat == self.me

    def shared(self, event: Shared) -> None:
        for share in event.shares:
            if share.seat == self.me:
                self._booty(event.tile, share.cubes)
        if event.priority == self.me:
            self._booty(event.tile, event.rest)

    def _booty(self, tile: int, cubes: tuple[int, ...]) -> None:
        if any(cubes):
            _add(self.booty, cubes)
            if tile not in self.tiles:
                self.tiles.append(tile)

    def struck(self, event: DangerStruck) -> None:
        if event.seat == self.me:
            _add(self.lost, event.lost)

    def yielded(self, event: Yielded) -> None:
        if event.seat == self.me:
            _add(self.yields, event.cubes)

    def traded(self, event: Traded) -> None:
        if event.seat == self.me:
            (self.bought if event.amount > 0 else self.sold)[event.kind] += abs(event.amount)
            self.gained += -event.money if event.amount > 0 else event.money

    def raise_(self, event: Raised) -> None:
        if event.seat == self.me:
            self.raised[event.crew] = event.power
            self.spent += event.price

    def level(self, event: LevelBought) -> None:
        if event.seat == self.me:
            self.levels.append((event.what, event.level))
            self.spent += event.price

    def mineshaft(self, event: MineshaftBuilt) -> None:
        if event.seat == self.me:
            self.levels.append(("mineshaft", event.level))
            self.spent += event.price

    def mineshaft_moved(self, event: MineshaftMoved) -> None:
        if event.seat == self.me:
            self.spent += event.price

    def deliver(self, event: Delivered) -> None:
        if event.seat == self.me:
            self.delivered += 1
            self.delivered_prestige += event.prestige

    def claim(self, event: Claimed) -> None:
        if event.seat == self.me:
            self.claimed.append(event.achievement)
            self.claimed_prestige += event.prestige

    def insure(self, event: Insured) -> None:
        if event.seat == self.me:
            _add(self.insured, event.cubes)


def _add(to: list[int], cubes: Iterable[int]) -> None:
    for kind, count in zip(KINDS, cubes, strict=True):
        to[kind] += count


_ENTRIES: dict[type, Any] = {
    Started: _Book.started,
    BidsRevealed: _Book.bids,
    Moved: _Book.moved,
    Bribed: _Book.bribe,
    CentreReached: _Book.centre_reached,
    Shared: _Book.shared,
    DangerStruck: _Book.struck,
    Yielded: _Book.yielded,
    Traded: _Book.traded,
    Raised: _Book.raise_,
    LevelBought: _Book.level,
    MineshaftBuilt: _Book.mineshaft,
    MineshaftMoved: _Book.mineshaft_moved,
    Delivered: _Book.deliver,
    Claimed: _Book.claim,
    Insured: _Book.insure,
}
