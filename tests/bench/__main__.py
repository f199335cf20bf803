"""Prints all figures as a table and writes them to build/bench.json. Names of parts may be given: `engine`."""

import importlib
import sys
from pathlib import Path

import msgspec

from tests.bench.figure import Figure, table

KINDS = ("engine", "mail", "pages", "reader", "service")
PARTS = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem in KINDS))


def main(parts: list[str]) -> None:
    """Measure the parts named, all where none is."""
    figures: list[Figure] = []
    for part in parts or PARTS:
        figures += importlib.import_module(f"tests.bench.{part}").figures()
    target = Path("build/bench.json")
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(msgspec.json.format(msgspec.json.encode(figures)) + b"\n")
    sys.stdout.write(table(figures) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
