"""What a stand-in makes of a letter: it reads the plain text, as a person would, and has nothing else to go by.

It takes its orders from the lines that the letter offers as examples. After some turns it drives its deepest crew to
the centre, so that the game ends.
"""

import re
from collections.abc import Callable
from itertools import dropwhile, takewhile

BLANK = "____"
DIVING_FROM = 6
"""The turn from which on it makes for the centre."""

_SIDE = re.compile(r"turn (\d+): .*?you are (\w+)")
_SPOT = re.compile(r"^\s*([A-D][1-8]) (.*)$", re.MULTILINE)
_EXAMPLE = "# "
_DRILL = re.compile(r"^(drill \d): ")


def orders(text: str, pick: Callable[[int], int]) -> list[str]:
    """The order lines to answer a letter with, none where it asks for none. `pick(n)` is in 0..n-1."""
    lines = [line.strip() for line in text.splitlines()]
    if "# join" in lines:
        return ["join"]
    blanks = [line.removesuffix(BLANK).strip() for line in lines if line.endswith(BLANK)]
    if not blanks:
        return []
    examples = _examples(lines)
    chosen = [_drill(text, head, examples, pick) for head in blanks if head.startswith("drill")]
    rest = [line for line in examples if not _DRILL.match(line)]
    passes = [line for line in rest if line.startswith("pass ")]
    for word in dict.fromkeys(line.split()[0] for line in rest if line not in passes):
        offered = [line for line in rest if line.split()[0] == word]
        times = max(1, blanks.count(word))
        chosen += _some(offered, min(times, len(offered)), pick)
    return [*(line for line in chosen if line), *passes, "ready"]


def _examples(lines: list[str]) -> list[str]:
    """The lines to choose from: the first that stand together after the form. What became of orders comes later."""
    after = max(at for at, line in enumerate(lines) if line.endswith(BLANK))
    rest = dropwhile(lambda line: not line.startswith(_EXAMPLE), lines[after:])
    return [line.removeprefix(_EXAMPLE) for line in takewhile(lambda line: line.startswith(_EXAMPLE), rest)]


def _some(offered: list[str], times: int, pick: Callable[[int], int]) -> list[str]:
    left = list(offered)
    return [left.pop(pick(len(left))) for _ in range(times)]


def _drill(text: str, head: str, examples: list[str], pick: Callable[[int], int]) -> str:
    dive = _dive(text, int(head.split()[1].rstrip(":")))
    if dive:
        return f"{head} {dive}"
    offered = [line for line in examples if line.startswith(head)]
    return offered[pick(len(offered))] if offered else ""


def _dive(text: str, round_: int) -> str:
    """Where the deepest crew goes in that round on its way straight down, once it is time for that."""
    found = _SIDE.search(text)
    if found is None or int(found[1]) < DIVING_FROM:
        return ""
    side = found[2]
    crews = [(spot, crew) for spot, there in _SPOT.findall(text) for crew in re.findall(rf"\b{side} (c[1-4])\b", there)]
    if not crews:
        return ""
    spot, crew = max(crews)
    column, depth = spot[1], "ABCD".index(spot[0]) + round_
    if depth > len("ABCD"):
        return ""
    goal = "core" if depth == len("ABCD") else "ABCD"[depth] + column
    return f"{crew} to {goal} or any crew stay"
