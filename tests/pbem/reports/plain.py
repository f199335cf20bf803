"""Finds words that bypass the catalog: in the pseudo-locale every letter of a message is accented."""

import html
import re

NAMES = {"Deep", "Thought", "Anouk", "Bram", "Dmitri", "Mo"}
_SHOWN = re.compile(r"<(style|title)[^>]*>.*?</\1>|<[^>]+>", re.DOTALL)
_WORD = re.compile(r"(?<!\w)[A-Za-z]{2,}(?!\w)")
_PLACES = re.compile(r"\b[A-D][1-8]\b")


def shown(page: str) -> str:
    """What a reader sees of HTML."""
    return html.unescape(_SHOWN.sub(" ", page))


def bypassing(text: str, *allowed: str) -> set[str]:
    """Words in plain letters, but for names, places of the board and what is allowed as it stands."""
    for each in sorted(allowed, key=len, reverse=True):
        text = text.replace(each, " ")
    return set(_WORD.findall(_PLACES.sub(" ", text))) - NAMES
