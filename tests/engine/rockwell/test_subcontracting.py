"""Subcontractors: RW-SUB."""

import pytest

from engine.rockwell.choices import LEFT, Drill
from engine.rockwell.events import DieLeft, DieTaken, Extracted, Fell, Hired, Shared
from engine.rockwell.geometry import ENTRANCES
from tests.engine.rockwell.position import Position, spot, tile


def hirer(at: str = "D4", money: int = 9000) -> Position:
    """Red's first crew somewhere, its vice president on slot 3 of Board I."""
    return Position().crew(0, 0, at).slot(0, 2, 0).stock(0, money=money).drilling(0)


@pytest.mark.rule("RW-SUB-1")
def test_slots_3_and_4_hire_a_power_for_its_fee() -> None:
    """$1,000, $1,500, $2,000 and $2,500, at the end of a move or of a stay."""
    for power, fee in ((1, 1000), (2, 1500), (3, 2000), (4, 2500)):
        position = hirer().do(Drill(0, tile("D4"), hire=power))
        assert position.told(Hired) == [Hired(0, 0, power, fee)]
        assert (position.state.die[0], position.company(0).money, position.state.dice) == (power, 9000 - fee, 2)
    for slot in range(4):
        position = Position().crew(0, 0, "D4").slot(0, slot, 0).drilling(0)
        assert position.why_not(Drill(0, tile("D5"), hire=1)) == ("no_right" if slot < 2 else "")
    assert hirer(money=1400).why_not(Drill(0, tile("D4"), hire=2)) == "cannot_pay"


@pytest.mark.rule("RW-SUB-2")
@pytest.mark.parametrize(("name", "cap"), [("A4", 1), ("B4", 2), ("C4", 3), ("D4", 4)])
def test_the_stratum_caps_the_power(name: str, cap: int) -> None:
    """Hired there or taken along there."""
    position = hirer(name)
    assert position.offered("hire", 0, tile(name)) == list(range(cap + 1))
    assert position.why_not(Drill(0, tile(name), hire=cap + 1)) == "above_cap"
    taken = Position().crew(0, 0, name, die=1).stock(0, money=9000).drilling(0)
    right = spot(name) + 1
    assert taken.offered("die", 0, right) == list(range(cap + 1))
    assert taken.why_not(Drill(0, right, die=cap + 1)) == "above_cap"


@pytest.mark.rule("RW-SUB-3")
def test_one_subcontractor_at_most_is_hired_in_a_round() -> None:
    """By one act; in the next round another crew may get one."""
    position = hirer().crew(0, 1, "C4").do(Drill(0, tile("D4"), hire=1))
    assert len(position.told(Hired)) == 1
    assert position.asked() == ("drill", (1,))
    position.drilling(0, round_=2).do(Drill(1, tile("C4"), hire=1))
    assert position.state.die[:2] == [1, 1]


@pytest.mark.rule("RW-SUB-9")
def test_a_crew_has_at_most_one_die() -> None:
    """One that keeps or takes its die can't be given another."""
    position = hirer().crew(0, 0, "D4", die=1)
    assert position.why_not(Drill(0, tile("D4"), hire=1)) == "has_die"
    assert position.why_not(Drill(0, tile("D5"), die=1, hire=1)) == "has_die"


@pytest.mark.rule("RW-SUB-10")
def test_no_more_dice_than_lie_on_board_i() -> None:
    """The fourth is refused."""
    position = hirer().crew(1, 0, "D1", die=1).crew(1, 1, "D1", die=1).crew(2, 0, "D1", die=1)
    assert position.state.dice == 0
    assert position.why_not(Drill(0, tile("D4"), hire=1)) == "no_dice_left"


@pytest.mark.rule("RW-SUB-4")
def test_a_die_taken_along_is_paid_again_at_any_power() -> None:
    """From 1 to 3 for $2,000, without any slot; what can't be paid is refused."""
    position = Position().crew(0, 0, "C4", die=1).drilling(0)
    assert position.why_not(Drill(0, tile("D4"), die=4)) == ""
    position.do(Drill(0, tile("D4"), die=3))
    assert position.told(DieTaken) == [DieTaken(0, 0, 1, 3, 2000)]
    assert (position.state.die[0], position.company(0).money, position.state.dice) == (3, 1000, 2)
    assert Position().crew(0, 0, "C4", die=1).stock(0, money=900).drilling(0).offered("die", 0, tile("C5")) == [LEFT]


@pytest.mark.rule("RW-SUB-13")
def test_a_die_may_be_left_and_goes_back() -> None:
    """Without a fee."""
    position = Position().crew(0, 0, "C4", die=2).drilling(0).do(Drill(0, tile("C5"), die=LEFT))
    assert position.told(DieLeft) == [DieLeft(0, 0, 2, False)]
    assert (position.state.die[0], position.state.dice, position.company(0).money) == (0, 3, 3000)


