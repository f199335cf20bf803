"""Lines of Brass Empire read and written in a position."""

from engine.brass_empire import MODULE
from engine.orders.reader import read
from engine.orders.shape import Line, Order
from engine.orders.writer import write
from tests.engine.brass_empire.position import Position


def lines(position: Position, text: str, seat: int = 0) -> tuple[Line, ...]:
    """What is made of a text by a seat."""
    view = position.rules.view(position.state, seat)
    return read(text, MODULE.language, view).lines


def order(position: Position, text: str, seat: int = 0) -> Order:
    """The order that a line is."""
    (line,) = lines(position, text, seat)
    assert line.order is not None, line
    return line.order


def normal(position: Position, text: str, seat: int = 0) -> str:
    """A line in its normal form, which must read back to the same."""
    read_ = order(position, text, seat)
    said = write(read_, MODULE.language, position.rules.view(position.state, seat))
    assert order(position, said, seat) == read_
    return said
