"""What processes use of the machine, each with all that it has started."""

from collections.abc import Iterator
from contextlib import suppress

import psutil  # type: ignore[import-untyped]


def processor(*roots: int) -> float:
    """Seconds of processor time that these processes, and all that they have started, have used so far."""
    return sum(sum(process.cpu_times()[:4]) for process in _trees(roots))  # what has ended is its parent's


def _trees(roots: tuple[int, ...]) -> Iterator[psutil.Process]:
    for root in roots:
        leader = psutil.Process(root)
        for process in (leader, *leader.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):  # it ended while we looked
                yield process
