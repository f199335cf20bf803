"""Whether this worker was told to stop. Celery tells its first process alone, and lets those that work go on with their
tasks: they look here."""

import mmap
from typing import Any

from celery.signals import worker_shutting_down

_SHARED = mmap.mmap(-1, 1)
"""A byte of all processes that are forked off this one. Where they are not, a task goes on to its end."""


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
def _stop(**_: Any) -> None:
    _SHARED[0] = 1


def told() -> bool:
    """Whether it was."""
    return _SHARED[0] != 0
