"""Prints all figures as a table and writes them to build/bench.json; `--write` makes docs/benchmarks.md of them too.

A section there of a day in a large service stays as it is: see `tests.pbem.day`.

Names of parts may be given: `engine`.
"""

import importlib
import logging
import os
import sys
from pathlib import Path

import msgspec
import structlog

from pbem import clock
from tests.bench.figure import Figure, page, table
from tests.bench.written import machine, write_figures

KINDS = ("engine", "mail", "openspiel", "pages", "reader", "service", "sweep")
PARTS = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem in KINDS))
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
        write_figures(page(figures, _machine()))


def _machine() -> str:
    """How busy the machine was beside, too: times of a busy one tell little."""
    return f"{machine()}; {os.getloadavg()[2]:.1f} processes wanted to run, on the average."


if __name__ == "__main__":
    main(sys.argv[1:])
