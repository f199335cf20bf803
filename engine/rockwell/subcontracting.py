"""Subcontractors: RW-SUB."""

from engine.rockwell.choices import LEFT, Drill
from engine.rockwell.components import Tables
from engine.rockwell.events import DieLeft, DieTaken, Hired, Lapsed
from engine.rockwell.geometry import CAP, CENTRE
from engine.rockwell.play import Play
from engine.rockwell.state import State
from engine.rockwell.view import RockwellView

BRIBERY = "bribery"
SUBCONTRACTING = "subcontracting"


def right(tables: Tables, state: State | RockwellView, seat: int) -> str:
    """What the company's slot of Board I allows: BRIBERY, SUBCONTRACTING, or nothing without one there."""
    for slot, allows in enumerate(tables.rights):
        if state.slots[slot] == seat:
            return allows
    return ""


def payable(tables: Tables, spot: int, money: int) -> list[int]:
    """The powers of a subcontractor that the stratum and the money allow (RW-SUB-1, RW-SUB-2)."""
    fees = tables.fees
    return [power for power in range(1, CAP[spot] + 1) if fees[power] <= money]


def set_out(play: Play, number: int, choice: Drill) -> None:
    """The die of a crew about to move is left, or paid and taken along (RW-SUB-4, RW-SUB-11, RW-SUB-13)."""
    state = play.state
    before = state.die[number]
    seat, crew = divmod(number, 4)
    if CENTRE in (choice.to, choice.second) or choice.die == LEFT:
        state.die[number] = 0
        state.dice += 1
        play.tell(DieLeft(seat, crew, before, choice.die != LEFT))
        return
    fee = play.tables.fees[choice.die]
    state.companies[seat].money -= fee
    # On the first tile of two moves it is never above the cap there (RW-SUB-2).
    state.die[number] = min(choice.die, CAP[choice.to])
    play.tell(DieTaken(seat, crew, before, choice.die, fee))


def hire(play: Play, number: int, choice: Drill, extracted: bool) -> bool:
    """A die is put beside the active crew; whether it was."""
    state = play.state
    seat, crew = divmod(number, 4)
    if extracted and not choice.anyway:
        play.tell(Lapsed(seat, crew, "hire", "extracted"))
        return False
    fee = play.tables.fees[choice.hire]
    state.companies[seat].money -= fee
    state.dice -= 1
    state.die[number] = choice.hire
    play.tell(Hired(seat, crew, choice.hire, fee))
    return True
