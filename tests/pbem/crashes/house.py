"""The service as `pbem up` runs it, with a supervisor that starts again at once whatever is killed."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from redis import Redis

from pbem import crashing, keys
from pbem.settings import Settings
from pbem.supervisor import broker, datadir
from pbem.supervisor.child import Child, Program
from pbem.supervisor.programs import programs
from pbem.supervisor.up import child_environment
from pbem.supervisor.upgrade import upgrade
from tests.nursery import Forked, Nursery
from tests.pbem.crashes import under
from tests.servers import wait_until

BROKER = "broker"
PATIENCE = 300
"""Real seconds that a program has to be ready: the machine may be busy."""


class House:
    """The programs by name. `deaths` counts those that ended without having been asked."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._settings, self._folder = settings, folder
        keys.ensure(settings.keys)
        upgrade(settings)
        held = datadir.claim(settings.data_dir)
        self._held: int | None = held
        self._children = {
            program.name: self._child(_under(program, settings), self._environment(program.name), held)
            for group in programs(settings)
            for program in group
        }

    @property
    def names(self) -> list[str]:
        """All programs but the broker."""
        return [name for name in self._children if name != BROKER]

    def start(self) -> None:
        """The broker first, then everything else. Raises TimeoutError."""
        for child in self._children.values():
            child.start()
            if child.program.name == BROKER:
                wait_until(child.program.ready, PATIENCE)
        self.await_ready()

    def await_ready(self) -> None:
        """Until all run and say that they are ready. Raises TimeoutError."""
        wait_until(self._ready, PATIENCE)

    def revive(self) -> list[str]:
        """Start again what has ended; its names."""
        ended = [name for name, child in self._children.items() if child.pid and not child.running()]
        for name in ended:
            self._children[name].bury()
            self._children[name].start()
        return ended

    def kill(self, random: Random) -> str:
        """Kill -9 one of all the processes; whose it was."""
        processes = _members({child.pid: name for name, child in self._children.items() if name != BROKER})
        pid, name = random.choice(processes)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return self.kill(random)  # it has ended by itself meanwhile
        return name

    def order(self, name: str, place: str) -> Path:
        """Have a process of that program die at a point; the file is there until it has."""
        order = self._orders(name) / place
        order.touch()
        return order

    def passed(self, name: str) -> list[str]:
        """The points that processes of that program have passed, with the functions at work there."""
        return sorted(path.name for path in (self._orders(name) / crashing.PASSED).iterdir())

    def empty_broker(self) -> None:
        """As after the loss of its machine: it is killed, and a new one knows nothing."""
        child = self._children[BROKER]
        os.kill(child.pid, signal.SIGKILL)
        child.bury()
        shutil.rmtree(self._settings.data_dir / "appendonlydir", ignore_errors=True)
        child.start()
        wait_until(child.program.ready, PATIENCE)

    def fill_broker(self, *, full: bool) -> None:
        """Let the broker take nothing more, or let it take again."""
        with Redis(unix_socket_path=str(broker.socket(self._settings.data_dir.resolve()))) as client:
            client.config_set("maxmemory", "1" if full else "0")

    def forget(self) -> None:
        """The broker goes on, and all that it held is gone."""
        with Redis(unix_socket_path=str(broker.socket(self._settings.data_dir.resolve()))) as client:
            client.flushall()

    def close(self) -> None:
        """Stop everything, as `pbem up` does, the broker last; nothing where that has been done."""
        if self._held is None:
            return
        others = [self._children[name] for name in self.names]
        for child in others:
            child.ask_to_stop()
        for child in (*others, self._children[BROKER]):
            child.ask_to_stop()
            child.stop()
        os.close(self._held)
        self._held = None

    def _child(self, program: Program, environment: Mapping[str, str], held: int) -> Child | Forked:
        return Child(program, environment, held)

    def _ready(self) -> bool:
        self.revive()
        return all(child.running() and child.program.ready() for child in self._children.values())

    def _orders(self, name: str) -> Path:
        return self._folder / "crashes" / name

    def _environment(self, name: str) -> dict[str, str]:
        (self._orders(name) / crashing.PASSED).mkdir(parents=True)
        ours = {crashing.FOLDER: str(self._orders(name)), under.FULL: str(self._folder / "full")}
        return child_environment(self._settings) | ours


class QuickHouse(House):
    """One whose Python programs come out of a nursery."""

    _nursery: Nursery | None = None

    def close(self) -> None:
        """The nursery last."""
        super().close()
        if self._nursery is not None:
            self._nursery.close()

    def _child(self, program: Program, environment: Mapping[str, str], held: int) -> Child | Forked:
        if program.command[0] != sys.executable:
            return super()._child(program, environment, held)
        if self._nursery is None:
            self._nursery = Nursery(held)
        return Forked(program, environment, self._nursery)


def _under(program: Program, settings: Settings) -> Program:
    """The program with SQLite's disk in our hands."""
    if settings.database_url or program.command[0] != sys.executable:
        return program
    python, module, *rest = program.command
    assert module == "-m"
    return replace(program, command=[python, "-m", "tests.pbem.crashes.under", *rest])


def _members(leaders: dict[int, str]) -> list[tuple[int, str]]:
    """All living processes of these groups, with the names of their programs."""
    listed = subprocess.check_output(["ps", "-A", "-o", "pid=,pgid=,stat="], text=True)
    rows = [line.split() for line in listed.splitlines()]
    return [(int(pid), leaders[int(group)]) for pid, group, stat in rows if int(group) in leaders and "Z" not in stat]
