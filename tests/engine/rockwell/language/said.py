"""Short words for the tests of Rockwell's order language."""

from engine.contract import Choice
from engine.errors import Illegal
from engine.orders.reader import read
from engine.orders.shape import Line, Order, Reading
from engine.orders.sheet import Answer, Sheet, answer
from engine.orders.writer import write
from engine.rockwell.language import LANGUAGE
from tests.engine.rockwell.position import Position

RED, GREEN, PURPLE, WHITE = range(4)


def reading(text: str, position: Position | None = None, seat: int = RED) -> Reading:
    """What is read for a seat."""
    position = position or Position()
    return read(text, LANGUAGE, position.rules.view(position.state, seat), rules=position.rules)


def line(text: str, position: Position | None = None, seat: int = RED) -> Line:
    """The one line of a text."""
    (only,) = reading(text, position, seat).lines
    return only


def order(text: str, position: Position | None = None, seat: int = RED) -> Order:
    """The order of a line that is one."""
    read_ = line(text, position, seat)
    assert read_.order is not None, read_
    return read_.order


def said(made: Order, position: Position | None = None, seat: int = RED) -> str:
    """The order in its normal form."""
    position = position or Position()
    return write(made, LANGUAGE, position.rules.view(position.state, seat))


def fitted(text: str, position: Position) -> Choice | str:
    """What the first alternative of a line makes of the pending decision for the seat that is asked; else the code of
    the refusal."""
    _, seats = position.asked()
    intent = order(text, position, seats[0]).alternatives[0].intent
    try:
        return position.rules.fit(position.state, seats[0], intent)
    except Illegal as illegal:
        return illegal.code


def answered(text: str, position: Position, used: frozenset[tuple[int, int]] = frozenset()) -> Answer:
    """What a sheet of these lines says to the pending decision for the seat that is asked first."""
    decision = position.rules.pending(position.state)
    assert decision is not None
    seat = decision.seats[0]
    sheet = Sheet().with_submission(1, reading(text, position, seat).orders)
    return answer(position.rules, position.state, seat, decision, sheet, used)
