"""Which words of a mail are those of a letter that we sent: found as runs in the letter's order, never word by word."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

_GRAM = 4
_MOST_PLACES = 24
_MOST_RUNS = 1500
_LONGEST_GAP = 250
_AUTOLINK = re.compile(r"<(?:https?:|mailto:|tel:)[^<>\s]*+>|\[(?:cid:|image:)[^\]\n]{0,300}\]")
"""Each looks no further than to where the next could begin, or a little: else many that never end would take hours."""
_WORD = re.compile(r"#|__+|[^\W_]+")
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def words(line: str) -> list[str]:
    """The words of a line, without typography and links added by programs. `#` and a blank (`__`) are words too."""
    text = line if line.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", line))
    if "<" in text or "[" in text:
        text = _AUTOLINK.sub(" ", text)
    return ["__" if word[0] == "_" else word for word in _WORD.findall(text.casefold())]


class Run(NamedTuple):
    """`length` words from `mail` on in the mail that are those from `letter` on in the letter."""

    mail: int
    letter: int
    length: int


def align(mail: list[str], letter: list[str]) -> list[Run]:
    """The runs of the mail's words that make the longest text in the letter's order."""
    above = len(mail) - len(letter)
    if len(letter) >= _GRAM and above >= 0 and mail[above:] == letter:  # as most programs quote
        return [Run(above, 0, len(letter))]
    return _chain(_runs(mail, letter))


def fill(mail: Sequence[str], letter: Sequence[str], runs: Sequence[Run], *, head: bool) -> list[Run]:
    """What else fits in the gaps between and behind the runs, and with `head` before them, near their ends."""
    found: list[Run] = []
    edges = [Run(0, 0, 0), *runs, Run(len(mail), len(letter), 0)]
    for before, after in pairwise(edges[0 if head else 1 :]):
        first, start = before.mail + before.length, before.letter + before.length
        gap, missing = list(mail[first : after.mail]), list(letter[start : after.letter])
        if before.length == 0:
            gap, first = gap[-_LONGEST_GAP:], max(first, after.mail - _LONGEST_GAP)
            missing, start = missing[-_LONGEST_GAP:], max(start, after.letter - _LONGEST_GAP)
        gap, missing = gap[:_LONGEST_GAP], missing[:_LONGEST_GAP]
        matcher = SequenceMatcher(None, gap, missing, autojunk=False)
        found += [Run(first + i, start + j, n) for i, j, n in matcher.get_matching_blocks() if n]
    return found


def _runs(mail: Sequence[str], letter: Sequence[str]) -> list[Run]:
    places: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(letter) - _GRAM + 1):
        at = places.setdefault(tuple(letter[start : start + _GRAM]), [])
        if len(at) < _MOST_PLACES:
            at.append(start)
    runs: list[Run] = []
    start = expected = 0
    while start <= len(mail) - _GRAM and len(runs) < _MOST_RUNS:
        found = places.get(tuple(mail[start : start + _GRAM]))
        if found is None:
            start += 1
            continue
        lengths = [(_common(mail, start, letter, place), -abs(place - expected), place) for place in found]
        length, _, place = max(lengths)
        runs.append(Run(start, place, length))
        start += length
        expected = place + length
    return runs


def _common(mail: Sequence[str], start: int, letter: Sequence[str], place: int) -> int:
    length, most = _GRAM, min(len(mail) - start, len(letter) - place)
    while length < most and mail[start + length] == letter[place + length]:
        length += 1
    return length


def _chain(runs: Sequence[Run]) -> list[Run]:
    """The heaviest sequence of runs that stand in the same order in both texts."""
    if not runs:
        return []
    weight: list[int] = []
    previous: list[int] = []
    for index, run in enumerate(runs):
        best, link = 0, -1
        for other in range(index):
            before = runs[other]
            if before.letter + before.length <= run.letter and weight[other] > best:
                best, link = weight[other], other
        weight.append(best + run.length)
        previous.append(link)
    index = max(range(len(runs)), key=lambda each: weight[each])
    chain = []
    while index >= 0:
        chain.append(runs[index])
        index = previous[index]
    return chain[::-1]
