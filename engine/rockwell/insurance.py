"""Phase I, insurance and drilling order: RW-INS, RW-ORD."""

from collections.abc import Mapping, Sequence

from engine.contract import Decision, Event
from engine.rockwell import account
from engine.rockwell.choices import INSURE, Insure
from engine.rockwell.components import Tables
from engine.rockwell.cubespace import InsureSpace
from engine.rockwell.events import ControlOrder, Insured, RoundBegan
from engine.rockwell.play import Play
from engine.rockwell.state import Company, Drilling, Insuring, State
from engine.rockwell.view import Rival

NOTHING = Insure((0, 0, 0, 0))


def pending(tables: Tables, state: State, step: Insuring) -> Decision:
    """All insure at once, unseen (RW-INS-2)."""
    return Decision(INSURE, holders(state.companies), sealed=True)


def holders(companies: Sequence[Company | Rival]) -> tuple[int, ...]:
    """The companies that can, for all that everyone knows, have a cube."""
    return tuple(seat for seat, company in enumerate(companies) if account.may_have_any(company.account))


def space(tables: Tables, state: State, seat: int) -> InsureSpace:
    """What a company may insure."""
    return InsureSpace(tables, state, seat)


def run(play: Play, step: Insuring) -> bool:
    """Wait for the companies that can have a cube."""
    if holders(play.state.companies):
        return True
    answer(play, step, {})
    return False


def answer(play: Play, step: Insuring, answers: Mapping[int, Insure]) -> None:
    """Cubes become insurance, then the drilling order is fixed and the first round begins."""
    for seat, company in enumerate(play.state.companies):
        cubes = answers.get(seat, NOTHING).cubes
        account.insure(company, cubes)
        play.events.append(Event(Insured(seat, cubes), (seat,)))
    order(play)
    play.tell(RoundBegan(1))
    play.state.stack[-1] = Drilling(1, 0)


def order(play: Play) -> None:
    """Those on Board I come first, by slot; the others follow as they stood (RW-ORD-1)."""
    state = play.state
    before = tuple(state.control)
    first = [seat for seat in state.slots[:4] if seat >= 0]
    state.control = first + [seat for seat in before if seat not in first]
    play.tell(ControlOrder(before, tuple(state.control)))
