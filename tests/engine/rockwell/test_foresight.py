"""What an act would come to if nothing else changed: the same that it does come to, and nothing that chance decides."""

from random import Random
from typing import Any

import pytest

from engine.chance import RandomChance
from engine.conformance.walk import Position as Moment
from engine.conformance.walk import positions
from engine.contract import Condition, Consequence, Event, Foreseen, Setup
from engine.errors import Illegal
from engine.orders.outlook import consequences
from engine.orders.sheet import Act, met
from engine.rockwell import MODULE
from engine.rockwell.choices import DANGER, DRILL, FIRST, WORKSHOP, Drill, Raise
from engine.rockwell.events import Extracted, Shared
from engine.rockwell.language.intents import DrillBy
from engine.rockwell.state import CONTROL
from engine.spaces import sample
from tests.engine.rockwell.language.said import GREEN, PURPLE, RED, WHITE, reading
from tests.engine.rockwell.position import Position, tile


def told(position: Position, seat: int, intent: Any, round_: int = 1) -> list[Consequence]:
    """The consequences of a drilling act of a seat."""
    view = position.rules.view(position.state, seat)
    return list(position.rules.foresee(view, DRILL, round_, intent)[0])


def scene() -> Position:
    """Red's c1 next to B3, which lacks 1; Green's c1 of power 3 is there."""
    position = Position().tile("B3", 4).crew(RED, 0, "B2").crew(GREEN, 0, "B3", power=3)
    return position.drilling(RED, GREEN, PURPLE, WHITE)


def test_an_extraction_is_foreseen_with_who_shares_and_who_has_priority() -> None:
    """This tile would be extracted; you would share with Green; what is left over would be Green's."""
    assert told(scene(), RED, DrillBy(0, tile("B3"))) == [
        Consequence("extracts", {"tile": tile("B3"), "required": 4, "strength": 4}),
        Consequence("shares", {"tile": tile("B3"), "seat": GREEN}),
        Consequence("priority", {"tile": tile("B3"), "seat": GREEN, "reason": "dominant"}),
    ]


def test_alone_on_a_tile_nobody_shares() -> None:
    """And the mineshaft's owner has priority without a crew there."""
    position = scene().crew(RED, 0, "B2", power=4).crew(GREEN, 0, "C7").mineshaft("B3", WHITE)
    assert told(position, RED, DrillBy(0, tile("B3")))[1:] == [
        Consequence("alone", {"tile": tile("B3")}),
        Consequence("priority", {"tile": tile("B3"), "seat": WHITE, "reason": "mineshaft"}),
    ]


def test_a_hire_that_would_lapse_is_told() -> None:
    """For the move alone extracts the tile."""
    position = scene().slot(CONTROL, 2, RED)
    assert Consequence("lapses", {"part": "hire", "reason": "extracted"}) in told(
        position, RED, DrillBy(0, tile("B3"), hire=1)
    )


def test_what_cant_be_done_has_no_consequences() -> None:
    """It raises the refusal; and of other kinds of decision nothing is foreseen."""
    with pytest.raises(Illegal, match="not_adjacent"):
        told(scene(), RED, DrillBy(0, tile("D7")))
    view = scene().rules.view(scene().state, RED)
    with pytest.raises(Illegal, match="not_foreseen"):
        scene().rules.foresee(view, DANGER, 0, None)


def test_orders_for_later_rounds_are_foreseen_where_those_before_leave_the_crews() -> None:
    """Each once, in order of play; of one that could not be done then it is told why, and of another kind nothing."""
    position = scene().tile("C3", 1)
    view = position.rules.view(position.state, RED)
    orders = reading("drill 2: c1 to C3\ndrill 1: c1 to B3\ndrill 3: c1 to A1\nbid 100", position).orders
    said = [
        (order.round, [each.code for each in found], against.code if against else "")
        for order, found, against in consequences(position.rules, view, orders, "strict")
    ]
    assert said == [
        (1, ["extracts", "shares", "priority"], ""),
        (2, ["extracts", "alone", "priority"], ""),
        (3, [], "not_adjacent"),
    ]


