"""What a company may do in a drilling round, part by part: the crew, its one or two moves, its die, hire or bribe."""

from collections.abc import Mapping
from typing import Any

from engine.contract import Part
from engine.errors import Illegal
from engine.rockwell import moves, subcontracting
from engine.rockwell.choices import NOT_SAID, Drill
from engine.rockwell.components import Tables
from engine.rockwell.drillrefusals import move_refusal, refusal
from engine.rockwell.geometry import CENTRE, SPOTS, STEPS
from engine.rockwell.plan import Plan
from engine.rockwell.state import State

CREWS = Part("crew", (0, 1, 2, 3))
NOTHING = {"second": NOT_SAID, "die": NOT_SAID, "hire": 0, "anyway": False, "bribe": NOT_SAID, "onto": NOT_SAID}
"""What the parts of a drill choice say where they are not asked."""
TO = tuple(tuple(Part("to", (spot, *reach[spot])) for spot in range(SPOTS)) for reach in (STEPS, moves.JUMPS))
"""The first move from a spot, by mobility 0 or 1: staying first."""


class DrillSpace:
    """A part that could have but one value is not asked; `second` only of mobility 3, `onto` only of a straddler."""

    __slots__ = ("first", "mobility", "right", "seat", "state", "tables")

    def __init__(self, tables: Tables, state: State, seat: int) -> None:
        self.tables = tables
        self.state = state
        self.seat = seat
        self.first = seat * 4
        self.mobility = state.companies[seat].mobility
        self.right = subcontracting.right(tables, state, seat)

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """crew, to, second, die, hire, anyway, bribe, onto: those that matter."""
        if not chosen:
            crews = self.state.at[self.first : self.first + 4]
            if CENTRE not in crews:
                return CREWS
            return Part("crew", [crew for crew, spot in enumerate(crews) if spot != CENTRE])
        if len(chosen) == 1:
            return self._to(chosen[0])
        if self.mobility < 3 and not self.right and not self.state.die[self.first + chosen[0]]:
            return None
        return self.plan(chosen).part

    def build(self, chosen: tuple[Any, ...]) -> Drill:
        """The act that the parts make."""
        if len(chosen) == 2:
            return Drill(*chosen)
        return Drill(**dict(zip(self.plan(chosen).names, chosen, strict=True)))

    def split(self, choice: object) -> tuple[Any, ...]:
        """Its parts. Raises Illegal also for a part that the parts before it leave no room for."""
        if not isinstance(choice, Drill):
            raise Illegal("wrong_kind", given=choice)
        chosen: tuple[Any, ...] = ()
        asked = set()
        while (part := self.part(chosen)) is not None:
            value = getattr(choice, part.name)
            asked.add(part.name)
            chosen = (*chosen, value)
            if value not in part.values:
                return chosen
        for name, nothing in NOTHING.items():
            given = getattr(choice, name)
            if name not in asked and given != nothing:
                code, params = refusal(self.plan(chosen), name, given)
                raise Illegal(code, params, part=name, given=given, nearest=(nothing,))
        return chosen

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """The rule that stands against it."""
        if type(value) not in (int, bool):
            return "not_a_number", {}
        if not chosen:
            return ("crew_at_centre", {}) if value in range(4) else ("no_such_crew", {})
        if len(chosen) == 1:
            number = self.first + chosen[0]
            return move_refusal(self.tables, self.state, number, self.state.at[number], value)
        plan = self.plan(chosen)
        assert plan.part is not None
        return refusal(plan, plan.part.name, value)

    def _to(self, crew: int) -> Part:
        spot = self.state.at[self.first + crew]
        if self.mobility < 2 or spot >= CENTRE:
            return TO[self.mobility > 0][spot]
        return Part("to", (spot, *moves.onward(self.tables, self.state, self.first + crew, spot)))

    def plan(self, chosen: tuple[Any, ...]) -> Plan:
        """Where the parts chosen so far, crew and `to` at least, leave the crew, and what is asked next."""
        return Plan(self.tables, self.state, self.seat, self.right, chosen)
