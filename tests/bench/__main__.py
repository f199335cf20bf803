"""Prints all figures as a table and writes them to build/bench.json; `--write` makes docs/benchmarks.md of them too.

Names of parts may be given: `engine`.
"""

import importlib
import logging
import os
import platform
import sys
from pathlib import Path

import msgspec
import structlog

from pbem import clock
from tests.bench.figure import Figure, page, table

KINDS = ("engine", "mail", "openspiel", "pages", "reader", "service", "sweep")
PARTS = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem in KINDS))
PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
WRITE = "--write"


def main(words: list[str]) -> None:
    """Measure the parts named, all where none is."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    parts = [word for word in words if word != WRITE] or PARTS
    figures: dict[str, list[Figure]] = {}
    for part in parts:
        sys.stderr.write(f"{part}\n")
        figures[part] = importlib.import_module(f"tests.bench.{part}").figures()
        clock.use(None)  # a part that lets deadlines pass leaves it ahead of other processes, and of the date
    every: list[Figure] = [each for found in figures.values() for each in found]
    target = Path("build/bench.json")
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(msgspec.json.format(msgspec.json.encode(every)) + b"\n")
    sys.stdout.write(table(every) + "\n")
    if WRITE in words:
        PAGE.write_text(page(figures, _machine()), encoding="utf-8")


def _machine() -> str:
    """Where and when, and how busy the machine was beside: times of a busy one tell little."""
    cores, load = os.cpu_count(), os.getloadavg()[2]
    python = f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}"
    return f"{clock.now():%Y-%m-%d}, {python}, {cores} cores; {load:.1f} processes wanted to run, on the average."


if __name__ == "__main__":
    main(sys.argv[1:])
