"""Start programs group by group, keep them running, stop them in reverse."""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from types import FrameType

from pbem import logs
from pbem.supervisor.child import Child

log = logs.get(__name__)
GLANCE = 0.1


class DidNotStart(Exception):
    """A program ended, or was not ready in time, when the service was started. Carries its name."""


class Watch:
    """The programs of one service. `run` returns when it is told to stop (SIGTERM, SIGINT, SIGHUP, `stop`).

    Those of a group start and stop together; a group starts when the one before it is ready, and stops before it.
    """

    def __init__(self, groups: Sequence[Sequence[Child]], patience: float = 60) -> None:
        self._groups = groups
        self._patience = patience
        self._told = threading.Event()

    def stop(self) -> None:
        """Let `run` come to its end."""
        self._told.set()

    def run(self) -> None:
        """Start, keep and stop. Raises DidNotStart."""
        with self._listening():
            try:
                for group in self._groups:
                    self._begin(group)
                if not self._told.is_set():
                    log.info("service is up")
                while not self._told.wait(GLANCE):
                    for child in chain.from_iterable(self._groups):
                        self._keep(child)
            finally:
                log.info("service is stopping")
                for group in reversed(self._groups):
                    for child in group:
                        child.ask_to_stop()
                    for child in group:
                        child.stop()

    def _begin(self, group: Sequence[Child]) -> None:
        if self._told.is_set():
            return
        for child in group:
            child.start()
        for child in group:
            self._await(child)

    def _await(self, child: Child) -> None:
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
