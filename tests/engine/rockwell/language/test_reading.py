"""Every order of Rockwell's table is read, in many ways of writing, and written back to the same order."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contract import Condition, Either, Every, Setup, Test
from engine.orders.lexicon import lexicon, tongues
from engine.orders.reader import read
from engine.orders.shape import Alternative, Order
from engine.orders.writer import write
from engine.rockwell import MODULE
from engine.rockwell.choices import (
    LEFT,
    NOT_SAID,
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
from engine.rockwell.geometry import BORDER, CENTRE, ENTRANCES
from engine.rockwell.language import INTENTS, LANGUAGE
from engine.rockwell.language.facts import COUNTS, LEVELS
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
from tests.engine.rockwell.language.said import GREEN, RED, line, order, reading, said
from tests.engine.rockwell.position import Position, spot, tile

B3, B4, C3, A6 = tile("B3"), tile("B4"), tile("C3"), tile("A6")


@pytest.mark.parametrize(
    ("text", "kind", "intents"),
    [
        ("bid 1200 + 2 zinc + 1 copper", "bid", [BidOf(1200, (2, 1, 0, 0))]),
        ("Bid $1,200, 2 zinc and 1 copper", "bid", [BidOf(1200, (2, 1, 0, 0))]),
        ("bid 2z 1c 1.200", "bid", [BidOf(1200, (2, 1, 0, 0))]),
        ("bid nothing", "bid", [BidOf(0, (0, 0, 0, 0))]),
        ("bid all gold + 300 or nothing", "bid", [BidOf(300, (0, 0, 0, ALL)), BidOf(0, (0, 0, 0, 0))]),
        ("place workshop 1 or workshop 2", "place", [PlaceOn(2, 0), PlaceOn(2, 1)]),
        ("place control center 3 or stock exchange", "place", [PlaceOn(0, 2), PlaceOn(1)]),
        ("place exch 1", "place", [PlaceOn(1, 0)]),
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


def test_a_condition_belongs_to_its_alternative() -> None:
    """The example of the order language."""
    made = order("drill 2: c2 to C3 if B3 is revealed or stay")
    assert made.alternatives == (Alternative(DrillBy(1, C3), fact("revealed", tile=B3)), Alternative(DrillBy(1, STAY)))


@pytest.mark.parametrize("text", ["red has 3 gold", "red gold > 3", "red money < 2000", "white has insurance"])
def test_a_condition_on_something_hidden_is_refused(text: str) -> None:
    """What only another seat knows can't be a condition, and the problem says so."""
    problem = line(f"sell 1 gold if {text}", seat=GREEN).problem
    assert problem is not None
    assert problem.code in ("hidden", "number_expected")


@pytest.mark.parametrize(
    ("text", "code", "token", "nearest"),
    [
        ("drill 2: c2 to B9", "tile_expected", "b9", "drill 2: c2 to B8"),
        ("drill 2: c7 to B3", "no_such_crew", "c7", "drill 2: c1 to B3"),
        ("drill 7: c2 to B3", "out_of_range", "7", "drill 4: c2 to B3"),
        ("drill 2: to B3", "crew_expected", "to", "drill 2: c1 to B3"),
        ("drill 2: c2 straddle B3 C3", "no_border", "c3", "drill 2: c2 straddle B2 B3"),
        ("drill 2: c2 to B3, bribe c3", "whose_crew", "c3", "drill 2: c2 to B3, bribe red c3"),
        ("drill 2: red c2 to B3", "not_your_crew", "red", "drill 2: c2 to B3"),
        ("drill 2: c2 to B3, hire 5", "out_of_range", "5", "drill 2: c2 to B3, hire 1"),
        ("bid 3 diamonds", "too_much", "diamonds", "bid 3"),
        ("bid 2900, sorry", "number_expected", "sorry", "bid 2900"),
        ("bid 1000 +", "ends_early", "", "bid 1000"),
        ("insure 2", "cube_expected", "", "insure 2 zinc"),
        ("place bar 1", "unknown_word", "bar", ""),
        ("place workshop 5", "out_of_range", "5", "place workshop 1"),
        ("sell 0 gold", "trade_of_nothing", "0", "sell 1 gold"),
        ("sell gold", "ends_early", "", "sell 1 gold"),
        ("bid 12 00", "too_much", "00", "bid 12"),
        ("pass", "say_which", "", "pass market"),
        ("always insurance 2", "no_order", "insurance", ""),
        ("bidd 3000", "no_order_word", "bidd", "bid 3000"),
        ("plase workshop 1", "no_order_word", "plase", "place workshop 1"),
        ("c2 to B3", "no_order_word", "c2", "drill any: c2 to B3"),
        ("1200 + 2 zinc", "no_order_word", "1200", "bid 1200 + 2 zinc"),
    ],
)
def test_what_cant_be_read_comes_back_with_the_nearest(text: str, code: str, token: str, nearest: str) -> None:
    """What is wrong, at which word, and a line that would be readable."""
    problem = line(text, seat=GREEN).problem
    assert problem is not None
    assert (problem.code, problem.token) == (code, token)
    if nearest:
        assert problem.nearest == nearest


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


