"""The reports of a golden game as they are compared: their data, and where two differ."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from pbem.reports.data import encode
from tests.golden.playing import Played


def encoded(played: Played) -> list[bytes]:
    """The data of all reports, in order of play and seat, the public one last."""
    return [encode(report) for stage in played.reports for report in stage]


def differences(before: Sequence[bytes], now: Sequence[bytes]) -> Iterator[str]:
    """The places in which reports differ, without numbers of reports and list entries: a kind of change is one."""
    for old, new in zip_longest(before, now):
        if old is None or new is None:
            yield "a report more" if old is None else "a report less"
        elif old != new:
            yield from _within("", msgspec.json.decode(old), msgspec.json.decode(new))


def _within(place: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key not in old or key not in new:
                yield f"{place}.{key} {'is new' if key in new else 'is gone'}"
            else:
                yield from _within(f"{place}.{key}", old[key], new[key])
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{place}[] has another length"
            return
        for one, other in zip(old, new, strict=True):
            yield from _within(f"{place}[]", one, other)
    elif old != new:
        yield place
