"""What a person wrote, as it is taken in: no character of it moves a terminal, and none can't be stored.

Whatever stands in a game's record, or in a letter to others, goes through here, by whichever way it came.
"""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters, the halves that stand for bytes of a command line which are no UTF-8, and what turns the rest of
a line round, whoever wrote that. Letters that are read from the right need none of these; marks of direction stay.
"""
_BUT_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""What turns a line round ends with it, so in lines of its own it is its writer's matter."""


def one_line(text: str) -> str:
    """The text on one line, with single spaces."""
    return " ".join(_CONTROL.sub(" ", text).split())


def in_lines(text: str) -> str:
    """The text with its line ends and tabs, without space around it."""
    return _BUT_LINES.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def escaped(text: str) -> str:
    """Control characters but line ends and tabs written out: for texts that were taken in otherwise."""
    return _BUT_LINES.sub(_written_out, text)


def escaped_line(text: str) -> str:
    """All control characters written out."""
    return _CONTROL.sub(_written_out, text)


def _written_out(found: re.Match[str]) -> str:
    return repr(found[0])[1:-1]
