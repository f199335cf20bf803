"""A day as a section of the page of benchmarks."""

import os
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Sequence

from tests.bench.figure import Figure, figure, rows
from tests.bench.written import DAY
from tests.pbem.day.judging import MOST_GROWN, MOST_LAG, Plan
from tests.pbem.day.watching import EARLY, Seen

WIDTH = 115


def section(plan: Plan, seen: Seen, where: str) -> str:
    """What was seen of a day that went as it should, and where."""
    told = (
        "Written by `./run soak service --write` after a day that went as it should: nothing that came was left, and"
        f" no process held in its last quarter more than {MOST_GROWN:g} of what it held in its second. Memory at the"
        " end stands below beside that of the first hour, in which a process fills what it keeps so as to be quick."
        " The whole service, its database and its players share the machine. Deadlines are missed by seconds on the"
        " wall's clock."
    )
    counted = (
        f"{plan.games:,} games, {plan.stage_hours:g} hours for a stage, {plan.mails:,} mails a day;"
        f" {plan.hours:g} hours passed at {plan.rate:g} times the speed. {seen.stages:,} stages were resolved,"
        f" {seen.deadlines:,} deadlines passed, {seen.mails:,} mails came, {seen.letters:,} letters were written. When"
        f" the players stopped, {seen.unread} mails were still to be read and {seen.unsent} letters to be sent,"
        " which was then done."
    )
    paragraphs = [textwrap.fill(each, WIDTH) for each in (told, where, counted)]
    return "\n\n".join([f"## {DAY}", *paragraphs, "\n".join(rows(_figures(plan, seen)))]) + "\n"


def _figures(plan: Plan, seen: Seen) -> list[Figure]:
    lags = {"half of the deadlines": seen.lag_half, "99 % of them": seen.lag_most, "all of them": seen.lag_longest}
    cores = os.cpu_count() or 1
    used, there = seen.processor / plan.hours, cores * 3600 / plan.rate
    return [
        *(figure(f"{name} missed by at most", lag, "s", MOST_LAG, "the limit of 99 %") for name, lag in lags.items()),
        figure("processor time an hour of the service's clock", used, "s", there, f"{cores} cores for as long"),
        *_memory(seen, f"after {plan.hours * EARLY:.2g} h"),
    ]


def _memory(seen: Seen, early: str) -> Iterator[Figure]:
    """Of each process, numbered where a program has several: what the system numbered them tells nobody anything."""
    programs: defaultdict[str, list[str]] = defaultdict(list)
    for name in seen.megabytes:
        programs[name.partition(" ")[0]].append(name)
    for program, names in programs.items():
        for label, name in zip(_labels(program, len(names)), names, strict=True):
            yield figure(f"memory of {label}", seen.megabytes[name], "MB", seen.early[name], early)


def _labels(program: str, number: int) -> Sequence[str]:
    return [program] if number == 1 else [f"{program}, process {place + 1}" for place in range(number)]