def test_no_two_words_that_can_meet_are_spelt_alike() -> None:
    """In any tongue for which there are catalogs; and each head has a model line that reads."""
    for tongue in tongues(LANGUAGE.words):
        words = lexicon(LANGUAGE.words, tongue)
        assert words.clashes == []
        view = Position().rules.view(Position().state, RED)
        for head, kinds in LANGUAGE.heads.items():
            (made,) = read(words.templates[head], LANGUAGE, view, tongue).orders
            assert made.kind in kinds


def test_the_companies_of_the_language_are_those_of_the_game() -> None:
    """In the same order."""
    view = Position().rules.view(Position().state, RED)
    assert tuple(LANGUAGE.seats(view)) == MODULE.seat_names


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_an_order_written_reads_back_to_itself(seed: int) -> None:
    """The normal form that the acknowledgement shows is the order; it survives storage as well."""
    random = Random(seed)
    seat = random.randrange(4)
    made = random_order(random, seat)
    text = said(made, seat=seat)
    assert reading(text, seat=seat).orders == (made,), text
    stored = msgspec.msgpack.encode(made.alternatives[0].intent)
    assert msgspec.msgpack.decode(stored, type=INTENTS) == made.alternatives[0].intent


def random_order(random: Random, seat: int) -> Order:
    """Any order, with conditions."""
    kind = random.choice(
        ("bid", "place", "insure", "drill", "first", "danger", "market", "workshop", "automaton_move", "automaton_step")
    )
    alternatives = tuple(
        Alternative(random_intent(kind, random, seat), random.choice((None, random_test(random, 1))))
        for _ in range(random.randrange(1, 4))
    )
    round_ = random.randrange(5) if kind == "drill" else 0
    return Order(kind, alternatives, round_, random.choice((None, random_test(random, 1))), random.random() < 0.3)


def random_cubes(random: Random) -> tuple[int, int, int, int]:
    """Any amounts."""
    return tuple(random.choice((0, 0, 1, 7, ALL)) for _ in range(4))  # type: ignore[return-value]


def random_intent(kind: str, random: Random, seat: int) -> Any:
    """Any intent of that kind."""
    spot_, crew, kind_ = random.randrange(32), random.randrange(4), random.randrange(4)
    if kind == "bid":
        return BidOf(random.choice((0, 100, 2400, ALL)), random_cubes(random))
    if kind == "drill":
        return random_drill(random, seat)
    choices: dict[str, list[Any]] = {
        "place": [PlaceOn(random.randrange(3), random.randrange(-1, 4))],
        "insure": [InsureOf(random_cubes(random))],
        "first": [First(spot_)],
        "danger": [CoverBy(random.randrange(-1, 5)), CoverBy(ALL, kind_)],
        "market": [Sell(kind_, 3), Buy(kind_, ALL), Pass()],
        "workshop": [
            Raise(crew),
            Safety(),
            Mobility(),
            Mineshaft(spot_),
            MoveMineshaft(spot_, 3),
            MoveMineshaft(ANY, spot_),
            Deliver(kind_),
            Pass(),
        ],
        "automaton_move": [AutomatonMove(crew, spot_)],
        "automaton_step": [AutomatonRaise(crew)],
    }
    return random.choice(choices[kind])


