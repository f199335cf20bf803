"""Every order of Rockwell's table is read, in many ways of writing."""

from typing import Any

import pytest

from engine.orders.shape import Alternative, Order
from engine.rockwell.choices import (
    LEFT,
    AutomatonMove,
    AutomatonRaise,
    Deliver,
    First,
    Mineshaft,
    Mobility,
    MoveMineshaft,
    Pass,
    Raise,
    Safety,
)
from engine.rockwell.geometry import BORDER, CENTRE
from engine.rockwell.language.intents import (
    ALL,
    ANY,
    SAME,
    STAY,
    WITH,
    BidOf,
    Buy,
    CoverBy,
    DrillBy,
    InsureOf,
    PlaceOn,
    Sell,
)
from engine.rockwell.state import Workshop
from tests.engine.rockwell.language.said import GREEN, line, order, reading, said
from tests.engine.rockwell.position import Position, tile

B3, B4, C3, A6 = tile("B3"), tile("B4"), tile("C3"), tile("A6")


@pytest.mark.parametrize(
    ("text", "kind", "intents"),
    [
        ("bid 1200 + 2 zinc + 1 copper", "bid", [BidOf(1200, (2, 1, 0, 0))]),
        ("Bid $1,200, 2 zinc and 1 copper", "bid", [BidOf(1200, (2, 1, 0, 0))]),
        ("bid 2z 1c 1.200", "bid", [BidOf(1200, (2, 1, 0, 0))]),
        ("bid nothing", "bid", [BidOf(0, (0, 0, 0, 0))]),
        ("bid $1.2k plus two zinc", "bid", [BidOf(1200, (2, 0, 0, 0))]),
        ("bid €1.200,00", "bid", [BidOf(1200, (0, 0, 0, 0))]),
        ("bid １２００", "bid", [BidOf(1200, (0, 0, 0, 0))]),
        ("bid all gold + 300 or nothing", "bid", [BidOf(300, (0, 0, 0, ALL)), BidOf(0, (0, 0, 0, 0))]),
        ("place workshop 1 or workshop 2", "place", [PlaceOn(2, 0), PlaceOn(2, 1)]),
        ("place control center 3 or stock exchange", "place", [PlaceOn(0, 2), PlaceOn(1)]),
        ("place exch 1", "place", [PlaceOn(1, 0)]),
        ("place board 3 slot 1", "place", [PlaceOn(2, 0)]),
        ("place workshop1", "place", [PlaceOn(2, 0)]),
        ("vp 1: workshop 1", "place", [PlaceOn(2, 0)]),
        ("market: sell 3 gold", "market", [Sell(3, 3)]),
        ("workshop: pass", "workshop", [Pass()]),
        ("build a mineshaft on B4", "workshop", [Mineshaft(B4)]),
        ("move my mineshaft from A6 to C3", "workshop", [MoveMineshaft(A6, C3)]),
        ("safety level 2", "workshop", [Safety()]),
        ("deliver the gold tile", "workshop", [Deliver(3)]),
        ("automaton raise c2", "automaton_step", [AutomatonRaise(1)]),
        ("insure 2 zinc, 1 copper", "insure", [InsureOf((2, 1, 0, 0))]),
        ("insure nothing", "insure", [InsureOf((0, 0, 0, 0))]),
        ("insure all", "insure", [InsureOf((ALL, ALL, ALL, ALL))]),
        ("first B3", "first", [First(B3)]),
        ("danger: insurance 2", "danger", [CoverBy(2)]),
        ("danger 2", "danger", [CoverBy(2)]),
        ("danger: keep gold or all", "danger", [CoverBy(ALL, 3), CoverBy(ALL)]),
        ("sell 3 gold", "market", [Sell(3, 3)]),
        ("sell all my gold or 2 silver or buy 1 zinc or pass", "market", [Sell(3, ALL), Sell(2, 2), Buy(0, 1), Pass()]),
        ("buy 2 zinc", "market", [Buy(0, 2)]),
        ("pass market", "market", [Pass()]),
        ("power c2", "workshop", [Raise(1)]),
        ("safety", "workshop", [Safety()]),
        ("mobility or power crew 2", "workshop", [Mobility(), Raise(1)]),
        ("mineshaft B4", "workshop", [Mineshaft(B4)]),
        ("move mineshaft A6 to C3", "workshop", [MoveMineshaft(A6, C3)]),
        ("move mineshaft to C3", "workshop", [MoveMineshaft(ANY, C3)]),
        ("deliver zinc or copper", "workshop", [Deliver(0), Deliver(1)]),
        ("pass workshop", "workshop", [Pass()]),
        ("automaton: c1 to A6", "automaton_move", [AutomatonMove(0, A6)]),
        ("automaton power c2", "automaton_step", [AutomatonRaise(1)]),
    ],
)
def test_each_order_of_the_table_is_read(text: str, kind: str, intents: list[Any]) -> None:
    """The lines of the table, and others that mean the same."""
    assert order(text) == Order(kind, tuple(Alternative(intent) for intent in intents))


