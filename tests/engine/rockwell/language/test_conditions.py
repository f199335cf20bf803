"""Each fact that a condition may name is read, and what nobody can see is refused."""

from typing import Any

import pytest

from engine.contract import Condition, Either, Every, Foreseen, Test
from engine.orders.shape import Alternative, Order
from engine.rockwell.choices import Pass
from engine.rockwell.geometry import CENTRE, ENTRANCES
from engine.rockwell.language.intents import STAY, DrillBy
from tests.engine.rockwell.language.said import GREEN, line, order, said
from tests.engine.rockwell.position import Position, tile

B3, B4, C3, A6 = tile("B3"), tile("B4"), tile("C3"), tile("A6")


def fact(code: str, *, expected: bool = True, **params: Any) -> Condition:
    """A fact."""
    return Condition(code, params, expected)


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("B3 is revealed", fact("revealed", tile=B3)),
        ("B3 is not revealed", fact("revealed", tile=B3, expected=False)),
        ("B3 isn’t extracted", fact("revealed", tile=B3, expected=False)),
        ("not B3 is revealed", fact("revealed", tile=B3, expected=False)),
        ("red is on B3", fact("on", seat=0, crew=-1, spot=B3)),
        ("red c3 is at core", fact("on", seat=0, crew=2, spot=CENTRE)),
        ("c2 is on C3", fact("on", seat=1, crew=1, spot=C3)),
        ("I am not on entrance 2", fact("on", seat=1, crew=-1, spot=ENTRANCES[1], expected=False)),
        ("power on B3 >= 4", fact("power", tile=B3, seat=-1, op=">=", n=4)),
        ("red power on B3 is more than 4", fact("power", tile=B3, seat=0, op=">", n=4)),
        ("B3 lacks at most 2", fact("lacks", tile=B3, op="<=", n=2)),
        ("B3 requires < 5", fact("requires", tile=B3, op="<", n=5)),
        ("zinc >= 8", fact("cubes", kind=0, op=">=", n=8)),
        ("my zinc ≥ 8", fact("cubes", kind=0, op=">=", n=8)),
        ("I have 8 zinc", fact("cubes", kind=0, op=">=", n=8)),
        ("money < 2,000", fact("money", op="<", n=2000)),
        ("I have at most 2000 money", fact("money", op="<=", n=2000)),
        ("insurance at least 1", fact("insurance", op=">=", n=1)),
        ("round is 3", fact("round", op="=", n=3)),
        ("turn > 4", fact("turn", op=">", n=4)),
        ("dice >= 1", fact("dice", op=">=", n=1)),
        ("bribery tiles != 0", fact("bribery", op="!=", n=0)),
        ("red mobility >= 2", fact("level", seat=0, what="mobility", op=">=", n=2)),
        ("safety is 1", fact("level", seat=1, what="safety", op="=", n=1)),
        ("red holds workshop 1", fact("holds", seat=0, board=2, slot=0)),
        ("I hold control", fact("holds", seat=1, board=0, slot=-1)),
        ("workshop 1 is held by red", fact("holds", seat=0, board=2, slot=0)),
        ("workshop 1 is free", fact("free", board=2, slot=0)),
        ("workshop 1 is taken", fact("free", board=2, slot=0, expected=False)),
        ("B3 is unrevealed", fact("revealed", tile=B3, expected=False)),
        ("B3 is hidden", fact("revealed", tile=B3, expected=False)),
        ("B3 not yet revealed", fact("revealed", tile=B3, expected=False)),
        ("B3 has been revealed", fact("revealed", tile=B3)),
        ("B3 revealed", fact("revealed", tile=B3)),
        ("nobody is on B3", fact("on", seat=-1, crew=-1, spot=B3, expected=False)),
        ("B3 is empty", fact("on", seat=-1, crew=-1, spot=B3, expected=False)),
        ("someone stands on B3", fact("on", seat=-1, crew=-1, spot=B3)),
        ("another is on B3", fact("on", seat=-2, crew=-1, spot=B3)),
        ("red stands on B3", fact("on", seat=0, crew=-1, spot=B3)),
        ("red c1 on B3", fact("on", seat=0, crew=0, spot=B3)),
        ("c2 has a die", fact("has_die", crew=5)),
        ("red c3 has no die", fact("has_die", crew=2, expected=False)),
        ("my c2 power >= 3", fact("crew_power", crew=5, op=">=", n=3)),
        ("red c3 has power 3", fact("crew_power", crew=2, op=">=", n=3)),
        ("B3 power >= 4", fact("power", tile=B3, seat=-1, op=">=", n=4)),
        ("B3 has power 4", fact("power", tile=B3, seat=-1, op=">=", n=4)),
        ("my power on B3 >= 4", fact("power", tile=B3, seat=1, op=">=", n=4)),
        ("red has a mineshaft on B3", fact("mineshaft_on", tile=B3, seat=0)),
        ("there is a mineshaft on B3", fact("mineshaft_on", tile=B3, seat=-1)),
        ("there is no mineshaft on B3", fact("mineshaft_on", tile=B3, seat=-1, expected=False)),
        ("red has control 1", fact("holds", seat=0, board=0, slot=0)),
        ("red is on workshop 2", fact("holds", seat=0, board=2, slot=1)),
        ("red is not on workshop", fact("holds", seat=0, board=2, slot=-1, expected=False)),
        ("board 3 slot 2 is free", fact("free", board=2, slot=1)),
        ("control 1 is red's", fact("holds", seat=0, board=0, slot=0)),
        ("red moves before me", fact("before", first=0, second=1)),
        ("I am after red", fact("before", first=0, second=1)),
        ("I have $2,000", fact("money", op=">=", n=2000)),
        ("I have no gold", fact("cubes", kind=3, op="<", n=1)),
        ("a die is left", fact("dice", op=">=", n=1)),
        ("money is over 2k", fact("money", op=">", n=2000)),
        ("I have less than 3 gold", fact("cubes", kind=3, op="<", n=3)),
        ("I have no more than 3 gold", fact("cubes", kind=3, op="<=", n=3)),
        ("I have exactly 3 gold", fact("cubes", kind=3, op="=", n=3)),
        ("gold is not 3", fact("cubes", kind=3, op="!=", n=3)),
        ("gold is not more than 3", fact("cubes", kind=3, op="<=", n=3)),
        ("I don't have 3 gold", fact("cubes", kind=3, op=">=", n=3, expected=False)),
        ("red does not hold workshop 1", fact("holds", seat=0, board=2, slot=0, expected=False)),
        ("it is round three", fact("round", op="=", n=3)),
        ("gold > zinc", fact("compare", left={"code": "cubes", "kind": 3}, op=">", right={"code": "cubes", "kind": 0})),
        (
            "I have more gold than zinc",
            fact("compare", left={"code": "cubes", "kind": 3}, op=">", right={"code": "cubes", "kind": 0}),
        ),
        (
            "red power on B3 > my power on B3",
            fact(
                "compare",
                left={"code": "power", "tile": B3, "seat": 0},
                op=">",
                right={"code": "power", "tile": B3, "seat": 1},
            ),
        ),
        ("B3 or B4 is revealed", Either((fact("revealed", tile=B3), fact("revealed", tile=B4)))),
        (
            "both B3 and B4 are unrevealed",
            Every((fact("revealed", tile=B3, expected=False), fact("revealed", tile=B4, expected=False))),
        ),
        ("B3 is revealed and red is on B4", Every((fact("revealed", tile=B3), fact("on", seat=0, crew=-1, spot=B4)))),
        ("B3 is revealed or zinc > 3", Either((fact("revealed", tile=B3), fact("cubes", kind=0, op=">", n=3)))),
        (
            "not (B3 is revealed or zinc > 3)",
            Every((fact("revealed", tile=B3, expected=False), fact("cubes", kind=0, op=">", n=3, expected=False))),
        ),
    ],
)
def test_each_fact_is_read_before_and_after(text: str, test: Test) -> None:
    """Everything that a seat can see and may make a condition of."""
    plain = Alternative(Pass())
    assert order(f"if {text}, pass market", seat=GREEN) == Order("market", (plain,), test=test)
    assert order(f"pass market if {text}", seat=GREEN) == Order("market", (Alternative(Pass(), test),))


