"""Limits that no test comes near, unless what it tests takes for ever."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pbem.door import LIMIT


@contextmanager
def in_time_for_a_task() -> Iterator[None]:
    """Fails what takes more of the processor than the seconds after which a task's process is ended."""

    def over(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"not done after {LIMIT} seconds of the processor")

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
