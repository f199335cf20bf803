"""Orders back to text, in the normal form that the acknowledgement shows: it reads back to the same order."""

from engine.contract import Either, Rules, Test, View
from engine.orders.conditions import write_test
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon, lexicon
from engine.orders.shape import Order


def write(order: Order, language: Language, view: View, tongue: str = "en") -> str:
    """The order as a line of that tongue."""
    words = lexicon(language.words, tongue)
    head = ""
    said: list[str] = []
    for alternative in order.alternatives:
        before = head
        head, body = language.say(alternative.intent, words, view)
        parts = [words.say(head)] if not body or head != before else []
        if not said and order.kind in language.rounds:
            parts.append(f"{order.round or words.say('any')}:")
        elif not said and len(language.heads[head]) > 1:
            parts.append(words.say(order.kind))
        if body:
            parts.append(body)
        if alternative.test is not None:
            parts += [words.say("if"), _test(alternative.test, language, words, view)]
        said.append(" ".join(parts))
    line = f" {words.say('or')} ".join(said)
    if order.always:
        line = f"{words.say('always')} {line}"
    if order.test is not None:
        line = f"{words.say('if')} {write_test(order.test, language, words, view)}, {line}"
    return line


def write_fact(test: Test, language: Language, view: View, tongue: str = "en") -> str:
    """A test in words of that tongue."""
    return write_test(test, language, lexicon(language.words, tongue), view)


def _test(test: Test, language: Language, words: Lexicon, view: View) -> str:
    said = write_test(test, language, words, view)
    return f"({said})" if isinstance(test, Either) else said


def examples(
    language: Language,
    rules: Rules,
    view: View,
    kind: str,
    round_: int = 0,
    tongue: str = "en",
    most: int | None = None,
) -> list[str]:
    """A few sound lines for that kind and round, as this seat might write them now; at most so many."""
    return [write(order, language, view, tongue) for order in language.ideas(rules, view, kind, round_)[:most]]
