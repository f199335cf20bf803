"""Positions of Brass Empire for tests, set up in a few words.

position = Position().hand(0, "clerk", "manager").resources(3, 2).piece(1, "chroniker")
position.do(position.play("clerk"))
position.told(Played)

A game starts in the first turn of seat 0, with nothing in hands, decks, rows and reserves before a test says so; cards
are named by their ids.
"""

import tomllib
from typing import Any, TypeVar

from engine import spaces
from engine.brass_empire.cards import BUILT_IN
from engine.brass_empire.choices import (
    FROM_RESERVE,
    Act,
    Attack,
    Buy,
    Corporation,
    Demolish,
    End,
    Mine,
    Play,
    PlayAll,
    Use,
)
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import EMPTY, Company, Founding, Piece, State
from engine.contract import Choice, Event, Setup
from engine.errors import Illegal

T = TypeVar("T")
PLATFORM = "mining_platform"


def with_effects(card: str, *effects: dict[str, Any], **figures: int) -> dict[str, Any]:
    """The card file, under another name, with these effects, if any, and these figures on one card."""
    file = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))
    file["set"]["name"] = "Ours"
    (changed,) = [each for each in file["card"] if each["id"] == card]
    if effects:
        changed["effects"] = list(effects)
    changed |= figures
    return file


class Script:
    """Chance that gives what a test lays ready for a stream, in turn, and the first outcome where it says nothing.

    `drawn` lists what was asked of it.
    """

    def __init__(self) -> None:
        self.ready: dict[str, list[int]] = {}
        self.drawn: list[tuple[str, int]] = []

    def draw(self, stream: str, n: int) -> int:
        """The next outcome laid ready."""
        assert n >= 1
        self.drawn.append((stream, n))
        ready = self.ready.get(stream)
        return ready.pop(0) if ready else 0


