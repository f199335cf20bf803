"""Danger: RW-DNG."""

from typing import Any

import pytest

from engine.rockwell.choices import Cover, Drill
from engine.rockwell.events import DangerStruck
from engine.rockwell.state import Cubes
from tests.engine.rockwell.position import Position, tile


def struck(
    booty: Cubes, power: int = 2, safety: int = 0, insurance: int = 0, cover: int | None = None, **options: Any
) -> tuple[Position, DangerStruck]:
    """Red alone extracts a dangerous card; what danger did to it."""
    position = Position(**options).crew(0, 0, "D3", power).tile("D4", power).card(booty, danger=True)
    position.stock(0, (0, 0, 0, 0), insurance=insurance).levels(0, safety=safety).drilling(0)
    position.do(Drill(0, tile("D4")))
    if position.asked()[0] == "danger":
        position.do(Cover(cover or 0))
    return position, position.told(DangerStruck)[0]


@pytest.mark.rule("RW-DNG-1")
def test_each_company_loses_as_many_cubes_as_its_power_the_most_valuable_first() -> None:
    """Red 1 and 2 with a die of 1 lose four, Green 1 loses one."""
    position = Position().crew(0, 0, "C4").crew(0, 1, "C3", 2, die=1).crew(1, 0, "C4").tile("C4", 5)
    position.stock(0, money=9000).card((4, 4, 4, 4), danger=True).drilling(0).do(Drill(1, tile("C4"), die=1))
    red, green = position.told(DangerStruck)
    assert (red.power, red.booty, red.lost, red.kept) == (4, (2, 2, 2, 2), (0, 0, 2, 2), (2, 2, 0, 0))
    assert (green.power, green.lost, green.kept) == (1, (0, 0, 0, 1), (2, 2, 2, 1))
    assert position.company(0).cubes == [5, 4, 1, 0]
    safe = Position().crew(0, 0, "C3", 2).tile("C4", 2).card((4, 0, 0, 0)).drilling(0).do(Drill(0, tile("C4")))
    assert not safe.told(DangerStruck)
    assert safe.company(0).cubes[0] == 7


@pytest.mark.rule("RW-DNG-2")
def test_a_company_with_only_a_mineshaft_loses_nothing() -> None:
    """What is left over is its own."""
    position = Position().crew(0, 0, "C3", 2).crew(1, 0, "C4", 2).mineshaft("C4", 2).tile("C4", 4)
    position.card((0, 0, 0, 3), danger=True).drilling(0).do(Drill(0, tile("C4")))
    assert [event.seat for event in position.told(DangerStruck)] == [0, 1]
    assert position.company(2).cubes[3] == 1


@pytest.mark.rule("RW-DNG-3")
@pytest.mark.parametrize(("safety", "lost"), [(0, 4), (1, 3), (2, 1), (3, 0)])
def test_safety_lowers_the_loss(safety: int, lost: int) -> None:
    """By 1, by 3, to nothing; what is told as saved is never more than would have been lost."""
    _, event = struck((0, 0, 0, 6), power=4, safety=safety)
    assert sum(event.lost) == lost
    assert (event.cut, event.safety) == (4, 4 - lost)
    _, small = struck((0, 0, 0, 1), power=4, safety=safety)
    assert (small.cut, small.safety) == (1, min(1, safety))


@pytest.mark.rule("RW-DNG-13")
def test_safety_is_counted_before_insurance() -> None:
    """Of a loss of 2 safety saves 1, so only one insurance tile may be discarded."""
    position = Position().crew(0, 0, "C3", 2).tile("C4", 2).card((0, 0, 0, 4), danger=True)
    position.stock(0, insurance=5).levels(0, safety=1).drilling(0).do(Drill(0, tile("C4")))
    assert position.offered("insurance") == [0, 1]
    assert position.why_not(Cover(2)) == "more_than_lost"
    position.do(Cover(1))
    (event,) = position.told(DangerStruck)
    assert (event.cut, event.safety, event.insurance, event.lost) == (2, 1, 1, (0, 0, 0, 0))
    assert position.company(0).insurance == 4


@pytest.mark.rule("RW-DNG-9", "RW-DNG-6")
def test_protection_lowers_how_many_are_lost_never_which() -> None:
    """Of 3 to lose one is insured: the gold and the silver go, the copper stays copper."""
    position, event = struck((2, 1, 1, 1), power=3, insurance=1, cover=1)
    assert event.lost == (0, 0, 1, 1)
    assert event.kept == (2, 1, 0, 0)
    assert position.company(0).cubes == [2, 1, 0, 0]


@pytest.mark.rule("RW-DNG-4")
def test_how_many_insurance_tiles_are_discarded_is_its_choice() -> None:
    """Any number up to the loss, and no more than it holds."""
    for cover in range(3):
        position, event = struck((0, 0, 0, 5), power=2, insurance=4, cover=cover)
        assert (event.insurance, sum(event.lost)) == (cover, 2 - cover)
        assert position.company(0).insurance == 4 - cover
    few = Position().crew(0, 0, "C3", 3).tile("C4", 3).card((0, 0, 0, 4), danger=True).stock(0, insurance=1)
    few.drilling(0).do(Drill(0, tile("C4")))
    assert few.why_not(Cover(2)) == "more_than_held"


