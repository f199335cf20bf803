"""Programs of the service that start at once: each is forked off a process that has imported what they need.

What runs is the same as `python -m …` with the same words and environment; only the start of an interpreter is saved,
which takes longer than most of what a test has a program do. `python -m tests.nursery NUMBER` is that process; it is
asked through the socket of that number, as JSON lines, and ends with whoever asks.
"""

import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem import crashing
from pbem.settings import READY_FILE
from pbem.supervisor.child import Program
from pbem.supervisor.parent import bound_to_us
from tests.servers import only_settings

IMPORTED = (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.beat",
    "celery.bin.celery",
    "celery.bin.worker",
    "celery.concurrency.prefork",
    "celery.worker.consumer",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gthread",
    "kombu.transport.redis",
    "pbem.cli",
    "pbem.mail.listener",
    "pbem.sweep",
    "pbem.web",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "tinygame.rules",
)
"""None of them reads the settings; what does (`worker.app`) is left to the program itself."""
ROOT = Path(__file__).parents[1]
GLANCE = 0.02


class Nursery:
    """Our side of it. `held` are the numbers of open files that every program is to keep open."""

    def __init__(self, *held: int) -> None:
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "tests.nursery", str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(), *held), cwd=ROOT
            )
        self._wire = ours.makefile("rw")
        ours.close()

    def start(self, command: Sequence[str], environment: Mapping[str, str], log: Path | None = None) -> int:
        """Start `python -m …`, writing to that file or where we do; its process' number, which leads a group."""
        python, flag, *words = command
        assert (python, flag) == (sys.executable, "-m"), command
        return int(self._ask(words=words, environment=dict(environment), log=log and str(log)))

    def status(self, pid: int) -> int | None:
        """How a process ended; None while it runs. To be asked no more after an answer."""
        found = self._ask(pid=pid)
        return None if found is None else int(found)

    def wait(self, pid: int) -> int:
        """How a process ended, once it has. To be asked once. Raises TimeoutError after a minute."""
        end = time.monotonic() + 60
        while (status := self.status(pid)) is None:
            if time.monotonic() > end:
                raise TimeoutError(f"process {pid} has not ended")
            time.sleep(GLANCE)
        return status

    def close(self) -> None:
        """End it, and all that it started and that still runs."""
        self._wire.close()
        self._process.wait()

    def _ask(self, **question: object) -> Any:
        self._wire.write(json.dumps(question) + "\n")
        self._wire.flush()
        return json.loads(self._wire.readline())


class Forked:
    """A program's process out of the nursery: what `pbem.supervisor.child.Child` is for one that is started anew."""

    def __init__(self, program: Program, environment: Mapping[str, str], nursery: Nursery) -> None:
        self.program, self.pid = program, 0
        self._environment, self._nursery = environment, nursery
        self._status: int | None = None

    def start(self) -> None:
        """Start the process."""
        environment = dict(self._environment)
        if self.program.ready_file is not None:
            self.program.ready_file.unlink(missing_ok=True)
            environment[READY_FILE] = str(self.program.ready_file)
        self._status = None
        self.pid = self._nursery.start(self.program.command, environment)

    def running(self) -> bool:
        """Whether the process runs."""
        if self.pid and self._status is None:
            self._status = self._nursery.status(self.pid)
        return bool(self.pid) and self._status is None

    def bury(self) -> None:
        """Wait for its end, and end what it left of its group."""
        while self.running():
            time.sleep(GLANCE)
        _end_group(self.pid)
        self.pid = 0

    def ask_to_stop(self) -> None:
        """Ask the process to end."""
        if self.running():
            os.kill(self.pid, signal.SIGTERM)

    def stop(self) -> None:
        """Wait for the process, which was asked to end, and after its patience end it with its whole group."""
        if not self.pid:
            return
        end = time.monotonic() + self.program.patience
        while self.running():
            if time.monotonic() > end:
                _end_group(self.pid)
            time.sleep(GLANCE)
        self.bury()


def _end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left in it (macOS says so by refusing)


def _next_program(wire: socket.socket) -> list[str]:
    """Serve until we are a process that is to become a program: its module and words. Raises EOFError at the end."""
    children: set[int] = set()
    with wire.makefile("rw") as lines:
        for line in lines:
            question = json.loads(line)
            if "pid" in question:
                ended, status = os.waitpid(question["pid"], os.WNOHANG)
                children.discard(ended)
                answer: int | None = os.waitstatus_to_exitcode(status) if ended else None
            else:
                bind, answer = bound_to_us(), os.fork()
                if not answer:
                    bind()
                    os.setpgid(0, 0)
                    _take(question["environment"], question["log"])
                    return list(question["words"])
                os.setpgid(answer, answer)
                children.add(answer)
            lines.write(json.dumps(answer) + "\n")
            lines.flush()
    for child in children:
        _end_group(child)
    raise EOFError


def _take(environment: Mapping[str, str], log: str | None) -> None:
    """Have that environment, and nothing that was read from another one; and write to that file."""
    os.environ.clear()
    os.environ.update(environment)
    importlib.reload(crashing)
    if log is not None:
        with open(log, "ab") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)


def main() -> None:
    """Import everything, and be each program in a process of its own."""
    only_settings({})
    for name in IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # so that looking for garbage copies no memory of ours
    with socket.socket(fileno=int(sys.argv[1])) as wire:
        try:
            module, *words = _next_program(wire)
        except EOFError:
            return
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