def test_unless_is_the_opposite_of_if() -> None:
    """Before an order, within it and behind it."""
    unrevealed = fact("revealed", tile=B3, expected=False)
    assert order("unless B3 is revealed, pass market").test == unrevealed
    assert order("pass market unless B3 is revealed").alternatives[0].test == unrevealed
    assert order("drill 2: unless B3 is revealed: c2 to B3 or stay").alternatives[0].test == unrevealed


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("this extracts", Foreseen("extracts")),
        ("it extracts B3", Foreseen("extracts", {"tile": B3})),
        ("I would extract B3", Foreseen("extracts", {"tile": B3})),
        ("B3 would be extracted", Foreseen("extracts", {"tile": B3})),
        ("c2 extracts B3", Foreseen("extracts", {"tile": B3})),
        ("not this extracts", Foreseen("extracts", expected=False)),
        ("this doesn't extract B3", Foreseen("extracts", {"tile": B3}, expected=False)),
        ("it would not extract", Foreseen("extracts", expected=False)),
        ("I don't have priority", Foreseen("priority", {"seat": 1}, expected=False)),
        ("red would share", Foreseen("shares", {"seat": 0})),
        ("I share with red", Foreseen("shares", {"seat": 0})),
        ("I have priority", Foreseen("priority", {"seat": 1})),
        ("priority would be red's", Foreseen("priority", {"seat": 0})),
        ("I am alone", Foreseen("alone")),
    ],
)
def test_a_condition_may_speak_of_what_the_act_itself_would_bring_about(text: str, test: Test) -> None:
    """It stands with the alternative, also where it is written before the order."""
    made = Order("drill", (Alternative(DrillBy(1, B3), test), Alternative(DrillBy(1, STAY))), 2)
    assert order(f"drill 2: c2 to B3 if {text} or stay", seat=GREEN) == made
    both = Order("drill", (Alternative(DrillBy(1, B3), test), Alternative(DrillBy(1, STAY), test)), 2)
    assert order(f"if {text}, drill 2: c2 to B3 or stay", seat=GREEN) == both


