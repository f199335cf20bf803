"""What the test at work has replaced in the code, but for what is replaced for every test."""

from collections.abc import Callable
from typing import Any

import pytest

REPLACED: list[object] = []
_USUAL = ("secrets.token_bytes",)


def watch() -> None:
    """Notice from now on what tests replace."""
    for way in ("setattr", "setitem", "delattr", "delitem"):
        setattr(pytest.MonkeyPatch, way, _noticing(getattr(pytest.MonkeyPatch, way)))


def next_test() -> None:
    """Nothing has been replaced yet."""
    REPLACED.clear()


def _noticing(real: Callable[..., None]) -> Callable[..., None]:
    def replace(self: pytest.MonkeyPatch, target: Any, *rest: Any, **named: Any) -> None:
        if target not in _USUAL and rest[:1] != ("WIDTH",) and type(target).__name__ != "_Environ":
            REPLACED.append(target)
        real(self, target, *rest, **named)

    return replace
