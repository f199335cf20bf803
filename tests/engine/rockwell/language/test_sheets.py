"""A sheet of Rockwell's orders: what replaces what, and what it answers when a decision comes up."""

import msgspec

from engine.orders.sheet import Sheet, Tried
from engine.rockwell.choices import Cover, Drill, Place
from engine.rockwell.state import CONTROL, EXCHANGE, WORKSHOP, Danger, Drilling, Placing, Spoil
from tests.engine.rockwell.language.said import GREEN, RED, answered, order, reading, said
from tests.engine.rockwell.position import Position, tile


def lines(sheet: Sheet) -> list[str]:
    """The sheet in its normal form."""
    return [said(kept.order) for kept in sheet.orders]


def sheet(*submissions: str) -> Sheet:
    """The sheet after some submissions."""
    made = Sheet()
    for number, text in enumerate(submissions, 1):
        made = made.with_submission(number, reading(text).orders)
    return made


FIRST = """bid 1200
place workshop 1
place exchange
drill 1: c1 to A1
drill 2: c1 to B1
drill any: c2 to A3
always danger: all
danger: insurance 1
sell 1 zinc
buy 1 copper"""


def test_a_submission_replaces_the_kinds_and_rounds_that_it_mentions() -> None:
    """Kind by kind and round by round; all other lines stay, and lines of a kind stand as they were written."""
    after = sheet(FIRST, "drill 2: c1 stay\nplace control 2\nsell 2 zinc")
    assert lines(after) == [
        "bid 1200",
        "drill 1: c1 to A1",
        "drill any: c2 to A3",
        "always danger all",
        "danger insurance 1",
        "drill 2: c1 stay",
        "place control 2",
        "sell 2 zinc",
    ]


def test_standing_orders_replace_standing_orders_alone() -> None:
    """And orders for once those for once."""
    assert lines(sheet(FIRST, "always danger: none"))[-1] == "always danger nothing"
    assert "danger insurance 1" in lines(sheet(FIRST, "always danger: none"))
    assert "always danger all" in lines(sheet(FIRST, "danger: none"))
    assert lines(sheet(FIRST).standing()) == ["always danger all"]


def test_a_kind_a_round_or_what_stands_for_good_can_be_cancelled() -> None:
    """`cancel drill`, `cancel drill 2`, `never mind danger`."""
    whole = sheet(FIRST)
    assert not [line for line in lines(whole.without("drill")) if line.startswith("drill")]
    assert [line for line in lines(whole.without("drill", 2)) if line.startswith("drill")] == [
        "drill 1: c1 to A1",
        "drill any: c2 to A3",
    ]
    assert "danger insurance 1" in lines(whole.without_standing("danger"))
    assert "always danger all" not in lines(whole.without_standing())


def test_the_first_legal_alternative_answers() -> None:
    """And which one it was is known."""
    position = Position().slot(WORKSHOP, 0, GREEN).step(Placing(0))
    answer = answered("place workshop 1 or workshop 2 or exchange", position)
    assert (answer.choice, answer.ref, answer.alternative) == (Place(WORKSHOP, 1), (1, 0), 1)


def test_a_second_line_is_for_the_second_vice_president() -> None:
    """A line is used once; the next one answers after it."""
    position = Position().step(Placing(0))
    text = "place workshop 1\nplace exchange 1 or control 1"
    assert answered(text, position).choice == Place(WORKSHOP, 0)
    position.slot(WORKSHOP, 0, RED)
    later = answered(text, position, used=frozenset({(1, 0)}))
    assert (later.choice, later.ref) == (Place(EXCHANGE, 0), (1, 1))


def test_what_was_tried_before_says_why_not() -> None:
    """A condition that did not hold, and a refusal with its figures."""
    position = Position().slot(CONTROL, 0, GREEN).step(Placing(0))
    answer = answered("place workshop if green holds workshop\nplace control 1\nplace exchange 2", position)
    assert answer.choice == Place(EXCHANGE, 1)
    fact = order("if green holds workshop, pass market").test
    assert answer.tried == (
        Tried((1, 0), "condition", {"fact": msgspec.to_builtins(fact)}),
        Tried((1, 1), "slot_taken", {"board": CONTROL, "slot": 0, "seat": GREEN}),
    )


def test_a_round_is_answered_by_its_own_lines_and_those_for_any() -> None:
    """In the order written."""
    position = Position().crew(RED, 0, "B3").drilling(RED, round_=2)
    text = "drill 1: c1 to B4\ndrill any: c1 to B2 if B4 is revealed\ndrill 2: c1 to C3"
    assert answered(text, position).choice == Drill(0, tile("C3"))
    assert answered(text, position.reveal("B4")).choice == Drill(0, tile("B2"))


def test_a_condition_chooses_between_alternatives() -> None:
    """The example of the order language."""
    position = Position().crew(RED, 1, "B2").drilling(RED, round_=2)
    text = "drill 2: c2 to C2 if B3 is revealed or stay"
    assert answered(text, position).choice == Drill(1, tile("B2"))
    assert answered(text, position.reveal("B3")).choice == Drill(1, tile("C2"))


def test_an_order_for_once_comes_before_what_stands_for_good() -> None:
    """Else a line for this turn would never be used once something stands for its kind."""
    position = Position().crew(RED, 0, "B3").drilling(RED, round_=2)
    text = "always drill: any crew stay\ndrill 2: c1 to C3"
    assert answered(text, position).choice == Drill(0, tile("C3"))
    assert answered(text, position, used=frozenset({(1, 1)})).choice == Drill(0, tile("B3"))


def test_a_standing_order_answers_as_often_as_it_fits() -> None:
    """Used or not."""
    spoil = Spoil(RED, 2, (4, 0, 0, 0), (0, 0, 0, 0), 2, 2)
    position = Position().stock(RED, insurance=5).step(Drilling(1, 0), Danger(tile("B3"), RED, (spoil,), (RED,)))
    assert answered("always danger: all", position, used=frozenset({(1, 0)})).choice == Cover(2)
    assert answered("danger: all", position, used=frozenset({(1, 0)})).choice is None
