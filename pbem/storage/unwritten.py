"""What has happened and can't be undone, such as a letter that a mail server took, and is yet to be written.

While the database is away the process keeps it, and a thread tries until it is written. What is not when the process
ends is lost: whoever keeps something here says what becomes of it then.
"""

import threading
import time
from collections import deque
from collections.abc import Callable

import structlog

from pbem.storage.sessions import AWAY

log = structlog.get_logger()

Write = Callable[[], object]
"""Writes in a transaction of its own, and may do so twice: nobody knows of a commit whose answer was lost."""
EVERY = 0.5
"""Real seconds between two tries."""
AT_THE_END = 15.0
"""Real seconds that a process which is told to stop goes on trying."""


class Unwritten:
    """Writes in their order, none of which is given up before the process ends."""

    def __init__(self) -> None:
        self._writes: deque[Write] = deque()
        self._left = False
        """Whether they are left to the thread: the database was away, or nobody had time to see whether it is."""
        self._writing = threading.Lock()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def keep(self, write: Write) -> bool:
        """Write it now, unless the database is away; whether it is written."""
        if self._left:
            self.leave(write)
            return False
        self._writes.append(write)
        try:
            self.settle()
        except AWAY:
            log.warning("not_written_yet", kept=len(self._writes))
            self._leave_all()
            return False
        except BaseException:  # such as the end of a task's time
            self._leave_all()
            raise
        return True

    def leave(self, write: Write) -> None:
        """Let the thread write it: whoever says so has no time to wait for the database."""
        self._writes.append(write)
        self._leave_all()

    def settle(self) -> None:
        """Write all that is kept. Raises one of AWAY, and keeps the rest."""
        while self._writes:
            with self._writing:
                self._write_first()

    def close(self) -> None:
        """Try for as long as a process that is told to stop has time."""
        thread = self._thread
        if thread is not None:
            thread.join(AT_THE_END)
        if self._writes:
            log.error("never_written", lost=len(self._writes))

    def _write_first(self) -> None:
        if self._writes:  # another thread may have been quicker
            self._writes[0]()
            self._writes.popleft()
        self._left = False

    def _leave_all(self) -> None:
        with self._guard:
            self._left = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._try, name="unwritten", daemon=True)
                self._thread.start()

    def _try(self) -> None:
        while not self._done():
            try:
                with self._writing:
                    self._write_or_drop()
            except AWAY:
                time.sleep(EVERY)

    def _write_or_drop(self) -> None:
        """What is refused while the database is there would hold up all others for good."""
        try:
            self._write_first()
        except AWAY:
            raise
        except Exception as error:
            log.error("not_writable", kind=type(error).__name__)  # noqa: TRY400 - may quote what it is about
            self._writes.popleft()

    def _done(self) -> bool:
        with self._guard:
            if not self._writes:
                self._thread, self._left = None, False
            return not self._writes
