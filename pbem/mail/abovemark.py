"""The line in our letters that asks to be answered above it, and how it is known again in what comes back.

It is known by its ends, in whatever language the words between them are, quoted or wrapped. It is one mark among
others: what is written below it, into our form or between our lines, is read as well.
"""

import re

_ENDS = "-=-=-"
_KNOWN = re.compile(r"\s*[*_]{0,2}-=-=-\s.*|.*\s-=-=-[*_]{0,2}\s*")
_TITLE = re.compile(r"</h1>\n?")
_STYLE = "margin:0 0 10px;font-size:12px;color:#80786a"
LONGEST = 72


def mark(words: str) -> str:
    """The line: those words between ends that nobody writes."""
    return f"{_ENDS} {words} {_ENDS}"


def is_mark(line: str) -> bool:
    """Whether it is that line, or a part of it that was wrapped."""
    return len(line) <= 2 * LONGEST and bool(_KNOWN.fullmatch(line))


def with_mark(text: str, html: str, words: str) -> tuple[str, str]:
    """A letter's forms with the line in them: below the first line of its text, which inboxes show, and below the
    title of its page."""
    first, _, rest = text.partition("\n")
    below = _TITLE.search(html)
    if below is None:
        return f"{first}\n{mark(words)}\n{rest}", html
    shown = f'<p style="{_STYLE}">{mark(words)}</p>\n'
    return f"{first}\n{mark(words)}\n{rest}", html[: below.end()] + shown + html[below.end() :]