def test_nothing_is_told_against_an_order_behind_a_round_that_is_left_open() -> None:
    """What the silent do there may bring the crew to where the order needs it."""
    position = scene()
    view = position.rules.view(position.state, RED)
    orders = reading("drill 1: c1 to B3\ndrill 3: c1 to A1", position).orders
    found = consequences(position.rules, view, orders, "strict")
    assert [(order.round, against) for order, _, against in found] == [(1, None)]


def test_a_condition_on_what_the_act_brings_about_chooses_the_alternative() -> None:
    """`c1 to B3 if this extracts`: from the view alone."""
    position = scene()
    view = position.rules.view(position.state, RED)
    act = Act(DRILL, 1, DrillBy(0, tile("B3")))
    assert met(position.rules, view, Foreseen("extracts"), act)
    assert met(position.rules, view, Foreseen("extracts", {"tile": tile("B3")}), act)
    assert not met(position.rules, view, Foreseen("extracts", {"tile": tile("B4")}), act)
    assert met(position.rules, view, Foreseen("shares", {"seat": GREEN}), act)
    assert met(position.rules, view, Foreseen("alone", expected=False), act)
    assert not met(position.rules, view, Foreseen("extracts"), Act(DRILL, 1, DrillBy(0, tile("B1"))))
    assert not met(position.rules, view, Foreseen("extracts"), Act(DRILL, 1, DrillBy(0, tile("D1"))))
    assert met(position.rules, view, Condition("revealed", {"tile": tile("B3")}, expected=False), act)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_foreseen_is_what_comes(seats: int, seed: int) -> None:
    """At every drilling act and step in power of random games: the same tiles, powers, sharers and priority."""
    rules = MODULE.bind(Setup(seats))
    foreseen_any = False
    for moment in positions(rules, seed):
        if moment.decision.kind not in (DRILL, WORKSHOP):
            continue
        seat = moment.decision.seats[0]
        choice = sample(rules.space(moment.state, seat), moment.random.randrange)
        if not isinstance(choice, Drill | Raise):
            continue
        intent = DrillBy(*choice.__reduce__()[1]) if isinstance(choice, Drill) else choice
        view = rules.view(moment.state, seat)
        found, _ = rules.foresee(view, moment.decision.kind, moment.decision.round, intent)
        if any(each.code == "chooses" for each in found):
            continue
        extracted = [(each.params["tile"], each.params["strength"]) for each in found if each.code == "extracts"]
        shares = [each.params["seat"] for each in found if each.code == "shares"]
        priority = [(each.params["seat"], each.params["reason"]) for each in found if each.code == "priority"]
        events = [event.data for event in carried_out(moment, seat, choice)]
        mine = [event for event in events if isinstance(event, Extracted) and event.seat == seat]
        tiles = [event.tile for event in mine]
        divided = [event for event in events if isinstance(event, Shared) and event.tile in tiles]
        assert extracted == [(event.tile, event.strength) for event in mine]
        assert shares == [share.seat for event in divided for share in event.shares if share.seat != seat]
        assert priority == [(event.priority, event.reason) for event in divided]
        foreseen_any = foreseen_any or bool(extracted)
    assert foreseen_any


def carried_out(moment: Moment, seat: int, choice: Any) -> list[Event]:
    """What happens when the choice is made, danger and all answered by default."""
    events: list[Event] = []
    chance = RandomChance(Random(moment.number))
    moment.rules.apply(moment.state, {seat: choice}, chance, events)
    while (decision := moment.rules.pending(moment.state)) is not None and decision.kind in (DANGER, FIRST):
        answers = {each: moment.rules.default(moment.state, each) for each in decision.seats}
        moment.rules.apply(moment.state, answers, chance, events)
    return events
