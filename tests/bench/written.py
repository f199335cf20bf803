"""The page of benchmarks: what measures writes its own sections, and leaves those of others as they are."""

import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from pbem import clock

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
DAY = "A day in a large service"
"""The section that no part of the bench writes: a day takes too long to go by in the same run."""


def machine() -> str:
    """Where and when."""
    python = f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}"
    return f"{clock.now():%Y-%m-%d}, {python}, {os.cpu_count()} cores"


def write_figures(page: str) -> None:
    """Make the page anew, but for its day."""
    days = [part for part in _parts() if _is_day(part)]
    _write([page, *days])


def write_day(section: str) -> None:
    """Put that day in the place of an earlier one, or at the end."""
    _write([*(part for part in _parts() if not _is_day(part)), section])


def _parts() -> list[str]:
    return re.split(r"(?m)^(?=## )", PAGE.read_text(encoding="utf-8"))


def _is_day(part: str) -> bool:
    return part.startswith(f"## {DAY}\n")


def _write(parts: Sequence[str]) -> None:
    PAGE.write_text("\n\n".join(part.strip("\n") for part in parts) + "\n", encoding="utf-8")
