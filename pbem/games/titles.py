"""What a game is called: its code, in addresses and letters, and its title."""

import re
import secrets

from pbem.errors import Refused
from pbem.persontext import one_line

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Of codes, which stand in letters: without figures and vowels they are no order and no word of any game."""
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_CODE = 40
MOST_TITLE = 100
"""Characters: it stands in the subject of every letter."""


def drawn_code() -> str:
    """A new code for a game."""
    return "".join(secrets.choice(_LETTERS) for _ in range(6))


def is_code(text: str) -> bool:
    """Whether a game can have that code."""
    return len(text) <= MAX_CODE and _CODE.fullmatch(text) is not None


def titled(text: str) -> str:
    """A title as it is kept. Raises Refused `long_title`."""
    title = one_line(text)
    if len(title) > MOST_TITLE:
        raise Refused("long_title", given=len(title), most=MOST_TITLE)
    return title
