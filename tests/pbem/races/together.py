"""Acts that begin at the same moment, each in a thread of its own."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier

SWITCH = 1e-5
"""Real seconds after which a thread gives way to another: so that they meet in the middle of things."""


def together(*acts: Callable[[], object]) -> list[Exception | None]:
    """What each of the acts raised, once all are done."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> Exception | None:
        barrier.wait()
        try:
            act()
        except Exception as error:
            return error
        return None

    with _giving_way(), ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@contextmanager
def _giving_way() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
