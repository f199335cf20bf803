"""What another company's card makes one discard: BE-EFF-6, BE-EFF-25."""

from collections.abc import Mapping

from engine.brass_empire.asks import CardsSpace
from engine.brass_empire.choices import DISCARD, Discard
from engine.brass_empire.play import Play
from engine.brass_empire.primitives import discard
from engine.brass_empire.state import Discarding, State
from engine.brass_empire.tables import Tables
from engine.contract import Decision


def pending(tables: Tables, state: State, step: Discarding) -> Decision:
    """All at the same time, none seeing what the others discard."""
    return Decision(DISCARD, step.seats, sealed=True)


def space(tables: Tables, state: State, seat: int) -> CardsSpace:
    """So many cards of the hand."""
    step = state.stack[-1]
    assert isinstance(step, Discarding)
    count = step.counts[step.seats.index(seat)]
    return CardsSpace(Discard, state.companies[seat].hand, count, count)


def answer(play: Play, step: Discarding, answers: Mapping[int, Discard]) -> None:
    """In seat order."""
    play.state.stack.pop()
    for seat, choice in answers.items():
        discard(play, seat, choice.cards)
