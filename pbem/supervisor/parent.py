"""A process ends when the one that started it does (on Linux, even by kill -9)."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_SET_PARENT_DEATH_SIGNAL = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def bound_to_us() -> Callable[[], None]:
    """What a child that this process starts has to run first (`preexec_fn`), for a process of one thread."""
    parent = os.getpid()

    def bind() -> None:
        if _libc is not None:
            _libc.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
            if os.getppid() != parent:
                os._exit(1)

    return bind
