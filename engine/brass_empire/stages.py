"""The stages of a game for each pace, and what the rest of a stage may ask of a seat.

strict: the founding, then a stage for each company's turn (the automaton's goes with the one before it).
brisk: the founding, then a stage a round: all companies write their turns ahead.
"""

from engine.brass_empire.choices import DISCARD, EFFECT, FOUNDING, RESERVE, TURN
from engine.brass_empire.state import Asking, Discarding, Founding, Opening, Reserving, State
from engine.brass_empire.tables import Tables
from engine.brass_empire.view import BrassView
from engine.contract import Asked, Stage

STRICT = "strict"
BRISK = "brisk"
PACES = (STRICT, BRISK)
SEAT_NAMES = ("red", "blue", "green", "purple", "orange", "white")
"""The ids of the sides in seat order."""
MANY = 900
"""More acts than a turn can have."""


def stage(tables: Tables, state: State, pace: str) -> Stage:
    """The stage of the pending decision; of a game that is over, the last one."""
    first = state.stack[0] if state.stack else None
    if isinstance(first, Founding | Reserving | Opening):
        return Stage(0, "founding")
    if pace == BRISK or state.seat >= tables.seats:
        return Stage(state.round, "round" if pace == BRISK else f"turn_{SEAT_NAMES[0]}")
    return Stage(state.round, f"turn_{SEAT_NAMES[state.seat]}")


def agenda(tables: Tables, view: BrassView, pace: str) -> list[Asked]:
    """What the stage may still ask of the seat, in order of play; nothing of nobody, or when the game is over."""
    if view.me is None or not view.stack or view.me in view.out:
        return []
    first = view.stack[0]
    if isinstance(first, Founding | Reserving):
        return _founding(tables, view, first)
    asked = _open(view)
    if view.me == view.seat or (pace == BRISK and _place(tables, view, view.me) > _place(tables, view, view.seat)):
        # One act at least; how many more is its own affair.
        asked += [Asked(TURN), Asked(TURN, times=MANY, required=False)]
    return [*asked, Asked(EFFECT, times=MANY, required=False), Asked(DISCARD, times=MANY, required=False)]


def _open(view: BrassView) -> list[Asked]:
    """The question of a card that is open for the seat: it comes before all else."""
    match view.stack[-1]:
        case Asking(seat) if seat == view.me:
            return [Asked(EFFECT)]
        case Discarding(seats) if view.me in seats:
            return [Asked(DISCARD)]
    return []


def _founding(tables: Tables, view: BrassView, step: Founding | Reserving) -> list[Asked]:
    assert view.me is not None
    place = _place(tables, view, view.me)
    asked = []
    if isinstance(step, Founding) and place >= step.index:
        # The last of five finds but one corporation left and is not asked.
        asked.append(Asked(FOUNDING, required=place == step.index))
    if tables.custom_reserve and (isinstance(step, Founding) or place >= step.index):
        asked.append(Asked(RESERVE))
    return asked


def _place(tables: Tables, view: BrassView, seat: int) -> int:
    """How many turns come before a company's in a round."""
    return (seat - view.first) % tables.seats