class Position:
    """A game that a test puts into place; every method that sets something returns the position itself."""

    def __init__(self, seats: int = 2, components: dict[str, Any] | None = None, **options: Any) -> None:
        self.rules = BrassEmpireRules(Setup(seats, options, components))
        self.tables = self.rules.tables
        self.number = {card.id: place for place, card in enumerate(self.tables.cards)}
        self.chance = Script()
        self.events: list[Event] = []
        self.state: State = self.rules.start(self.chance, self.events)
        for _ in range(20):
            if not isinstance(self.state.stack[0] if self.state.stack else None, Founding):
                break
            self.do(Corporation(-1))
        self.opening = list(self.events)
        self.opened = self.state.copy()
        self.clear()

    def clear(self) -> None:
        """Nothing in hands, decks, rows and reserves."""
        for company in self.state.companies:
            company.hand, company.deck, company.discard, company.reserve = [], [], [], []
        self.state.rows = [[EMPTY] * 6, [EMPTY] * 6]
        self.state.decks = [[], []]

    def card(self, name: str) -> int:
        """The number of a card."""
        return self.number[name]

    def cards(self, *names: str) -> list[int]:
        """The numbers of cards."""
        return [self.number[name] for name in names]

    def names(self, cards: Any) -> list[str]:
        """The ids of cards."""
        return [self.tables.cards[card].id if card >= 0 else "" for card in cards]

    def company(self, seat: int) -> Company:
        """A company of the state."""
        return self.state.companies[seat]

    def hand(self, seat: int, *names: str) -> "Position":
        """Put cards into a hand."""
        self.company(seat).hand = sorted(self.cards(*names))
        return self

    def deck(self, seat: int, *names: str) -> "Position":
        """Make a deck of these."""
        self.company(seat).deck = sorted(self.cards(*names))
        return self

    def discard(self, seat: int, *names: str) -> "Position":
        """Make a discard pile of these."""
        self.company(seat).discard = self.cards(*names)
        return self

    def reserve(self, seat: int, *names: str) -> "Position":
        """Put cards on offer to one company."""
        self.company(seat).reserve = self.cards(*names)
        return self

    def row(self, row: int, *names: str, deck: tuple[str, ...] = ()) -> "Position":
        """Put cards at the beginning of a row, and others into its deck."""
        self.state.rows[row] = (self.cards(*names) + [EMPTY] * 6)[:6]
        self.state.decks[row] = sorted(self.cards(*deck))
        return self

    def piece(self, side: int, name: str, damage: int = 0, down: bool = False, fresh: bool = False) -> int:
        """Put a card into play; its id."""
        id_ = self.state.next_id
        self.state.next_id += 1
        self.company(side).pieces.append(Piece(id_, self.card(name), damage, down, fresh))
        return id_

    def resources(self, labor: int = 0, construction: int = 0) -> "Position":
        """What may be spent."""
        self.state.labor, self.state.construction = labor, construction
        return self

    def brass(self, *held: int) -> "Position":
        """The tokens of the sides, out of the pool."""
        for company, brass in zip(self.state.companies, held, strict=True):
            company.brass = brass
        if not self.tables.battle:
            self.state.pool = self.tables.size - sum(held)
        return self

    def asked(self) -> tuple[str, tuple[int, ...]]:
        """The kind of the pending decision and its seats."""
        decision = self.rules.pending(self.state)
        return (decision.kind, decision.seats) if decision else ("", ())

    def do(self, *choices: Choice) -> "Position":
        """Answer the pending decision with one legal choice for each of its seats, in seat order."""
        _, seats = self.asked()
        answers = dict(zip(seats, choices, strict=True))
        for seat, choice in answers.items():
            spaces.check(self.rules.space(self.state, seat), choice)
        self.events = []
        self.rules.apply(self.state, answers, self.chance, self.events)
        return self

    def play(self, *names: str, wishes: tuple[Any, ...] = ()) -> "Position":
        """Play cards of the hand."""
        return self.do(Play(tuple(self.cards(*names)), wishes))

    def play_all(self) -> "Position":
        """Play the whole hand."""
        return self.do(PlayAll())

    def buy(self, name: str, source: int = 0, mate: bool = False) -> "Position":
        """Buy a card of a row."""
        return self.do(Buy(self.card(name), source, mate))

    def buy_reserve(self, name: str) -> "Position":
        """Buy a card of the reserve."""
        return self.buy(name, FROM_RESERVE)

    def use(self, id_: int, *wishes: Any) -> "Position":
        """Use a building."""
        return self.do(Use(id_, wishes))

    def demolish(self, id_: int, *wishes: Any) -> "Position":
        """Demolish a building."""
        return self.do(Demolish(id_, wishes))

    def attack(self, unit: int, target: int, *wishes: Any) -> "Position":
        """Attack a target."""
        return self.do(Attack(unit, target, wishes))

    def mine(self, *units: int) -> "Position":
        """Mine with units."""
        return self.do(Mine(units))

    def act(self, unit: int, *wishes: Any) -> "Position":
        """A unit's own action."""
        return self.do(Act(unit, wishes))

    def end(self) -> "Position":
        """End the turn."""
        return self.do(End())

    def told(self, kind: type[T]) -> list[T]:
        """The data of the last answer's events of a kind."""
        return [event.data for event in self.events if isinstance(event.data, kind)]

    def why_not(self, choice: Choice, seat: int | None = None) -> str:
        """The code of the refusal of a choice by the seat that is asked; empty for a legal one."""
        _, seats = self.asked()
        try:
            spaces.check(self.rules.space(self.state, seats[0] if seat is None else seat), choice)
        except Illegal as illegal:
            return illegal.code
        return ""

    def offered(self, name: str, *chosen: Any) -> list[Any]:
        """The values of the part that follows the parts chosen, which must be of that name; none for no such part."""
        _, seats = self.asked()
        part = self.rules.space(self.state, seats[0]).part(chosen)
        if part is None or part.name != name:
            return []
        return list(part.values)

    def acts(self) -> list[str]:
        """What may be done in the turn."""
        return self.offered("act")

    def in_play(self, side: int) -> list[str]:
        """The cards of a side in play, but the platform."""
        return self.names(piece.card for piece in self.company(side).pieces)
