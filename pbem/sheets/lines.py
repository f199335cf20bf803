"""Orders as lines of text, and the lines of an order form: the words are those of the player's language."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from engine.contract import Asked, Rules, RulesModule, Test, View
from engine.orders.lexicon import lexicon, tongues
from engine.orders.shape import Order
from engine.orders.writer import examples, write, write_fact
from pbem.reports.data import Question

TONGUE = "en"


def tongue_of(module: RulesModule, language: str) -> str:
    """The tongue that orders are read in for a reader of that language: English where there is no catalog of it."""
    return language if language in _tongues(module.language.words) else TONGUE


@lru_cache
def _tongues(words: Path) -> tuple[str, ...]:
    return tongues(words)  # looks at a folder, a hundred times a turn


def line(module: RulesModule, order: Order, view: View, tongue: str) -> str:
    """An order in the normal form that the acknowledgement shows."""
    return write(order, module.language, view, tongue)


def fact(module: RulesModule, plain: object, view: View, tongue: str) -> str:
    """A test, or a part of one, that was kept as plain values, in words."""
    return write_fact(msgspec.convert(plain, Test), module.language, view, tongue)


def questions(
    module: RulesModule, rules: Rules, agenda: Sequence[Asked], view: View, tongue: str
) -> tuple[Question, ...]:
    """What is asked, with the lines of the form to fill in and examples from this position.

    Of what comes up in rounds the first has all examples and each later one a single one, for where it will begin is
    a guess.
    """
    first = {asked.kind: asked for asked in reversed(agenda)}
    return tuple(
        _question(module, rules, asked, view, tongue, None if asked is first[asked.kind] else 1) for asked in agenda
    )


def _question(module: RulesModule, rules: Rules, asked: Asked, view: View, tongue: str, most: int | None) -> Question:
    form = tuple(_form(module, asked, tongue))
    form = form * min(asked.times, 4) if len(form) == 1 else form
    shown = tuple(examples(module.language, rules, view, asked.kind, asked.round, tongue, most))
    return Question(
        kind=asked.kind, round=asked.round, times=asked.times, required=asked.required, form=form, examples=shown
    )


def _form(module: RulesModule, asked: Asked, tongue: str) -> list[str]:
    """A line with a blank for each word that begins orders of that kind and says more than itself."""
    words = lexicon(module.language.words, tongue)
    lines = []
    for head, kinds in module.language.heads.items():
        start = words.say(head)
        if kinds == (asked.kind,) and words.templates.get(head, start + " ") != start:
            place = f" {asked.round}:" if asked.kind in module.language.rounds and asked.round else ""
            lines.append(f"{start}{place} ____")
    return lines
