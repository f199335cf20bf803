"""Phase I, the drilling rounds: RW-DRL."""

from collections.abc import Mapping

from engine.contract import Decision
from engine.rockwell import achievements, automaton, bribery, extraction, market, mineshafts, moves, subcontracting
from engine.rockwell.choices import DRILL, NOT_SAID, Drill
from engine.rockwell.components import Tables
from engine.rockwell.drillspace import DrillSpace
from engine.rockwell.events import CentreReached, Lapsed, Moved, NoCrew, RoundBegan, Stayed
from engine.rockwell.geometry import BORDER, CENTRE
from engine.rockwell.play import Play
from engine.rockwell.state import Acting, AutomatonMoving, Drilling, State

ROUNDS = 4
SECOND, EXTRA, END = 2, 3, 4
"""The phases of an act that may have to wait for an extraction."""
STEPS = tuple(tuple(Drilling(round_, index) for index in range(5)) for round_ in range(ROUNDS + 1))

DRILLS = tuple(tuple(Decision(DRILL, (seat,), round_) for seat in range(4)) for round_ in range(ROUNDS + 1))
"""By round and seat."""


def pending(tables: Tables, state: State, step: Drilling) -> Decision:
    """One company after the other, in control order (RW-DRL-12)."""
    return DRILLS[step.round][state.control[step.index]]


def space(tables: Tables, state: State, seat: int) -> DrillSpace:
    """What a company may do with a crew."""
    return DrillSpace(tables, state, seat)


def run(play: Play, step: Drilling) -> bool:
    """Wait for the company whose turn it is; after the last one, and the automaton, the next round or mineshafts."""
    state = play.state
    seats = len(state.control)
    if step.index < seats:
        seat = state.control[step.index]
        if state.at[seat * 4 : seat * 4 + 4].count(CENTRE) < 4:
            return True
        play.tell(NoCrew(seat))
        state.stack[-1] = STEPS[step.round][step.index + 1]
        return False
    if step.index == seats == automaton.SEATS:
        state.stack[-1] = AutomatonMoving(step.round)
        return False
    if step.round < ROUNDS:
        play.tell(RoundBegan(step.round + 1))
        state.stack[-1] = STEPS[step.round + 1][0]
        return False
    mineshafts.pay_out(play)
    market.begin(play)
    return False


def answer(play: Play, step: Drilling, answers: Mapping[int, Drill]) -> None:
    """The active crew moves or stays; then bribery or hire; each extraction at once."""
    state = play.state
    seat = state.control[step.index]
    choice = answers[seat]
    state.stack[-1] = STEPS[step.round][step.index + 1]
    number = seat * 4 + choice.crew
    origin = state.at[number]
    if choice.to == origin:
        play.tell(Stayed(seat, choice.crew, origin))
        _extra(play, seat, choice, False)
        return
    if state.die[number]:
        subcontracting.set_out(play, number, choice)
    _go(play, number, choice.to, 1)
    if choice.second == NOT_SAID:
        _arrived(play, seat, choice, "move")
        return
    passing = extraction.ripe(state, choice.to) if play.tables.passing_triggers else ()
    state.stack.append(Acting(seat, choice, SECOND, bool(passing)))
    extraction.trigger(play, number, passing, "passing")


def proceed(play: Play, step: Acting) -> bool:
    """Go on with an act after an extraction."""
    play.state.stack.pop()
    if step.phase == SECOND:
        _second(play, step)
    elif step.phase == EXTRA:
        _extra(play, step.seat, step.choice, step.extracted)
    else:
        _end(play, step.seat, step.choice)
    return False


def _go(play: Play, number: int, to: int, move: int) -> None:
    state = play.state
    seat, crew = divmod(number, 4)
    play.tell(Moved(seat, crew, state.at[number], to, move))
    state.at[number] = to
    if to == CENTRE:
        play.tell(CentreReached(seat, crew))


def _second(play: Play, step: Acting) -> None:
    """The second move, from where an extraction may have put the crew."""
    state, choice = play.state, step.choice
    number = step.seat * 4 + choice.crew
    if choice.second not in moves.onward(play.tables, state, number, state.at[number]):
        revealed = choice.second >= BORDER and not moves.whole(state, choice.second)
        play.tell(Lapsed(step.seat, choice.crew, "second", "revealed" if revealed else "moved"))
        _extra(play, step.seat, choice, step.extracted)
        return
    _go(play, number, choice.second, 2)
    if state.die[number]:
        state.die[number] = choice.die
    _arrived(play, step.seat, choice, "move")


def _arrived(play: Play, seat: int, choice: Drill, cause: str) -> None:
    """What the move alone extracts comes before bribery and hire (RW-DRL-9)."""
    number = seat * 4 + choice.crew
    tiles = extraction.ripe(play.state, play.state.at[number])
    if tiles:
        play.state.stack.append(Acting(seat, choice, EXTRA, True))
        extraction.trigger(play, number, tiles, cause)
    else:
        _extra(play, seat, choice, False)


def _extra(play: Play, seat: int, choice: Drill, extracted: bool) -> None:
    """Bribery or hire, and what it extracts (RW-DRL-6)."""
    number = seat * 4 + choice.crew
    tiles: tuple[int, ...] = ()
    cause = ""
    if choice.hire and subcontracting.hire(play, number, choice, extracted):
        tiles, cause = extraction.ripe(play.state, play.state.at[number]), "hire"
    elif choice.bribe != NOT_SAID and bribery.bribe(play, number, choice, extracted):
        tiles, cause = extraction.ripe(play.state, play.state.at[choice.bribe]), "bribe"
    if tiles:
        play.state.stack.append(Acting(seat, choice, END))
        extraction.trigger(play, number, tiles, cause)
    else:
        _end(play, seat, choice)


def _end(play: Play, seat: int, choice: Drill) -> None:
    """The act is done: its crews may meet an achievement, the bribed one too (RW-ACH-18)."""
    owner = choice.bribe >> 2
    bribed = choice.bribe != NOT_SAID and owner < play.tables.seats
    achievements.look(play, (seat, owner) if bribed else (seat,), seat)