def random_drill(random: Random, seat: int) -> DrillBy:
    """Any act of a drilling round; nobody bribes its own."""
    if random.random() < 0.1:
        return DrillBy(ANY, STAY)
    crew, moves = random.randrange(4), (random.randrange(32), CENTRE, BORDER + random.randrange(32), WITH + B3)
    to = random.choice((*moves, STAY))
    if random.random() < 0.5:
        bribe = random.choice([other for other in range(16) if other // 4 != seat])
        return DrillBy(crew, to, bribe=bribe, onto=random.choice((NOT_SAID, B3)))
    second = NOT_SAID if to == STAY else random.choice((NOT_SAID, *moves))
    die = random.choice((NOT_SAID, LEFT, 1, 4, SAME))
    hire = random.choice((0, 0, 2))
    return DrillBy(crew, to, second, die, hire, bool(hire) and random.random() < 0.5)


def random_test(random: Random, depth: int) -> Test:
    """Any condition."""
    if depth and random.random() < 0.5:
        parts = tuple(random_test(random, depth - 1) for _ in range(random.randrange(2, 4)))
        return random.choice((Every, Either))(parts)
    seat, crew, tile_, n = random.randrange(4), random.randrange(-1, 4), random.randrange(32), random.randrange(9)
    op = random.choice((">=", "<=", ">", "<", "=", "!="))
    board, slot = random.randrange(3), random.randrange(4)
    facts: list[tuple[str, dict[str, Any]]] = [
        ("revealed", {"tile": tile_}),
        ("on", {"seat": seat, "crew": crew, "spot": random.choice((tile_, CENTRE, ENTRANCES[1]))}),
        ("power", {"tile": tile_, "seat": random.randrange(-1, 4), "op": op, "n": n}),
        ("lacks", {"tile": tile_, "op": op, "n": n}),
        ("requires", {"tile": tile_, "op": op, "n": n}),
        ("cubes", {"kind": slot, "op": op, "n": n}),
        ("level", {"seat": seat, "what": random.choice(LEVELS), "op": op, "n": n}),
        ("holds", {"seat": seat, "board": board, "slot": random.choice((slot, -1))}),
        ("free", {"board": board, "slot": slot}),
        *((code, {"op": op, "n": n}) for code in COUNTS.values()),
    ]
    code, params = random.choice(facts)
    return Condition(code, params, random.random() < 0.7)


WORDS = """bid place drill sell buy pass power if or and not ( ) always red green c2 c3 B3 b4 12 1,200 to straddle hire
bribe zinc gold workshop is revealed on help cancel | , : ; . ___ # > - all then die keep danger insurance stay core"""


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_whatever_is_read_is_the_same_when_written_and_read_again(seed: int) -> None:
    """On lines mixed and mutated at random nothing raises, and what is an order has a normal form."""
    random = Random(seed)
    pieces = WORDS.split()
    lines = [" ".join(random.choice(pieces) for _ in range(random.randrange(1, 14))) for _ in range(20)]
    lines += [mutated(said(random_order(random, GREEN), seat=GREEN), random) for _ in range(10)]
    view = Position().rules.view(Position().state, GREEN)
    for read_ in read("\n".join(lines), LANGUAGE, view).lines:
        if read_.order is not None:
            assert read(write(read_.order, LANGUAGE, view), LANGUAGE, view).orders == (read_.order,), read_.text
        if read_.problem is not None and read_.problem.nearest:
            nearest = read(read_.problem.nearest, LANGUAGE, view)
            assert not nearest.problems, read_


def mutated(text: str, random: Random) -> str:
    """A line with a few slips."""
    chars = list(text)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(chars))
        chars[at] = random.choice((chars[at] * 2, "", " ", random.choice("abcdez159,:()|")))
    return "".join(chars)


def test_the_examples_of_a_position_can_be_carried_out() -> None:
    """At the start of a game, for what is asked first; and for all kinds they are lines that read."""
    rules = MODULE.bind(Setup(4))
    assert rules.intent_type == INTENTS
    position = Position().crew(RED, 0, spot("A3"))
    for kind, round_ in (
        ("bid", 0),
        ("place", 0),
        ("insure", 0),
        ("drill", 1),
        ("drill", 4),
        ("danger", 0),
        ("market", 0),
        ("workshop", 0),
    ):
        orders = LANGUAGE.ideas(position.rules, position.rules.view(position.state, RED), kind, round_)
        assert orders
        for made in orders:
            assert order(said(made)) == made
