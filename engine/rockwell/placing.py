"""Placing vice presidents: RW-VP."""

from collections.abc import Mapping
from typing import Any

from engine.contract import Decision, Part
from engine.errors import Illegal
from engine.rockwell.choices import PLACE, Place
from engine.rockwell.components import Tables
from engine.rockwell.events import Placed, StayedHome
from engine.rockwell.play import Play
from engine.rockwell.state import BOARDS, Insuring, Placing, State

PLACES = tuple(Decision(PLACE, (seat,)) for seat in range(4))
"""By seat."""


class PlaceSpace:
    """A free slot of a board where the seat has no vice president yet (RW-VP-1 to 3)."""

    __slots__ = ("boards", "seat", "slots", "tables")

    def __init__(self, tables: Tables, state: State, seat: int) -> None:
        self.tables = tables
        self.seat = seat
        self.slots = state.slots
        self.boards = [board for board in BOARDS if self._open(board)]

    def _open(self, board: int) -> bool:
        """Whether the seat may go to the board at all."""
        there = self.slots[board * 4 : board * 4 + len(self.tables.grants[board])]
        return self.seat not in there and -1 in there

    def _free(self, board: int) -> list[int]:
        first = board * 4
        return [slot for slot in range(len(self.tables.grants[board])) if self.slots[first + slot] < 0]

    def single(self) -> Place | None:
        """The only choice, where there is but one."""
        if len(self.boards) != 1:
            return None
        free = self._free(self.boards[0])
        return Place(self.boards[0], free[0]) if len(free) == 1 else None

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The board, then the slot."""
        if not chosen:
            return Part("board", self.boards)
        return Part("slot", self._free(chosen[0])) if len(chosen) == 1 else None

    def build(self, chosen: tuple[Any, ...]) -> Place:
        """The placing on that slot."""
        return Place(*chosen)

    def split(self, choice: object) -> tuple[int, int]:
        """Its board and slot."""
        if not isinstance(choice, Place):
            raise Illegal("wrong_kind", given=choice)
        return (choice.board, choice.slot)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Who is there, or that there is no such place."""
        if not chosen:
            if value not in BOARDS:
                return "no_such_board", {}
            if self.seat in self.slots[value * 4 : value * 4 + 4]:
                return "on_that_board", {"board": value}
            return "board_full", {"board": value}
        board = chosen[0]
        slots = len(self.tables.grants[board])
        if type(value) is not int or not 0 <= value < slots:
            return "no_such_slot", {"board": board, "slots": slots}
        return "slot_taken", {"board": board, "slot": value, "seat": self.slots[board * 4 + value]}


def pending(tables: Tables, state: State, step: Placing) -> Decision:
    """One company after the other, in management order."""
    return PLACES[state.management[step.index % tables.seats]]


def space(tables: Tables, state: State, seat: int) -> PlaceSpace:
    """The slots that a company may use."""
    return PlaceSpace(tables, state, seat)


def run(play: Play, step: Placing) -> bool:
    """Wait for a company that has a choice; place where there is but one slot (RW-VP-4)."""
    state, seats = play.state, play.tables.seats
    if step.index == 2 * seats:
        state.stack[-1] = Insuring()
        return False
    seat = state.management[step.index % seats]
    slots = PlaceSpace(play.tables, state, seat)
    if not slots.boards:
        play.tell(StayedHome(seat, step.index // seats + 1))
        state.stack[-1] = Placing(step.index + 1)
        return False
    only = slots.single()
    if only is None:
        return True
    answer(play, step, {seat: only})
    return False


def answer(play: Play, step: Placing, answers: Mapping[int, Place]) -> None:
    """A vice president takes its slot."""
    state = play.state
    for seat, place in answers.items():
        state.slots[place.board * 4 + place.slot] = seat
        play.tell(Placed(seat, step.index // play.tables.seats + 1, place.board, place.slot))
    state.stack[-1] = Placing(step.index + 1)
