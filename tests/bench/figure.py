"""What a benchmark gives, and how time is taken."""

import time
from collections.abc import Callable, Mapping, Sequence

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """One measured value. `ratio` is value / yardstick; `against` says what the yardstick is, in the same unit."""

    name: str
    value: float
    unit: str
    yardstick: float
    ratio: float
    against: str


def figure(name: str, value: float, unit: str, yardstick: float, against: str) -> Figure:
    """A figure with its ratio."""
    return Figure(name, round(value, 3), unit, round(yardstick, 3), round(value / yardstick, 4), against)


def seconds(work: Callable[[], object]) -> float:
    """Processor time of this process that the work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def best(work: Callable[[], object], times: int) -> float:
    """The least processor time of several runs: what the work takes when nothing disturbs it."""
    return min(seconds(work) for _ in range(times))


def table(figures: Sequence[Figure]) -> str:
    """The figures as lines of text."""
    rows = [("figure", "value", "unit", "yardstick", "ratio", "against")]
    rows += [
        (each.name, f"{each.value:,.2f}", each.unit, f"{each.yardstick:,.2f}", f"{each.ratio:.3f}", each.against)
        for each in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


TITLES = {
    "engine": "The engine",
    "mail": "Mail",
    "openspiel": "The engine beside OpenSpiel",
    "pages": "Pages",
    "reader": "The reader of orders",
    "service": "A turn, and how it grows",
    "sweep": "Games that are due together",
}


def page(figures: Mapping[str, Sequence[Figure]], machine: str) -> str:
    """The figures as a page, by part."""
    lines = [
        "# Benchmarks",
        "",
        "Written by `./run bench --write`, each figure beside a yardstick measured in the same run. Times are of the",
        "processor where nothing else is said, so that what else runs matters little; where the clock on the wall was",
        "looked at (mails stored, letters handed over, writes, games due together) a busy machine makes them long.",
        "",
        machine,
    ]
    for part, found in figures.items():
        if found:
            lines += ["", f"## {TITLES[part]}", "", *rows(found)]
    return "\n".join(lines) + "\n"


def rows(figures: Sequence[Figure]) -> list[str]:
    """The figures as the lines of a page's table."""
    head = ["| figure | value | yardstick | ratio | against |", "| --- | ---: | ---: | ---: | --- |"]
    return head + [_row(each) for each in figures]


def _row(each: Figure) -> str:
    value, yardstick = f"{each.value:,.2f} {each.unit}", f"{each.yardstick:,.2f} {each.unit}"
    return f"| {each.name} | {value} | {yardstick} | {each.ratio:.3f} | {each.against} |"
