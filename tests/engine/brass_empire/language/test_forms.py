"""The forms of the catalog are what `help` teaches: each is read, and nothing is left out."""

from collections.abc import Iterator

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.language.bodies import PICKS
from engine.brass_empire.language.facts import OF_SIDE, OF_TABLE, PLACES
from engine.contract import Condition, Either, Every, Foreseen, Test
from engine.orders.lexicon import lexicon, tongues
from tests.engine.brass_empire.language.said import lines
from tests.engine.brass_empire.position import Position

LANGUAGE = MODULE.language
POSITION = Position(3)
OWN = [
    (tongue, topic, form)
    for tongue in tongues(LANGUAGE.words)
    for topic, forms in lexicon(LANGUAGE.words, tongue).forms.items()
    if topic != "commands"
    for form in forms
]
ENGLISH = lexicon(LANGUAGE.words, "en")


@pytest.mark.parametrize(("tongue", "topic", "form"), OWN)
def test_every_documented_form_is_read(tongue: str, topic: str, form: str) -> None:
    """Without a doubt, and to the kind of order that it stands under."""
    (found,) = lines(POSITION, form)
    assert found.problem is None
    assert found.doubts == ()
    assert found.order is not None
    assert topic not in ENGLISH.kinds or found.order.kind == topic


def test_every_word_that_begins_an_order_has_a_form() -> None:
    """And every kind of decision, and every option that can be named."""
    forms = [form for _, _, form in OWN]
    assert [head for head in LANGUAGE.heads if not any(ENGLISH.say(head) in form for form in forms)] == []
    assert set(ENGLISH.kinds) <= set(ENGLISH.forms)
    assert [what for what in PICKS if f"choose {ENGLISH.say(what)}" not in ENGLISH.forms["effect"]] == []


def test_every_fact_has_a_form() -> None:
    """All that a condition may speak of."""
    found = [fact for form in ENGLISH.forms["conditions"] for fact in _facts(form)]
    said = {str(fact.params.get("what") or fact.params.get("place") or fact.code) for fact in found}
    assert {*OF_TABLE, *OF_SIDE, *PLACES, "platform"} - {"health"} <= said


def _facts(form: str) -> Iterator[Condition | Foreseen]:
    (found,) = lines(POSITION, form)
    assert found.order is not None
    for test in (found.order.test, *(each.test for each in found.order.alternatives)):
        yield from _parts(test)


def _parts(test: Test | None) -> Iterator[Condition | Foreseen]:
    if isinstance(test, Every | Either):
        for part in test.parts:
            yield from _parts(part)
    elif test is not None:
        yield test
