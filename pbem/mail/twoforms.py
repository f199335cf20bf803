"""Which of a mail's two forms is taken for what its writer says: plain text, or HTML."""

from collections.abc import Callable

from pbem.mail.alignment import words

_WRAPPED_AT = 60
"""No program breaks lines at fewer columns."""


class Contradiction(Exception):
    """The two forms say different things."""


def the_one(plain: str, rich: str, means: Callable[[str], object]) -> str:
    """The form to go by. `means` gives what a text says to its reader, something false for mere prose.

    The plain one, where it is not only a stub; the lines of the other where the plain one's were broken on the way.
    Raises Contradiction.
    """
    if plain == rich or not rich.strip():
        return plain
    if not plain.strip():
        return rich
    if words(plain) == words(rich):
        return rich if _is_broken(_rows(plain), _rows(rich)) else plain
    said, seen = means(plain), means(rich)
    if not said and seen:
        return rich
    if seen and said != seen:
        raise Contradiction
    return plain


def _is_broken(rows: list[str], whole: list[str]) -> bool:
    """Whether lines of one text make up those of the other, broken only where they had become too long."""
    rest = iter(rows)
    broken = False
    for line in whole:
        want, got = words(line), words(row := next(rest, ""))
        while len(got) < len(want):
            following = next(rest, "")
            if len(row) + len(following.split(" ", 1)[0]) < _WRAPPED_AT:
                return False
            row, broken = following, True
            got += words(following)
        if got != want:
            return False
    return broken


def _rows(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if words(line)]