@pytest.mark.rule("RW-SUB-5")
def test_a_crew_that_stays_keeps_its_die() -> None:
    """No fee, no other power, no choice about it."""
    position = Position().crew(0, 0, "C4", die=2).drilling(0)
    assert position.offered("die", 0, tile("C4")) == []
    position.do(Drill(0, tile("C4")))
    assert (position.state.die[0], position.company(0).money) == (2, 3000)


@pytest.mark.rule("RW-SUB-7")
def test_a_crew_that_left_its_die_may_be_given_one_by_hire() -> None:
    """That needs the slot; the die left is one of those on Board I."""
    position = hirer("C4").crew(1, 0, "D1", die=1).crew(1, 1, "D1", die=1).crew(0, 0, "C4", die=2)
    assert position.state.dice == 0
    position.do(Drill(0, tile("C5"), die=LEFT, hire=3))
    assert (position.state.die[0], position.state.dice, position.company(0).money) == (3, 0, 7000)
    without = Position().crew(0, 0, "C4", die=2).drilling(0)
    assert without.why_not(Drill(0, tile("C5"), die=LEFT, hire=3)) == "no_right"


@pytest.mark.rule("RW-SUB-8")
def test_subcontractors_give_no_share_of_their_own() -> None:
    """Red with a die and Green without share evenly."""
    position = Position().crew(0, 0, "B4", 1, die=2).crew(1, 0, "B3").tile("B4", 4).card((4, 0, 0, 0)).drilling(1)
    position.do(Drill(0, tile("B4")))
    assert [(share.seat, share.cubes) for share in position.told(Shared)[0].shares] == [
        (0, (2, 0, 0, 0)),
        (1, (2, 0, 0, 0)),
    ]


@pytest.mark.rule("RW-SUB-6")
def test_dice_and_bribery_tiles_are_back_at_the_end_of_the_turn() -> None:
    """None beside a crew any more."""
    position = hirer().do(Drill(0, tile("D4"), hire=2))
    position.state.bribery = 1
    while position.state.turn == 1:
        assert position.state.die[0] == 2
        position.do(*(position.rules.default(position.state, seat) for seat in position.asked()[1]))
    assert (position.state.die, position.state.dice, position.state.bribery) == ([0] * 16, 3, 3)


@pytest.mark.rule("RW-SUB-11")
def test_in_a_move_of_two_the_die_is_taken_or_left_once() -> None:
    """One fee, within the cap of the stratum where it ends; on the way it is never above the cap there."""

    def moved(die: int) -> Position:
        position = Position().crew(0, 0, "B4", 1, die=1).levels(0, mobility=3).stock(0, money=9000).drilling(0)
        assert position.offered("die", 0, tile("C4"), tile("D4")) == [LEFT, 1, 2, 3, 4]
        assert position.offered("die", 0, tile("C4"), tile("B4")) == [LEFT, 1, 2]
        return position.do(Drill(0, tile("C4"), tile("D4"), die))

    taken = moved(4)
    assert len(taken.told(DieTaken)) == 1
    assert (taken.state.die[0], taken.company(0).money) == (4, 6500)
    left = moved(LEFT)
    assert (left.state.die[0], left.company(0).money, left.state.dice) == (0, 9000, 3)
    passing = Position().crew(0, 0, "B4", 1, die=1).levels(0, mobility=3).stock(0, money=9000).tile("C4", 4)
    passing.drilling(0).do(Drill(0, tile("C4"), tile("D4"), die=4))
    assert passing.told(Extracted)[0].strength == 4


@pytest.mark.rule("RW-SUB-14")
def test_onto_a_border_and_off_it_are_moves_and_falling_is_none() -> None:
    """A die is paid on the first two; a crew that falls keeps it at no cost."""
    onto = Position().crew(0, 0, "B4", die=1).levels(0, mobility=2).drilling(0)
    assert onto.do(Drill(0, spot("B4/B5"), die=2)).company(0).money == 1500
    off = Position().crew(0, 0, "B4/B5", die=1).levels(0, mobility=2).drilling(0)
    assert off.do(Drill(0, tile("B5"), die=1)).company(0).money == 2000
    falls = Position().crew(0, 0, "B4/B5", die=2).crew(1, 0, "B3").tile("B4", 4).drilling(1)
    falls.do(Drill(0, tile("B4")))
    assert falls.told(Fell)
    assert (falls.company(0).money, falls.state.die[0], falls.state.at[0]) == (3000, 2, tile("B4"))


@pytest.mark.rule("RW-SUB-12")
def test_no_subcontractor_is_hired_at_an_entrance() -> None:
    """A crew that stays outside gets none."""
    position = Position().slot(0, 2, 0).drilling(0)
    assert position.why_not(Drill(0, ENTRANCES[0], hire=1)) == "no_hire_here"
    assert position.why_not(Drill(0, tile("A1"), hire=1)) == ""
