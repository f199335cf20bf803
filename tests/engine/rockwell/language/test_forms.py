"""The forms of the catalog are the one source of what help and guide teach: each is read, and nothing is left out."""

from collections.abc import Iterator
from pathlib import Path
from re import DOTALL, findall

import pytest

from engine.contract import Condition, Either, Every, Foreseen, Test
from engine.orders.lexicon import lexicon, tongues
from engine.orders.reader import read
from engine.orders.shape import Line
from engine.rockwell.language import LANGUAGE
from engine.rockwell.language.drills import EXTRAS
from engine.rockwell.language.factwords import _FACTS
from engine.rockwell.language.quantities import COUNTS
from tests.engine.rockwell.language.said import GREEN
from tests.engine.rockwell.position import Position

GUIDE = Path(__file__).parents[4] / "docs" / "player.md"
FORMS = [
    (tongue, topic, form)
    for tongue in tongues(LANGUAGE.words)
    for topic, forms in lexicon(LANGUAGE.words, tongue).forms.items()
    for form in forms
]
ENGLISH = lexicon(LANGUAGE.words, "en")


def line(form: str, tongue: str = "en", seats: int = 4) -> Line:
    """What is read of a form."""
    position = Position(seats)
    (found,) = read(form, LANGUAGE, position.rules.view(position.state, GREEN), tongue).lines
    return found


@pytest.mark.parametrize(("tongue", "topic", "form"), FORMS)
def test_every_documented_form_is_read(tongue: str, topic: str, form: str) -> None:
    """Without a doubt, and to the kind of order or to the command that it stands under."""
    found = line(form, tongue, 2 if topic.startswith("automaton") else 4)
    assert found.problem is None
    assert found.doubts == ()
    if topic == "commands":
        assert found.command is not None
    else:
        assert found.order is not None
        assert topic not in ENGLISH.kinds or found.order.kind == topic


def test_every_word_that_begins_an_order_has_a_form() -> None:
    """And every kind of decision, and every command of the service."""
    forms = [form for forms in ENGLISH.forms.values() for form in forms]
    begun = {ENGLISH.say(head) for head in LANGUAGE.heads}
    assert [head for head in begun if not any(head in form for form in forms)] == []
    assert set(ENGLISH.kinds) <= set(ENGLISH.forms)
    commands = {found.command.name for form in ENGLISH.forms["commands"] if (found := line(form)).command is not None}
    every = {name.partition(":")[2] for name in ENGLISH.heads.ids.values() if name.startswith("command:")}
    assert every - commands == {"confirm"}


def test_every_part_of_a_drilling_order_has_a_form() -> None:
    """Hire, bribe, bring and leave a die, straddle, core, stay, a second move."""
    forms = " ".join(ENGLISH.forms["drill"])
    for word in (*EXTRAS, "straddle", "core", "stay", "then", "any_crew"):
        assert ENGLISH.say(word) in forms


def test_every_fact_has_a_form() -> None:
    """All that a condition may speak of."""
    codes = {fact.code for form in ENGLISH.forms["conditions"] for fact in facts(form)}
    quantities = {*COUNTS.values(), "power", "requires", "lacks", "crew_power", "cubes", "level"}
    assert {*_FACTS, *quantities} <= codes


def facts(form: str) -> Iterator[Condition | Foreseen]:
    """The facts of a line's conditions."""
    order = line(form).order
    assert order is not None
    for test in (order.test, *(each.test for each in order.alternatives)):
        yield from parts(test)


def parts(test: Test | None) -> Iterator[Condition | Foreseen]:
    """The facts of a test."""
    if isinstance(test, Every | Either):
        for part in test.parts:
            yield from parts(part)
    elif test is not None:
        yield test


def test_the_guide_shows_forms_of_the_catalog() -> None:
    """What players read on the page is what help would send them."""
    blocks = findall(r"```orders\n(.*?)```", GUIDE.read_text(encoding="utf-8"), DOTALL)
    known = {form for forms in ENGLISH.forms.values() for form in forms}
    assert [shown for block in blocks for shown in block.splitlines() if shown not in known] == []
