"""Three companies: the values of the component file that hold for them: RW-THR."""

import tomllib
from typing import Any

import pytest

from engine.contract import Setup
from engine.rockwell.choices import Drill, Mineshaft, Safety
from engine.rockwell.components import BUILT_IN, tables
from engine.rockwell.events import Claimed
from engine.rockwell.geometry import CENTRE
from tests.engine.rockwell.late import GREEN, PURPLE, RED, at_market, at_workshop, rich
from tests.engine.rockwell.position import Position, tile

FILE: dict[str, Any] = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))


@pytest.mark.rule("RW-THR-1")
def test_boards_are_those_of_three_companies() -> None:
    """Slots, what they allow, and how many transactions and actions they grant."""
    three, boards = tables(Setup(3)), FILE["boards"]["fewer"]
    assert list(three.rights) == boards["control_center"]
    assert [list(grants) for grants in three.grants[1:]] == [boards["stock_exchange"], boards["workshop"]]
    assert boards["stock_exchange"] != FILE["boards"]["four"]["stock_exchange"]
    assert list(three.power_prices[1:]) == FILE["prices"]["power"]
    assert list(three.mobility) == FILE["prices"]["mobility"]
    position = at_market(rich(Position(3)), RED, GREEN, PURPLE)
    assert position.state.left == boards["stock_exchange"]
    position = at_workshop(rich(Position(3)), RED, GREEN, PURPLE)
    assert position.state.left == boards["workshop"]


@pytest.mark.rule("RW-THR-1")
def test_safety_and_mineshafts_cost_what_they_cost_three_companies() -> None:
    """Each of the three levels, as paid in play."""
    prices = FILE["prices"]
    assert prices["safety"]["fewer"] != prices["safety"]["four"]
    assert prices["mineshaft"]["fewer"] != prices["mineshaft"]["four"]
    for level in range(3):
        for price, action in (
            (prices["safety"]["fewer"][level], Safety()),
            (prices["mineshaft"]["fewer"][level], Mineshaft(tile("B3"))),
        ):
            position = rich(Position(3)).levels(RED, safety=level, mineshaft=level).crew(RED, 0, "B3")
            at_workshop(position, RED).do(action)
            assert [event.data.price for event in position.events[:1]] == [price]
            assert position.company(RED).money == 9000 - price


@pytest.mark.rule("RW-THR-2")
def test_each_achievement_pile_holds_its_three_highest_tiles() -> None:
    """Of every kind; the three companies that reach the centre get 6, 5 and 4."""
    assert list(tables(Setup(3)).achievements) == [tuple(pile[:3]) for pile in FILE["achievements"].values()]
    position = Position(3)
    for seat in (RED, GREEN, PURPLE):
        position.crew(seat, 0, f"D{seat * 3 + 1}")
    position.drilling(RED, GREEN, PURPLE)
    for seat, prestige in ((RED, 6), (GREEN, 5), (PURPLE, 4)):
        position.do(Drill(0, CENTRE))
        assert position.told(Claimed) == [Claimed(seat, 8, prestige)]
