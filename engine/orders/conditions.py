"""Conditions: `if B3 is revealed and not (red is on B3 or round >= 3)`."""

from engine.contract import Condition, Either, Every, Foreseen, Test, View
from engine.orders.cursor import Cursor
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon

MAX_DEPTH = 4
"""Parentheses within parentheses."""


def read_test(words: Cursor, language: Language, view: View, depth: int = 0) -> Test:
    """A condition, as far as it goes: `or` binds less than `and`, and `and` less than `not`. Raises Unread."""
    parts = [_every(words, language, view, depth)]
    while words.take_sign("|") or words.take("or"):
        parts.append(_every(words, language, view, depth))
    return parts[0] if len(parts) == 1 else Either(tuple(parts))


def _every(words: Cursor, language: Language, view: View, depth: int) -> Test:
    parts = [_unit(words, language, view, depth)]
    while words.take_sign("&") or words.take("and"):
        words.take("if")
        parts.append(_unit(words, language, view, depth))
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def _unit(words: Cursor, language: Language, view: View, depth: int) -> Test:
    if words.take("not"):
        return opposite(_unit(words, language, view, depth + 1)) if depth < MAX_DEPTH else words.fail("too_deep")
    if not words.take_sign("("):
        return language.fact(words, view)
    if depth >= MAX_DEPTH:
        words.fail("too_deep")
    test = read_test(words, language, view, depth + 1)
    if not words.take_sign(")"):
        words.fail("bracket_open", [")"])
    return test


def opposite(test: Test) -> Test:
    """What holds when the test does not."""
    if isinstance(test, Condition | Foreseen):
        return type(test)(test.code, test.params, not test.expected)
    parts = tuple(opposite(part) for part in test.parts)
    return Either(parts) if isinstance(test, Every) else Every(parts)


def is_foreseen(test: Test | None) -> bool:
    """Whether it speaks of what an alternative would bring about: such a test has no meaning without one."""
    if isinstance(test, Every | Either):
        return any(is_foreseen(part) for part in test.parts)
    return isinstance(test, Foreseen)


def write_test(test: Test, language: Language, lexicon: Lexicon, view: View) -> str:
    """The condition in words, such that it reads back to the same."""
    if isinstance(test, Condition | Foreseen):
        return language.say_fact(test, lexicon, view)
    join = f" {lexicon.say('and' if isinstance(test, Every) else 'or')} "
    said = (
        write_test(part, language, lexicon, view)
        if isinstance(part, Condition | Foreseen)
        else f"({write_test(part, language, lexicon, view)})"
        for part in test.parts
    )
    return join.join(said)