@pytest.mark.parametrize(
    ("text", "round_", "intents"),
    [
        ("drill 1: c2 to B3, hire 2", 1, [DrillBy(1, B3, hire=2)]),
        ("Drill 1 - C2 -> b3 hire 2", 1, [DrillBy(1, B3, hire=2)]),
        ("drill round 1: move c2 to B3 and hire a 2", 1, [DrillBy(1, B3, hire=2)]),
        ("drill 2: c1 stay, bribe red c3", 2, [DrillBy(0, STAY, bribe=2)]),
        ("drill 2: c1 stays and bribes red's c3", 2, [DrillBy(0, STAY, bribe=2)]),
        ("drill 2: c1 stay, bribe red c3 onto B4", 2, [DrillBy(0, STAY, bribe=2, onto=B4)]),
        ("drill 3: c4 straddle B3 B4", 3, [DrillBy(3, BORDER + B3)]),
        ("drill 3: c4 straddle B4/B3", 3, [DrillBy(3, BORDER + B3)]),
        ("drill 3: c4 straddle B4", 3, [DrillBy(3, WITH + B4)]),
        ("drill any: c3 to A6, bring die 1", 0, [DrillBy(2, A6, die=1)]),
        ("drill: c3 to A6, bring die", 0, [DrillBy(2, A6, die=SAME)]),
        ("drill any: c3 to A6, leave die", 0, [DrillBy(2, A6, die=LEFT)]),
        ("drill 4: c3 to core", 4, [DrillBy(2, CENTRE)]),
        ("drill 4: c3 to the centre", 4, [DrillBy(2, CENTRE)]),
        ("drill 1: c1 to B3 then C3", 1, [DrillBy(0, B3, C3)]),
        ("drill 1: c1 to B3 then straddle C3 C4, hire 1", 1, [DrillBy(0, B3, BORDER + C3, hire=1)]),
        ("drill 1: c1 to B3, hire 2 anyway", 1, [DrillBy(0, B3, hire=2, anyway=True)]),
        ("drill 1: stay", 1, [DrillBy(ANY, STAY)]),
        ("drill1: c2 to B3", 1, [DrillBy(1, B3)]),
        ("drill one) c2 to B3", 1, [DrillBy(1, B3)]),
        ("drill 1: c2 to B3 (hire 2)", 1, [DrillBy(1, B3, hire=2)]),
        ("drill 1: c2 to B3. Hire 2", 1, [DrillBy(1, B3, hire=2)]),
        ("drill 1: c2 to B3 with hire of subcontractor of power two", 1, [DrillBy(1, B3, hire=2)]),
        ("drill 2: c1 staying, bribing c3 of red", 2, [DrillBy(0, STAY, bribe=2)]),
        ("drill 2: c1 stay, bribe red 3", 2, [DrillBy(0, STAY, bribe=2)]),
        ("drill 2: c1 to border B3 B4", 2, [DrillBy(0, BORDER + B3)]),
        ("drill any: c3 to A6 without die", 0, [DrillBy(2, A6, die=LEFT)]),
        (
            "drill 1: c2 to B3 or B4 or C3 or c3 to A6 or stay",
            1,
            [DrillBy(1, B3), DrillBy(1, B4), DrillBy(1, C3), DrillBy(2, A6), DrillBy(2, STAY)],
        ),
        ("drill 1: green c2 to B3 or any crew stay", 1, [DrillBy(1, B3), DrillBy(ANY, STAY)]),
    ],
)
def test_each_drilling_order_is_read(text: str, round_: int, intents: list[Any]) -> None:
    """Rounds, moves of every kind, dice, hires and bribes; a crew is carried on to the next alternative."""
    assert order(text, seat=GREEN) == Order("drill", tuple(Alternative(intent) for intent in intents), round_)


@pytest.mark.parametrize(
    "amount", [("insurance 2", CoverBy(2)), ("all", CoverBy(ALL)), ("none", CoverBy(0)), ("keep gold", CoverBy(ALL, 3))]
)
def test_what_to_do_in_danger_may_stand_for_good(amount: tuple[str, CoverBy]) -> None:
    """`always danger: …`."""
    assert order(f"always danger: {amount[0]}") == Order("danger", (Alternative(amount[1]),), always=True)


MAIL = """Hi,

My orders for turn 3:

1. I'll bid 1,500 + 1 gold
2) VPs: workshop 1, else control 2
   * Drill 1 - C2 to B3 & hire a 2
   * Drill 2: C2 -> B4. Drill 3: crew 3 stays
buy safety
skip market

> bid 9000
Thanks!
--
Anna"""


def test_a_pass_in_a_drilling_round_is_a_crew_that_stays_and_told() -> None:
    """For a company always plays a crew."""
    read_ = line("drill 1: pass")
    assert read_.order == Order("drill", (Alternative(DrillBy(ANY, STAY)),), 1)
    assert read_.doubts == (("pass", "stay"),)


def test_a_letter_as_a_player_writes_it_is_read() -> None:
    """Greetings, numbering, bullets, quotes, two orders in a line, other words for the same."""
    read_ = reading(MAIL, seat=GREEN)
    assert [said(made, seat=GREEN) for made in read_.orders] == [
        "bid 1500 + 1 gold",
        "place workshop 1 or control 2",
        "drill 1: c2 to B3, hire 2",
        "drill 2: c2 to B4",
        "drill 3: c3 stay",
        "safety",
        "pass market",
    ]
    assert not read_.problems
    assert [line_.text for line_ in read_.lines if (line_.order, line_.command) == (None, None)] == [
        "Hi,",
        "My orders for turn 3:",
        "> bid 9000",
        "Thanks!",
        "--",
        "Anna",
    ]


def test_a_pass_belongs_to_the_phase_of_the_order_before_it() -> None:
    """After a sale to the market, after an action to the workshop, else to what is asked now."""
    assert [o.kind for o in reading("sell 1 zinc\npass\npower c1\npass").orders] == [
        "market",
        "market",
        "workshop",
        "workshop",
    ]
    assert order("pass", Position().step(Workshop(0))).kind == "workshop"


def test_words_misspelt_or_shortened_are_taken_and_told() -> None:
    """As far as they mean but one thing."""
    read_ = line("plce worksop 1 or exch 2")
    assert read_.order == order("place workshop 1 or exchange 2")
    assert read_.doubts == (("plce", "place"), ("worksop", "workshop"), ("exch", "exchange"))
