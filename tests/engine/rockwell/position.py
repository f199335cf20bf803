"""Positions of Rockwell for tests, set up in a few words.

position = Position().tile("B3", power=5).card((0, 3, 5, 4)).crew(0, 0, "A3", power=4).drilling(0, 1, 2, 3)
position.drill(Drill(0, tile("B3")))
position.told(Extracted)
"""

from typing import Any, TypeVar

from msgspec.structs import replace

from engine import spaces
from engine.contract import Choice, Event, Setup
from engine.errors import Illegal
from engine.rockwell.components import Back, Card
from engine.rockwell.geometry import BORDER, CENTRE, ENTRANCES, TILE_NAMED, border
from engine.rockwell.rules import RockwellRules
from engine.rockwell.state import Company, Cubes, Drilling, State, Step

NEVER = 99
"""The power that all tiles require of which a test says nothing."""
SLOTS = ((1, 1, 1, 1), (4, 3, 2, 2), (4, 3, 3, 2))
"""What slots grant in tests among four, whatever the reconstructed set says."""
T = TypeVar("T")


def tile(name: str) -> int:
    """The number of a tile."""
    return TILE_NAMED[name]


def spot(name: str | int) -> int:
    """The number of `B3`, `B3/B4` (their border), `entrance 1`, `centre`."""
    if isinstance(name, int):
        return name
    if name == "centre":
        return CENTRE
    if name.startswith("entrance "):
        return ENTRANCES[int(name.removeprefix("entrance ")) - 1]
    if "/" in name:
        between = border(*(tile(part) for part in name.split("/")))
        assert between is not None
        return between
    return tile(name)


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
    """A game that a test puts into place; every method that sets something returns the position itself.

    It starts at the first auction, no tile can be extracted before `tile` says so, and all cards are nothing.
    """

    def __init__(self, seats: int = 4, components: dict[str, Any] | None = None, **options: Any) -> None:
        self.rules = RockwellRules(Setup(seats, options, components))
        self.chance = Script()
        self.events: list[Event] = []
        self.state: State = self.rules.start(self.chance, self.events)
        self.state.management = list(range(seats))
        self.state.control = list(range(seats))
        self.state.required = [NEVER] * 32
        backs = tuple((Back(NEVER, 1, (0, 0, 0, 0)),) * 8 for _ in range(4))
        grants = SLOTS if seats == 4 and components is None else self.rules.tables.grants
        self.rules.tables = replace(self.rules.tables, backs=backs, grants=grants)
        self.card((0, 0, 0, 0))

    def company(self, seat: int) -> Company:
        """A company of the state."""
        return self.state.companies[seat]

    def crew(self, seat: int, crew: int, at: str | int, power: int = 1, die: int = 0) -> "Position":
        """Put crew 0..3 somewhere; its die comes off Board I."""
        number = seat * 4 + crew
        self.state.dice += (self.state.die[number] > 0) - (die > 0)
        self.state.at[number] = spot(at)
        self.state.power[number] = power
        self.state.die[number] = die
        return self

    def tile(self, name: str, power: int, pile: int = 1, yields: Cubes = (0, 0, 0, 0)) -> "Position":
        """Say what a tile requires and what is on its back."""
        number = tile(name)
        self.state.required[number] = power
        backs = [list(stratum) for stratum in self.rules.tables.backs]
        backs[number // 8][number % 8] = Back(power, pile, yields)
        self.rules.tables = replace(self.rules.tables, backs=tuple(tuple(stratum) for stratum in backs))
        return self

    def reveal(self, name: str) -> "Position":
        """Turn a tile over, as if it had been extracted before."""
        self.state.back[tile(name)] = tile(name) % 8
        return self

    def card(self, cubes: Cubes, danger: bool = False) -> "Position":
        """Make every extraction card this one."""
        self.rules.tables = replace(self.rules.tables, cards=((Card(cubes, danger),) * 6,) * 8)
        return self

    def slot(self, board: int, slot: int, seat: int) -> "Position":
        """Put a vice president on slot 0.. of board 0..2."""
        self.state.slots[board * 4 + slot] = seat
        return self

    def mineshaft(self, name: str, seat: int) -> "Position":
        """Put a mineshaft on a tile."""
        self.state.mineshaft[tile(name)] = seat
        return self

    def stock(
        self, seat: int, cubes: Cubes | None = None, money: int | None = None, insurance: int | None = None
    ) -> "Position":
        """Give a company cubes, money, and insurance that once was zinc. With cubes or insurance, it may have insured
        any of them, for all that everyone knows."""
        company = self.company(seat)
        company.money = company.money if money is None else money
        if cubes is None and insurance is None:
            return self
        account = company.account
        insured = company.insurance if insurance is None else insurance
        company.cubes = list(company.cubes if cubes is None else cubes)
        company.insurance = insured
        account.seen = [company.cubes[0] + insured + account.spent, *company.cubes[1:]]
        account.high = account.seen[:]
        account.low = [0, 0, 0, 0]
        return self

    def levels(self, seat: int, safety: int = 0, mineshaft: int = 0, mobility: int = 0) -> "Position":
        """Give a company levels."""
        company = self.company(seat)
        company.safety, company.mineshaft, company.mobility = safety, mineshaft, mobility
        return self

    def step(self, *steps: Step) -> "Position":
        """Say what is being done, innermost last."""
        self.state.stack[:] = steps
        return self

    def drilling(self, *order: int, round_: int = 1) -> "Position":
        """Begin a drilling round in that control order."""
        self.state.control = list(order) + [seat for seat in self.state.control if seat not in order]
        return self.step(Drilling(round_, 0))

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

    @property
    def borders(self) -> list[int]:
        """The borders where crews straddle."""
        return sorted(at for at in self.state.at if at >= BORDER)
