"""Choices that are an amount of each kind of cube, with money before them or without: bids and insurance."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.contract import Part
from engine.errors import Illegal
from engine.rockwell.choices import Bid, Insure
from engine.rockwell.components import Tables
from engine.rockwell.state import KIND_NAMES, Cubes, State


def _refusal(kind: int, value: Any, held: Sequence[int]) -> tuple[str, Mapping[str, object]]:
    if type(value) is not int or value < 0:
        return "not_a_number", {}
    return "too_many_cubes", {"kind": kind, "most": held[kind]}


class InsureSpace:
    """Any number of the seat's cubes (RW-INS-1)."""

    __slots__ = ("held", "tables")

    def __init__(self, tables: Tables, state: State, seat: int) -> None:
        self.tables = tables
        self.held = state.companies[seat].cubes

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """Zinc, copper, silver, gold."""
        kind = len(chosen)
        return None if kind == 4 else Part(KIND_NAMES[kind], range(self.held[kind] + 1))

    def build(self, chosen: tuple[Any, ...]) -> Insure:
        """The insurance of these cubes."""
        return Insure(chosen)

    def split(self, choice: object) -> Cubes:
        """Its cubes."""
        if not isinstance(choice, Insure):
            raise Illegal("wrong_kind", given=choice)
        return choice.cubes

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """More than it has."""
        return _refusal(len(chosen), value, self.held)


class BidSpace:
    """Any part of the seat's money, in hundreds (RW-AUC-8), and of its cubes (RW-AUC-1)."""

    __slots__ = ("held", "money", "tables")

    def __init__(self, tables: Tables, state: State, seat: int) -> None:
        self.tables = tables
        company = state.companies[seat]
        self.held = company.cubes
        self.money = company.money

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """Money, then zinc, copper, silver, gold."""
        if not chosen:
            return Part("money", range(0, self.money + 1, 100))
        kind = len(chosen) - 1
        return None if kind == 4 else Part(KIND_NAMES[kind], range(self.held[kind] + 1))

    def build(self, chosen: tuple[Any, ...]) -> Bid:
        """The bid of this money and these cubes."""
        return Bid(chosen[0], chosen[1:])

    def split(self, choice: object) -> tuple[int, ...]:
        """Its money and its cubes."""
        if not isinstance(choice, Bid):
            raise Illegal("wrong_kind", given=choice)
        return (choice.money, *choice.cubes)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """More than it has, or no whole hundreds."""
        if chosen:
            return _refusal(len(chosen) - 1, value, self.held)
        if type(value) is not int or value < 0:
            return "not_a_number", {}
        if value > self.money:
            return "too_much_money", {"most": self.money}
        return "hundreds", {}
