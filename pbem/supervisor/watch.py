"""Start programs in order, keep them running, stop them in reverse."""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from pbem import logs
from pbem.supervisor.child import Child

log = logs.get(__name__)
GLANCE = 0.1


class DidNotStart(Exception):
    """A program ended, or was not ready in time, when the service was started. Carries its name."""


class Watch:
    """The programs of one service. `run` returns when it is told to stop (SIGTERM, SIGINT, SIGHUP, `stop`)."""

    def __init__(self, children: Sequence[Child], patience: float = 60) -> None:
        self._children = children
        self._patience = patience
        self._told = threading.Event()

    def stop(self) -> None:
        """Let `run` come to its end."""
        self._told.set()

    def run(self) -> None:
        """Start, keep and stop. Raises DidNotStart."""
        with self._listening():
            try:
                for child in self._children:
                    self._begin(child)
                log.info("service is up")
                while not self._told.wait(GLANCE):
                    for child in self._children:
                        self._keep(child)
            finally:
                log.info("service is stopping")
                for child in reversed(self._children):
                    child.stop()

    def _begin(self, child: Child) -> None:
        if self._told.is_set():
            return
        child.start()
        glances = round(self._patience / GLANCE)
        while not (child.running() and child.program.ready()):
            if self._told.wait(GLANCE):
                return
            glances -= 1
            if not child.running() or glances < 0:
                raise DidNotStart(child.program.name)
        log.info("process is ready", process=child.program.name, pid=child.pid)

    def _keep(self, child: Child) -> None:
        if child.pid and not child.running():
            pid, status = child.pid, child.bury()
            log.warning("process ended", process=child.program.name, pid=pid, status=status, failures=child.failures)
        if child.may_start():
            child.start()
            log.info("process started again", process=child.program.name, pid=child.pid)

    @contextmanager
    def _listening(self) -> Iterator[None]:
        def told(_number: int, _frame: FrameType | None) -> None:
            self._told.set()

        numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        before = [signal.signal(number, told) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