@pytest.mark.rule("RW-DNG-5", "RW-DNG-12")
def test_never_more_insurance_nor_loss_than_its_booty() -> None:
    """Power 4, booty 1: one tile at most, one cube at most, and the stock is not touched."""
    position = Position().crew(0, 0, "C3", 4).tile("C4", 4).card((1, 0, 0, 0), danger=True)
    position.stock(0, (5, 5, 5, 5), insurance=4).drilling(0).do(Drill(0, tile("C4")))
    assert position.offered("insurance") == [0, 1]
    position.do(Cover(0))
    assert position.company(0).cubes == [5, 5, 5, 5]
    assert position.told(DangerStruck)[0].lost == (1, 0, 0, 0)


@pytest.mark.rule("RW-DNG-7")
def test_example_of_safety() -> None:
    """Power 2, booty 1 G and 1 S, safety 1: the gold is lost."""
    position, event = struck((0, 0, 1, 1), power=2, safety=1)
    assert event.lost == (0, 0, 0, 1)
    assert position.company(0).cubes == [0, 0, 1, 0]


@pytest.mark.rule("RW-DNG-8")
@pytest.mark.parametrize(("cover", "lost"), [(0, (0, 0, 1, 2)), (3, (0, 0, 0, 0)), (2, (0, 0, 0, 1))])
def test_example_of_insurance(cover: int, lost: Cubes) -> None:
    """Crews of power 1 and 2 lose the three most valuable; with three tiles none, with two the most valuable."""
    position = Position().crew(0, 0, "C4").crew(0, 1, "C3", 2).tile("C4", 3).card((2, 2, 2, 2), danger=True)
    position.stock(0, insurance=3).drilling(0).do(Drill(1, tile("C4"))).do(Cover(cover))
    assert position.told(DangerStruck)[0].lost == lost


@pytest.mark.rule("RW-DNG-10")
def test_insurance_is_chosen_at_the_same_time_and_who_has_some_does_not_show() -> None:
    """All that lose and may be insured are asked, in a private sealed decision; what was discarded is public."""

    def at_danger(insurance: int) -> Position:
        position = Position().crew(0, 0, "C3", 2).crew(1, 0, "C4", 2).crew(2, 0, "C4").tile("C4", 5)
        position.card((4, 4, 4, 4), danger=True).levels(2, safety=1)
        position.stock(0, (3, 2, 1, 0), insurance=2).stock(1, (4 - insurance, 2, 1, 0), insurance=insurance)
        return position.stock(2, insurance=1).drilling(0).do(Drill(0, tile("C4")))

    with_some, with_none = at_danger(1), at_danger(0)
    for position in (with_some, with_none):
        decision = position.rules.pending(position.state)
        assert decision is not None
        assert (decision.seats, decision.sealed, decision.private) == ((0, 1), True, True)
    assert with_some.rules.view(with_some.state, 0) == with_none.rules.view(with_none.state, 0)
    with_some.do(Cover(2), Cover(1))
    assert [event.insurance for event in with_some.told(DangerStruck)] == [2, 1, 0]
    assert all(event.seats is None for event in with_some.events)


def test_one_that_can_not_be_insured_for_all_that_is_known_is_not_asked() -> None:
    """Nobody has insured since the game began."""
    position = Position().crew(0, 0, "C3", 2).tile("C4", 2).card((4, 0, 0, 0), danger=True).drilling(0)
    position.do(Drill(0, tile("C4")))
    assert position.asked() == ("drill", (1,))
    assert position.company(0).cubes[0] == 5


@pytest.mark.rule("RW-DNG-11")
def test_the_loss_is_cut_to_the_booty_before_safety() -> None:
    """Power 4, booty 1 G and 1 S, safety 1: the gold alone; with `safety_before_cut` both."""
    _, event = struck((0, 0, 1, 1), power=4, safety=1)
    assert (event.cut, event.lost) == (2, (0, 0, 0, 1))
    _, event = struck((0, 0, 1, 1), power=4, safety=1, safety_before_cut=True)
    assert event.lost == (0, 0, 1, 1)


@pytest.mark.rule("RW-DNG-14")
def test_share_and_what_was_left_over_are_both_at_risk() -> None:
    """Red dominant gets 1 G and 1 G left over and loses both; with `danger_spares_leftover` only the share's."""

    def gold(**options: Any) -> int:
        position = Position(**options).crew(0, 0, "C3", 3).crew(1, 0, "C4").tile("C4", 4)
        position.card((0, 0, 0, 3), danger=True).drilling(0).do(Drill(0, tile("C4")))
        return position.company(0).cubes[3]

    assert gold() == 0
    assert gold(danger_spares_leftover=True) == 1
