"""The automaton's step in power after phase III: RW-TWO-8, 16 to 18."""

import pytest

from engine.rockwell.choices import AutomatonRaise
from engine.rockwell.events import AutomatonRaised, Extracted, GameEnded, TurnBegan, TurnEnded
from tests.engine.rockwell.late import GREEN, RED
from tests.engine.rockwell.position import Position, tile
from tests.engine.rockwell.two import AUTOMATON, end_of_workshop, lift, raises, with_automaton

FIRST = 8
"""The number of the automaton's first crew."""


def powers(position: Position) -> list[int]:
    """The powers of the automaton's crews."""
    return position.state.power[FIRST:]


@pytest.mark.rule("RW-TWO-8")
def test_after_phase_iii_the_first_company_in_management_order_raises_one_crew_by_one_step() -> None:
    """Then the next turn begins."""
    position = Position(2)
    position.state.management = [GREEN, RED]
    position.state.control = [RED, GREEN]
    end_of_workshop(position)
    assert position.told(TurnEnded) == []
    assert position.asked() == ("automaton_step", (GREEN,))
    assert raises(position) == [1, 2, 3, 4]
    lift(position, 3)
    assert powers(position) == [1, 1, 2, 1]
    assert position.told(AutomatonRaised) == [AutomatonRaised(2, 2, GREEN)]
    assert position.told(TurnBegan) == [TurnBegan(2)]
    assert position.asked()[0] == "bid"


@pytest.mark.rule("RW-TWO-8")
def test_three_companies_have_no_such_step() -> None:
    """Their turn ends with phase III."""
    position = end_of_workshop(Position(3))
    assert position.told(TurnBegan) == [TurnBegan(2)]


@pytest.mark.rule("RW-TWO-17")
def test_only_a_crew_below_power_4_gets_the_step() -> None:
    """One of power 4 can't be chosen, and the only one below it is raised unasked."""
    position = Position(2)
    position.state.power[FIRST:] = [4, 3, 4, 1]
    end_of_workshop(position)
    assert raises(position) == [2, 4]
    assert position.why_not(AutomatonRaise(0)) == "automaton_raise"
    position = Position(2)
    position.state.power[FIRST:] = [4, 4, 4, 2]
    end_of_workshop(position)
    assert position.told(AutomatonRaised) == [AutomatonRaised(3, 3, None)]
    assert position.told(TurnBegan) == [TurnBegan(2)]


@pytest.mark.rule("RW-TWO-17")
def test_with_no_crew_below_power_4_there_is_no_step() -> None:
    """The turn ends at once."""
    position = Position(2)
    position.state.power[FIRST:] = [4] * 4
    end_of_workshop(position)
    assert position.told(AutomatonRaised) == []
    assert position.told(TurnBegan) == [TurnBegan(2)]
    assert powers(position) == [4] * 4


@pytest.mark.rule("RW-TWO-16")
@pytest.mark.parametrize("danger", [False, True])
def test_the_step_may_trigger_an_extraction_while_dice_still_lie_with_crews(danger: bool) -> None:
    """Red's subcontractor of 2 is part of the power; only then the turn ends and the die goes back, once."""
    position = with_automaton("B3", "A8", "A8", "A8").tile("B3", 5).card((4, 2, 0, 0), danger=danger)
    position.crew(RED, 0, "B3", die=2).stock(RED, insurance=9)
    end_of_workshop(position)
    assert position.told(Extracted) == []
    lift(position, 1)
    (event,) = position.told(Extracted)
    assert (event.seat, event.cause, event.strength) == (AUTOMATON, "automaton", 5)
    if danger:
        assert position.asked() == ("danger", (RED,))
        assert position.told(TurnEnded) == []
        position.do(position.rules.default(position.state, RED))
    assert position.told(TurnEnded) == [TurnEnded(1)]
    assert position.told(TurnBegan) == [TurnBegan(2)]
    assert (position.state.die[0], position.state.dice, position.state.back[tile("B3")]) == (0, 3, 2)
    assert powers(position) == [2, 1, 1, 1]
    assert position.asked()[0] == "bid"


@pytest.mark.rule("RW-TWO-18")
def test_after_the_last_phase_iii_of_the_game_there_is_no_step() -> None:
    """The game ends with the turn in which both companies have a crew at the centre."""
    position = Position(2).crew(RED, 0, "centre").crew(GREEN, 0, "centre")
    end_of_workshop(position)
    assert [event.reason for event in position.told(GameEnded)] == ["centre"]
    assert position.told(AutomatonRaised) == []
    assert powers(position) == [1] * 4
    assert position.rules.pending(position.state) is None
