"""The stages of a turn for each pace, and what the rest of a stage may ask of a seat.

strict: auction; placing; drilling (insurance, drilling rounds, mineshafts); market (market and workshop).
brisk: drilling (from placing on); market (market, workshop and the bid of the next auction). The very first auction is
a stage of its own.
"""

from engine.contract import Asked, Stage
from engine.rockwell import automaton
from engine.rockwell.auction import bidders
from engine.rockwell.choices import (
    AUTOMATON_MOVE,
    AUTOMATON_STEP,
    BID,
    DANGER,
    DRILL,
    FIRST,
    INSURE,
    MARKET,
    PLACE,
    WORKSHOP,
)
from engine.rockwell.components import Tables
from engine.rockwell.ending import over
from engine.rockwell.geometry import CENTRE
from engine.rockwell.insurance import holders
from engine.rockwell.state import WORKSHOP as WORKSHOP_BOARD
from engine.rockwell.state import (
    Auction,
    AutomatonMoving,
    AutomatonRaising,
    Drilling,
    Insuring,
    Market,
    Placing,
    State,
    Step,
)
from engine.rockwell.view import RockwellView

STRICT = "strict"
BRISK = "brisk"
PACES = (STRICT, BRISK)
ROUNDS = 4
VICE_PRESIDENTS = 2
EXTRACTIONS = 3
"""The most that one act brings about: in passing, by the move, by hire or bribe."""


def stage(state: State, pace: str) -> Stage:
    """The stage of the pending decision; of a game that is over, the last one."""
    return Stage(*_stage(state.stack, state.turn, pace))


def _stage(stack: list[Step], turn: int, pace: str) -> tuple[int, str]:
    first = stack[0] if stack else None
    if isinstance(first, Auction):
        return (turn - 1, "market") if pace == BRISK and turn > 1 else (turn, "auction")
    if isinstance(first, Placing):
        return turn, "placing" if pace == STRICT else "drilling"
    return turn, "drilling" if isinstance(first, Insuring | Drilling | AutomatonMoving) else "market"


def agenda(tables: Tables, view: RockwellView, pace: str) -> list[Asked]:
    """What the stage may still ask of the seat, in order of play; nothing of nobody, or when the game is over."""
    if view.seat is None or not view.stack:
        return []
    seat, first = view.seat, view.stack[0]
    if isinstance(first, Auction):
        return _bid(view, seat)
    asked: list[Asked] = []
    if isinstance(first, Placing):
        asked += _placing(tables, view, seat, first)
        if pace == STRICT:
            return asked
    if isinstance(first, Placing | Insuring) and seat in holders(view.companies):
        asked.append(Asked(INSURE))
    if isinstance(first, Placing | Insuring | Drilling | AutomatonMoving):
        return asked + _drilling(tables, view, seat, first)
    asked = _market(tables, view, seat, isinstance(first, Market)) + _automaton_step(tables, view, seat)
    # What ends the game stays so: then no auction follows.
    return asked + _bid(view, seat) if pace == BRISK and not over(tables, view) else asked


def _bid(view: RockwellView, seat: int) -> list[Asked]:
    return [Asked(BID)] if seat in bidders(view.companies) else []


def _placing(tables: Tables, view: RockwellView, seat: int, step: Placing) -> list[Asked]:
    times = sum(
        view.management[index % tables.seats] == seat for index in range(step.index, VICE_PRESIDENTS * tables.seats)
    )
    return [Asked(PLACE, times=times)] if times else []


def _drilling(tables: Tables, view: RockwellView, seat: int, first: Step) -> list[Asked]:
    """The rounds that the seat still plays; the choices that an extraction may bring are not required."""
    round_, index = _moment(tables, first)
    asked: list[Asked] = []
    if view.at[seat * 4 : seat * 4 + 4].count(CENTRE) < 4:
        # Until the drilling order is fixed the seat's place in it does not matter: no round has begun.
        if isinstance(first, Placing | Insuring) or view.control.index(seat) >= index:
            asked.append(Asked(DRILL, round_))
        asked += [Asked(DRILL, later) for later in range(round_ + 1, ROUNDS + 1)]
    # The act that is going on still counts.
    acts = (ROUNDS - round_ + 1) * tables.seats - index + 1
    firsts = len(asked) + 1
    if tables.seats == automaton.SEATS:
        moves = ROUNDS - round_ + (index <= tables.seats)
        acts += moves
        if moves and _may_control(tables, view, seat, first):
            asked = _automaton_moves(moves, isinstance(first, AutomatonMoving), asked)
    return asked + _extractions(acts * EXTRACTIONS, firsts)


def _moment(tables: Tables, first: Step) -> tuple[int, int]:
    """The round, and how far in it: a company's place in the control order, then the automaton, then the end."""
    if isinstance(first, Drilling):
        return first.round, first.index
    return (first.round, tables.seats) if isinstance(first, AutomatonMoving) else (1, 0)


def _automaton_moves(moves: int, waiting: bool, asked: list[Asked]) -> list[Asked]:
    """What is asked, with so many moves: the one that is waited for first; the others may leave nothing to choose."""
    now = [Asked(AUTOMATON_MOVE)] * waiting
    later = moves - waiting
    return [*now, *asked, *([Asked(AUTOMATON_MOVE, times=later, required=False)] if later else [])]


def _may_control(tables: Tables, view: RockwellView, seat: int, first: Step) -> bool:
    """Whether the seat is first in the control order, or may be in the end, and so chooses for the automaton."""
    if isinstance(first, Placing):
        return True
    on_board = [there for there in view.slots[: len(tables.rights)] if there >= 0]
    chooser = on_board[0] if isinstance(first, Insuring) and on_board else view.control[0]
    return seat == chooser


def _automaton_step(tables: Tables, view: RockwellView, seat: int) -> list[Asked]:
    """The step in power after phase III, of the first company in the management order where it has a choice."""
    step = view.stack[0]
    done = isinstance(step, AutomatonRaising) and step.done
    if tables.seats != automaton.SEATS or seat != view.management[0] or done or over(tables, view):
        return []
    return [Asked(AUTOMATON_STEP)] if len(automaton.raises(view)) > 1 else []


def _market(tables: Tables, view: RockwellView, seat: int, trading: bool) -> list[Asked]:
    """The first transaction and action are required; the others come only if the seat does not pass before."""
    asked: list[Asked] = []
    if trading and view.left[seat]:
        asked += _times(MARKET, view.left[seat])
    actions = 0
    for slot, grant in enumerate(tables.grants[WORKSHOP_BOARD]):
        if view.slots[WORKSHOP_BOARD * 4 + slot] == seat:
            actions = grant if trading else view.left[seat]
    if actions:
        asked += _times(WORKSHOP, actions)
    acts = sum(tables.grants[WORKSHOP_BOARD]) + (tables.seats == automaton.SEATS)
    return asked + _extractions(acts, actions + 1)


def _times(kind: str, times: int) -> list[Asked]:
    first = [Asked(kind)]
    return [*first, Asked(kind, times=times - 1, required=False)] if times > 1 else first


def _extractions(dangers: int, firsts: int) -> list[Asked]:
    return [Asked(FIRST, times=firsts, required=False), Asked(DANGER, times=dangers, required=False)]
