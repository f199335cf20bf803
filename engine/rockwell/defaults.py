"""What a company does that does not answer: RW-DEF. All of it follows from what that company knows."""

from engine.rockwell import automaton
from engine.rockwell.choices import Bid, Cover, Drill, First, Insure, Pass, Place, RockwellChoice
from engine.rockwell.components import Tables
from engine.rockwell.geometry import CENTRE, ON
from engine.rockwell.state import (
    BOARDS,
    Auction,
    AutomatonMoving,
    AutomatonRaising,
    Danger,
    Drilling,
    Insuring,
    Market,
    Placing,
    Ripe,
    State,
    Workshop,
)

NO_CUBES = (0, 0, 0, 0)


def default(tables: Tables, state: State, seat: int) -> RockwellChoice:
    """The choice of a seat that the pending decision asks, when it is silent."""
    match state.stack[-1]:
        case Auction():
            return Bid(0, NO_CUBES)
        case Placing():
            return _place(tables, state, seat)
        case Insuring():
            return Insure(NO_CUBES)
        case Drilling():
            return _stay(state, seat)
        case Ripe() as ripe:
            return First(min(ON[state.at[ripe.seat * 4 + ripe.crew]]))
        case Danger() as danger:
            loss = next(spoil.loss for spoil in danger.spoils if spoil.seat == seat)
            return Cover(min(loss, state.companies[seat].insurance))
        case Market() | Workshop():
            return Pass()
        case AutomatonMoving():
            return automaton.moves(state)[0]
        case AutomatonRaising():
            return automaton.raises(state)[0]
        case step:
            raise LookupError(f"no default for {type(step).__name__}")


def _place(tables: Tables, state: State, seat: int) -> Place:
    """The leftmost free slot of the usable board with most free slots, the lower board on a tie (RW-DEF-2)."""
    best = Place(-1, -1)
    most = 0
    for board in BOARDS:
        slots = state.slots[board * 4 : board * 4 + len(tables.grants[board])]
        free = slots.count(-1)
        if seat not in slots and free > most:
            best, most = Place(board, slots.index(-1)), free
    return best


def _stay(state: State, seat: int) -> Drill:
    """The first crew not at the centre stays, without bribery or hire (RW-DEF-4)."""
    crew = next(crew for crew in range(4) if state.at[seat * 4 + crew] != CENTRE)
    return Drill(crew, state.at[seat * 4 + crew])
