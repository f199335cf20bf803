"""The data folder, which only one service may use."""

import fcntl
import os
import time
from pathlib import Path

from pbem import private


class InUse(Exception):
    """Another service uses the data folder. Carries the number of its process."""


def claim(folder: Path, seconds: float = 10) -> int:
    """Make the folder where there is none, readable by its owner alone, and lock it; the lock's descriptor.

    The lock lasts until every process that inherited the descriptor has ended: what an earlier service left running
    is waited for. Raises InUse after that many seconds.
    """
    private.folder(folder)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    end = time.monotonic() + seconds
    while not _locked(descriptor):
        if time.monotonic() > end:
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise InUse(holder)
        time.sleep(0.1)
    os.truncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