def test_of_an_order_that_brings_nothing_about_no_such_condition_is_taken() -> None:
    """A bid extracts nothing."""
    problem = line("bid 1200 if this extracts").problem
    assert problem is not None
    assert problem.code == "not_foreseen"


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("the automaton is on B3", fact("on", seat=2, crew=-1, spot=B3)),
        ("automaton c2 is on B3", fact("on", seat=2, crew=1, spot=B3)),
        ("automaton power on B3 >= 2", fact("power", tile=B3, seat=2, op=">=", n=2)),
        ("automaton c2 power >= 2", fact("crew_power", crew=9, op=">=", n=2)),
        ("automaton would share", Foreseen("shares", {"seat": 2})),
    ],
)
def test_conditions_speak_of_the_automaton_too(text: str, test: Test) -> None:
    """In a game of two; and it is written back in the same words."""
    two = Position(2)
    made = order(f"drill 2: c2 to B3 if {text}", two, GREEN)
    assert made.alternatives[0].test == test
    assert order(said(made, two, GREEN), two, GREEN) == made


def test_a_crew_that_could_be_a_tile_is_asked_back() -> None:
    """`c2 power` is that of a crew or on the tile C2: what was not said is not guessed."""
    problem = line("drill 2: c2 to B3 if c2 power >= 3", seat=GREEN).problem
    assert problem is not None
    assert problem.code == "crew_or_tile"
    assert problem.nearest == "drill 2: c2 to B3 if green c2 power >= 3"


def test_a_condition_belongs_to_its_alternative() -> None:
    """The example of the order language."""
    made = order("drill 2: c2 to C3 if B3 is revealed or stay")
    assert made.alternatives == (Alternative(DrillBy(1, C3), fact("revealed", tile=B3)), Alternative(DrillBy(1, STAY)))


@pytest.mark.parametrize(
    "text",
    [
        "red has 3 gold",
        "red gold > 3",
        "red money < 2000",
        "white has insurance",
        "red has more gold than me",
        "gold > red gold",
        "red bids more",
        "the card is bad",
        "B3 yields gold",
    ],
)
def test_a_condition_on_something_hidden_is_refused(text: str) -> None:
    """What only another seat knows can't be a condition, and the problem says so."""
    problem = line(f"sell 1 gold if {text}", seat=GREEN).problem
    assert problem is not None
    assert problem.code == "hidden"


@pytest.mark.parametrize("text", ["automaton holds workshop", "red is before automaton", "automaton mobility >= 1"])
def test_the_automaton_has_no_slots_levels_or_place_in_an_order(text: str) -> None:
    """What could never be looked up is refused when it is read."""
    assert line(f"drill 2: c2 to B3 if {text}", Position(2), GREEN).problem is not None
