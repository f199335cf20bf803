"""Prints all figures as a table and writes them to build/bench.json; `--write` makes docs/benchmarks.md of them too.

A section there of a day in a large service stays as it is: see `tests.pbem.day`.

Names of parts may be given: `engine`.
"""

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import structlog

from pbem import clock
from tests.bench.figure import Figure, page, table
from tests.bench.written import machine, write_figures

KINDS = ("engine", "mail", "openspiel", "pages", "reader", "service", "sweep")
PARTS = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem in KINDS))


def main(words: Sequence[str] | None = None) -> None:
    """Measure the parts named, all where none is."""
    parser = argparse.ArgumentParser(prog="./run bench", description="Print all figures, each beside a yardstick.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what is measured, else all: {', '.join(PARTS)}")
    parser.add_argument("--write", action="store_true", help="write all of them to docs/benchmarks.md")
    given = parser.parse_args(words)
    unknown = sorted({*given.parts} - {*PARTS})
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    if given.write and given.parts:
        parser.error("--write is for all figures: name no part")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    figures: dict[str, list[Figure]] = {}
    for part in given.parts or PARTS:
        sys.stderr.write(f"{part}\n")
        figures[part] = importlib.import_module(f"tests.bench.{part}").figures()
        clock.use(None)  # a part that lets deadlines pass leaves it ahead of other processes, and of the date
    every: list[Figure] = [each for found in figures.values() for each in found]
    target = Path("build/bench.json")
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(msgspec.json.format(msgspec.json.encode(every)) + b"\n")
    sys.stdout.write(table(every) + "\n")
    if given.write:
        write_figures(page(figures, _machine()))


def _machine() -> str:
    """How busy the machine was beside, too: times of a busy one tell little."""
    return f"{machine()}; {os.getloadavg()[2]:.1f} processes wanted to run, on the average."


if __name__ == "__main__":
    main()
