"""One process that is kept running."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pbem.settings import READY_FILE
from pbem.supervisor.parent import bound_to_us

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
STEADY = 60.0
"""Seconds after which a process counts as steady: its next failure is the first again."""


@dataclass(frozen=True)
class Program:
    """What is run. `ready` says whether it can be used; `patience` is how many seconds it may take to end by itself.

    One with a `ready_file` makes that file, named to it by PBEM_READY_FILE, when it is ready.
    """

    name: str
    command: list[str]
    ready: Callable[[], bool]
    patience: float = 20
    ready_file: Path | None = None


class Child:
    """A program's process, in a process group of its own, told to end when its parent dies (on Linux)."""

    def __init__(self, program: Program, environment: Mapping[str, str], held: int) -> None:
        self.program = program
        self.failures = 0
        self._environment = environment
        self._held = held
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._not_before = 0.0

    @property
    def pid(self) -> int:
        """The number of the process, 0 where there is none."""
        return self._process.pid if self._process else 0

    def start(self) -> None:
        """Start the process. The data folder's lock goes with it."""
        environment = dict(self._environment)
        if self.program.ready_file is not None:
            self.program.ready_file.unlink(missing_ok=True)
            environment[READY_FILE] = str(self.program.ready_file)
        self._started = time.monotonic()
        self._process = subprocess.Popen(
            self.program.command,
            env=environment,
            stdin=subprocess.DEVNULL,
            pass_fds=(self._held,),
            process_group=0,
            preexec_fn=bound_to_us(),  # noqa: PLW1509 - the supervisor has one thread
        )

    def running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def bury(self) -> int:
        """Take note that the process ended, and end what it left of its group; its exit status."""
        assert self._process is not None
        status = self._process.wait()
        _signal_group(self._process.pid, signal.SIGKILL)
        self._process = None
        now = time.monotonic()
        self.failures = 1 if now - self._started > STEADY else self.failures + 1
        self._not_before = now + min(FIRST_PAUSE * 2 ** (self.failures - 1), LONGEST_PAUSE)
        return status

    def may_start(self) -> bool:
        """Whether there is no process and the pause after its last end is over."""
        return self._process is None and time.monotonic() >= self._not_before

    def ask_to_stop(self) -> None:
        """Ask the process to end."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def stop(self) -> None:
        """Wait for the process, which was asked to end, and after its patience end it with its whole group."""
        if self._process is None:
            return
        try:
            self._process.wait(self.program.patience)
        except subprocess.TimeoutExpired:
            _signal_group(self._process.pid, signal.SIGKILL)
        self.bury()


def _signal_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left in it (macOS says so by refusing)
