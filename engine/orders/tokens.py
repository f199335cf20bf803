"""Text as players send it, cut into lines and tokens. Forgiving about form, bounded in work, and it never raises."""

import re
import unicodedata
from typing import NamedTuple

MAX_TEXT = 65_536
"""Characters of a submission that are looked at."""
MAX_LINES = 300
"""Lines that are not blank, of one submission."""
MAX_LINE = 600
"""Characters of a line in which an order is looked for."""
MAX_TOKENS = 140
"""Tokens of a line that can be an order."""
MAX_DIGITS = 9
"""A longer number is no number that a game could mean."""
CURRENCIES = "$€£¥ "

WORD, NUMBER, SIGN, BLANK = "word", "number", "sign", "blank"


class Token(NamedTuple):
    """A word (folded: small letters without accents), a number, a sign, or the blank of a form.

    `value` is the number's. `spaced` says whether white space stands before it.
    """

    kind: str
    text: str
    value: int = 0
    spaced: bool = True


class RawLine(NamedTuple):
    """A line that is not blank: its number in the text, from 1, and whether a blank line or the end follows it."""

    number: int
    text: str
    last: bool


# Soft hyphen, zero-width characters, marks of direction: programs put them in, and nobody sees them.
_UNSEEN = (0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF)
_SIGNS = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃⸺⸻➖", "-"),
    **dict.fromkeys("‘’‚‛′´`ʼ＇", "'"),
    **dict.fromkeys("→⇒➔➜⟶", "→"),
    **dict.fromkeys('“”„‟«»‹›「」『』《》〝〞〟❝❞"*', ""),
    **dict.fromkeys(map(chr, _UNSEEN), ""),
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "×": " x ",
    "…": "...",
}
_FOLD = str.maketrans(_SIGNS)
_LONG_SIGNS = re.compile("[\ufb50-\ufdff]")  # one of these may become eighteen letters
_ACCENTS = re.compile("[\u0300-\u036f]+")
_LIGATURES = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})

# A bullet, a box or a number that a list begins with; only where a letter follows, for `1200 + …` is a bid.
_BULLETS = re.compile(r"\s*(?:[-+•·▪◦‣●○]\s*(?=[a-z(\[])|\[[ x]?\]\s*|\(?(?:[0-9]{1,2}|[a-z])[.)]\s+(?=[a-z]))")

_TOKEN = re.compile(
    r"""(?P<space>\s*)(?:
      (?P<number>[$€£¥]?\s?(?:
          (?P<kilo>[0-9]{1,4}(?:[.,][0-9])?)k(?![a-z0-9])
        | (?P<grouped>[0-9]{1,3}(?:[,.'\ ][0-9]{3})+(?![0-9])|[0-9]{3,9}(?=[.,]00(?![0-9])))(?:[.,]00(?![0-9]))?
        | [0-9]+
        )(?:\s?[$€£¥])?)
    | (?P<word>(?P<letters>[^\W\d_]+(?:'[^\W\d_]+)*)(?P<digits>[0-9]*))
    | (?P<blank>_+|\.{3,})
    | (?P<sign>->|=>|>=|<=|!=|==|[^\s])
    )""",
    re.VERBOSE,
)


def raw_lines(text: str) -> tuple[list[RawLine], bool]:
    """The lines that are not blank, and whether some of the text was cut off."""
    cut = len(text) > MAX_TEXT
    found: list[RawLine] = []
    lines = text[:MAX_TEXT].splitlines()
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        if len(found) == MAX_LINES:
            return found, True
        last = index + 1 == len(lines) or not lines[index + 1].strip() or len(found) + 1 == MAX_LINES
        found.append(RawLine(index + 1, line.strip(), last))
    return found, cut


def fold(text: str) -> str:
    """Small letters without accents; typographic dashes, quotes and signs as the plain ones."""
    if not text.isascii():
        text = text.translate(_FOLD)
        text = unicodedata.normalize("NFKD", _LONG_SIGNS.sub(" ", text))
        text = _ACCENTS.sub("", text)
        return text.casefold().translate(_LIGATURES).translate(_FOLD)
    return text.lower().translate(_FOLD)


def tokens(line: str) -> list[Token]:
    """The tokens of a line without its bullets, numbering and comment; at most MAX_TOKENS and one more.

    `is_long` tells a line that has more than can be read.
    """
    text = fold(line[:MAX_LINE])[:MAX_LINE].split("#", 1)[0].rstrip()
    for _ in range(3):
        lead = _BULLETS.match(text)
        if lead is None:
            break
        text = text[lead.end() :]
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        if len(found) > MAX_TOKENS:
            break
        found += _tokens(match)
    while found and found[-1].kind == SIGN and found[-1].text in ".,;!:'":
        found.pop()
    while found and found[0].kind == SIGN and found[0].text in "',.:;":
        del found[0]
    return found


def is_long(line: str, found: list[Token]) -> bool:
    """Whether there was more in the line than is read of one."""
    return len(line) > MAX_LINE or len(found) > MAX_TOKENS


def _tokens(match: re.Match[str]) -> list[Token]:
    """The token, or two of a word that a number hangs on (`workshop1`); `b3` is one."""
    kind, text = str(match.lastgroup), match[str(match.lastgroup)]
    spaced = bool(match["space"])
    if kind == NUMBER:
        return [_number(match, text, spaced)]
    if kind == WORD:
        letters, digits = match["letters"], match["digits"]
        if digits and len(letters) > 1:
            return [_word(letters, spaced), _plain_number(digits, digits, spaced=False)]
        return [_word(text, spaced)]
    if text in ("->", "=>"):
        text = "→"
    return [Token(kind, "=" if text == "==" else text, 0, spaced)]


def _word(text: str, spaced: bool) -> Token:
    return Token(WORD, text.removesuffix("'s").replace("'", ""), 0, spaced)


def _number(match: re.Match[str], text: str, spaced: bool) -> Token:
    """A number in any of its forms: 1200, 1,200, $1200.00, 1.2k."""
    written = text.strip(CURRENCIES)
    if match["kilo"]:
        whole, _, tenth = match["kilo"].replace(",", ".").partition(".")
        return Token(NUMBER, written, int(whole) * 1000 + int(tenth or 0) * 100, spaced)
    return _plain_number(match["grouped"] or written, written, spaced)


def _plain_number(figures: str, written: str, spaced: bool) -> Token:
    digits = "".join(char for char in figures if char in "0123456789")
    if len(digits) > MAX_DIGITS:
        return Token(WORD, digits, 0, spaced)
    return Token(NUMBER, written, int(digits), spaced)
