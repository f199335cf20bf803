"""Orders back to text, in the normal form that the acknowledgement shows: it reads back to the same order."""

from engine.contract import Either, Test, View
from engine.orders.conditions import write_test
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon, lexicon
from engine.orders.shape import Order


def write(order: Order, language: Language, view: View, tongue: str = "en") -> str:
    """The order as a line of that tongue."""
    words = lexicon(language.words, tongue)
    heads: list[str] = []
    bodies: list[str] = []
    for alternative in order.alternatives:
        head, body = language.say(alternative.intent, words, view)
        heads.append(head)
        if alternative.test is not None:
            body = f"{body} {words.say('if')} {_test(alternative.test, language, words, view)}"
        bodies.append(body)
    several = len(language.heads[heads[0]]) > 1
    line = words.say(heads[0])
    if order.kind in language.rounds:
        line += f" {order.round or words.say('any')}:"
    elif several:
        line += f" {words.say(order.kind)}"
    line = f"{line} {bodies[0]}".rstrip()
    for before, head, body in zip(heads, heads[1:], bodies[1:], strict=False):
        again = f"{words.say(head)} " if head != before else ""
        line += f" {words.say('or')} {again}{body}".rstrip()
    if order.always:
        line = f"{words.say('always')} {line}"
    if order.test is not None:
        line = f"{words.say('if')} {write_test(order.test, language, words, view)}, {line}"
    return line


def _test(test: Test, language: Language, words: Lexicon, view: View) -> str:
    said = write_test(test, language, words, view)
    return f"({said})" if isinstance(test, Either) else said


def examples(language: Language, view: View, kind: str, round_: int = 0, tongue: str = "en") -> list[str]:
    """A few sound lines for that kind and round, as this seat might write them now."""
    return [write(order, language, view, tongue) for order in language.ideas(view, kind, round_)]
