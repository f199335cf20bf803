"""What a ruling made otherwise, as lines: how it was and how it is, and nothing else."""

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from typing import Any

import msgspec

from pbem.reports.data import Report
from pbem.reports.environments import TEXT
from pbem.reports.game import GameWords
from pbem.words import Words


def differs(report: Report, game: GameWords, me: int | None) -> list[str]:
    """What is otherwise for a seat than it was told."""
    was = report.before
    if was is None or me is None:
        return []
    then = _stands(game, was.view, was.public, me, was.sheet)
    return _unlike(then, _stands(game, report.view, report.public, me, report.sheet))


def differences(
    game: GameWords, then: Mapping[int | None, Any], now: Mapping[int | None, Any], words: Words
) -> list[tuple[str, list[str]]]:
    """By heading what is otherwise for all (the view of None) and for each seat alone; nothing where nothing is."""
    found = [(words.gettext("For all to see"), seen_by_all(game, then[None], now[None]))]
    for seat in range(game.rules.setup.seats):
        heading = words.gettext("For %(side)s alone") % {"side": game.seat(seat)}
        found.append((heading, _unlike(_own(game, then[seat], seat), _own(game, now[seat], seat))))
    return [(heading, lines) for heading, lines in found if lines]


def seen_by_all(game: GameWords, then: Any, now: Any) -> list[str]:
    """What is otherwise in what everybody may know (views of nobody's)."""
    return _unlike(game.position(then), game.position(now))


def _stands(game: GameWords, view: Any, public: Any, me: int, sheet: Sequence[str]) -> list[str]:
    """How things stand for a seat, in lines: its own, the position, its sheet."""
    typed = msgspec.convert(view, game.rules.view_type)
    position = game.position(msgspec.convert(public, game.rules.view_type))
    return [*_own(game, typed, me), *position, *(f"`{each}`" for each in sheet)]


def _own(game: GameWords, view: Any, me: int) -> list[str]:
    return game.own("own.txt.j2", TEXT, view, me).strip().split("\n") if game.has("own.txt.j2") else []


def _unlike(then: Sequence[str], now: Sequence[str]) -> list[str]:
    lines = unified_diff([each.strip() for each in then], [each.strip() for each in now], n=0, lineterm="")
    return [f"{each[0]} {each[1:]}" for each in lines if each[0] in "+-" and each[1:].strip()][2:]
