"""Characters that look like others: Cyrillic and Greek letters, and letters that stand for figures."""

import re

_LETTERS = str.maketrans(
    {
        # Cyrillic and Greek, folded to small letters, with the Latin letter or the figure that each looks like.
        **dict(zip("авсдеікмнорстухѕјԁԛԝ", "abcdeikmhopctyxsjdqw", strict=True)),
        **dict(zip("αβγεικνορτυχζ", "abyeikvoptuxz", strict=True)),
        "з": "3",
        "ь": "b",
        "б": "6",
        "ч": "4",
        "ı": "i",
    }
)
_FIGURES = re.compile(r"(?<![a-z0-9])(?=[0-9lio]*[0-9])(?=[0-9lio]*[lio])[0-9lio]+(?![a-z0-9])")
_AS_FIGURES = str.maketrans("lio", "110")


def plain(text: str) -> str:
    """The folded text with each such character as the one that it looks like."""
    if not text.isascii():
        text = text.translate(_LETTERS)
    return _FIGURES.sub(lambda match: match[0].translate(_AS_FIGURES), text)
