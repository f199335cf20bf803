"""Laws of the order language: what is written reads back, whatever is read has a normal form, nothing collides."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance.walk import positions
from engine.contract import Condition, Either, Every, Setup, Test
from engine.orders.lexicon import lexicon, tongues
from engine.orders.reader import read
from engine.orders.shape import Order
from engine.orders.sheet import Sheet, answer
from engine.orders.writer import write
from engine.rockwell import MODULE
from engine.rockwell.language import INTENTS, LANGUAGE
from engine.rockwell.rules import RockwellRules
from engine.rockwell.view import RockwellView
from tests.engine.orders.floods import floods
from tests.engine.rockwell.language.randomorders import random_order
from tests.engine.rockwell.language.said import GREEN, RED, order, reading, said
from tests.engine.rockwell.position import Position, spot


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


@settings(max_examples=150)
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


WORDS = """bid place drill sell buy pass power if or and not ( ) always red green c2 c3 B3 b4 12 1,200 to straddle hire
bribe zinc gold workshop is revealed on help cancel | , : ; . ___ # > - all then die keep danger insurance stay core"""


@settings(max_examples=150)
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


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_a_sheet_answers_as_its_normal_form_read_again_does(seed: int) -> None:
    """Whatever was read of a text, told back and sent again, comes to the same at decisions of a random game."""
    random = Random(seed)
    rules = MODULE.bind(Setup(random.choice((2, 3, 4))))
    moments = list(islice(positions(rules, seed % 50), random.randrange(60), 200, 23))
    for moment in moments:
        seat = moment.decision.seats[0]
        view = rules.view(moment.state, seat)
        text = "\n".join(lines_of(random, moment.decision.kind, seat, rules, view))
        said_orders = read(text, LANGUAGE, view, rules=rules).orders
        for fact in (fact for each in said_orders for fact in facts_of(each)):
            rules.holds(view, fact)
        normal = "\n".join(write(each, LANGUAGE, view) for each in said_orders)
        again = read(normal, LANGUAGE, view)
        assert not again.problems
        assert not any(line.doubts for line in again.lines)
        sheets = [Sheet().with_submission(1, orders) for orders in (said_orders, again.orders)]
        first, second = (answer(rules, moment.state, seat, moment.decision, each, frozenset()) for each in sheets)
        assert first == second, normal


def facts_of(made: Order) -> Iterator[Condition]:
    """The facts of an order's conditions."""
    waiting: list[Test | None] = [made.test, *(each.test for each in made.alternatives)]
    while waiting:
        test = waiting.pop()
        if isinstance(test, Condition):
            yield test
        elif isinstance(test, Every | Either):
            waiting += test.parts


def lines_of(random: Random, kind: str, seat: int, rules: RockwellRules, view: RockwellView) -> list[str]:
    """Orders for a decision, some of them sound, some written badly."""
    lines = [write(each, LANGUAGE, view) for each in LANGUAGE.ideas(rules, view, kind, 0)]
    lines += [write(random_order(random, seat), LANGUAGE, view) for _ in range(5)]
    return [line if random.random() < 0.6 else mutated(line, random) for line in lines]


@pytest.mark.parametrize("kind", sorted(floods()))
def test_64_kb_of_anything_gives_nothing_that_does_not_read_back(kind: str) -> None:
    """On texts that try the reader hardest it does not raise, and each order in them has a normal form."""
    position = Position()
    view = position.rules.view(position.state, GREEN)
    found = read(floods(2)[kind], LANGUAGE, view, rules=position.rules)
    for made in found.orders[:12]:
        assert read(write(made, LANGUAGE, view), LANGUAGE, view).orders == (made,)
