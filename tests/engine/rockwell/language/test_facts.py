"""Whether a fact holds follows from what the seat sees."""

import pytest

from engine.contract import Condition
from engine.errors import Illegal
from engine.orders.sheet import met
from engine.rockwell.state import CONTROL, WORKSHOP
from tests.engine.rockwell.language.said import GREEN, RED, WHITE, order
from tests.engine.rockwell.position import Position


def scene() -> Position:
    """Round 2; B3 is revealed; Red straddles C3 and C4, Green's c2 with a die is on C3, its c1 at the centre."""
    position = Position().reveal("B3").tile("C3", 7).crew(RED, 0, "C3/C4", power=3).crew(GREEN, 1, "C3", power=2, die=1)
    position.crew(GREEN, 0, "centre").slot(WORKSHOP, 0, RED).slot(CONTROL, 1, GREEN).levels(RED, mobility=2)
    position.mineshaft("C4", WHITE)
    return position.stock(GREEN, (8, 0, 1, 0), 1900, insurance=2).drilling(RED, GREEN, round_=2)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("B3 is revealed", True),
        ("B4 is revealed", False),
        ("B4 is not revealed", True),
        ("red is on C3", True),
        ("red is on C4", True),
        ("red c1 is on C3", True),
        ("red c2 is on C3", False),
        ("c2 is on C3", True),
        ("c1 is on core", True),
        ("white is on entrance 1", True),
        ("power on C3 >= 6", True),
        ("power on C4 >= 4", False),
        ("red power on C3 = 3", True),
        ("green power on C3 is 3", True),
        ("C3 lacks 1", True),
        ("C3 requires > 7", False),
        ("zinc >= 8", True),
        ("gold >= 1", False),
        ("money < 2000", True),
        ("insurance is 2", True),
        ("round is 2", True),
        ("turn is 1", True),
        ("dice is 2", True),
        ("bribery != 3", False),
        ("red mobility >= 2", True),
        ("mobility >= 1", False),
        ("red holds workshop 1", True),
        ("red holds workshop 2", False),
        ("red holds workshop", True),
        ("I hold control", True),
        ("workshop 2 is free", True),
        ("workshop 1 is free", False),
        ("B3 is revealed and zinc >= 9", False),
        ("B3 is revealed or zinc >= 9", True),
        ("not (B3 is revealed and zinc >= 8)", False),
        ("nobody is on B4", True),
        ("C3 is empty", False),
        ("another is on C4", True),
        ("another is on B3", False),
        ("c2 has die", True),
        ("red c1 has die", False),
        ("my c2 power >= 2", True),
        ("my c2 power >= 3", False),
        ("red c1 power > my c2 power", True),
        ("my power on C3 > red power on C3", False),
        ("my power on C3 = red power on C3", True),
        ("zinc > silver", True),
        ("I have more silver than zinc", False),
        ("C4 has mineshaft", True),
        ("white has a mineshaft on C4", True),
        ("C4 has a mineshaft of another", True),
        ("I have a mineshaft on C4", False),
        ("C3 has mineshaft", False),
        ("red is before me", True),
        ("I am before red", False),
    ],
)
def test_a_fact_holds_in_what_the_seat_sees(text: str, holds: bool) -> None:
    """For Green."""
    position = scene()
    test = order(f"if {text}, pass market", position, GREEN).test
    assert met(position.rules, position.rules.view(position.state, GREEN), test) is holds


@pytest.mark.parametrize(
    "condition",
    [
        Condition("cubes", {"kind": 0, "op": ">=", "n": 1}),
        Condition("money", {"op": ">=", "n": 1}),
        Condition("insurance", {"op": ">=", "n": 1}),
    ],
)
def test_nobody_has_no_stock_of_its_own(condition: Condition) -> None:
    """In the public view a fact about one's own stock is hidden."""
    position = scene()
    with pytest.raises(Illegal) as caught:
        position.rules.holds(position.rules.view(position.state, None), condition)
    assert caught.value.code == "hidden"


def test_a_fact_that_the_rules_do_not_know_neither_holds_nor_does_its_opposite() -> None:
    """An order kept from another time is skipped, and stops no game."""
    position = scene()
    view = position.rules.view(position.state, GREEN)
    assert not met(position.rules, view, Condition("weather"))
    assert not met(position.rules, view, Condition("weather", expected=False))


@pytest.mark.parametrize(
    "condition",
    [
        Condition("weather"),
        Condition("revealed"),
        Condition("revealed", {"tile": 99}),
        Condition("round", {"op": "~", "n": 1}),
    ],
)
def test_an_unknown_fact_is_refused(condition: Condition) -> None:
    """Whatever of it is unknown."""
    position = scene()
    with pytest.raises(Illegal) as caught:
        position.rules.holds(position.rules.view(position.state, WHITE), condition)
    assert caught.value.code == "unknown_fact"
