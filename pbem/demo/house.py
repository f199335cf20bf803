"""The demo's processes: the service, as `pbem up` runs it, and the stand-ins."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from pbem.demo.postoffice import PostOffice, address, folder
from pbem.settings import PREFIX, Settings, load
from pbem.supervisor.parent import bound_to_us

STARTS_WITHIN = 180
"""Seconds in which the service has to be there."""


class DidNotStart(Exception):
    """The service ended or did not come up in time; its log says why."""


def configure(home: Path, post_office: PostOffice) -> Settings:
    """Put the settings of a demo into the environment, which the processes inherit, and read them."""
    given = {
        "DATA_DIR": str(home / "data"),
        "DOMAIN": "play.demo",
        "MAIL_PORT": str(free_port()),
        "WEB_PORT": str(free_port()),
        "SMTP_PORT": str(post_office.port),
        "SWEEP_SECONDS": "0.2",
        "LINK_MINUTES": "600",
        "LOG_LEVEL": "warning",
    }
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    os.environ.update({PREFIX + name: value for name, value in given.items()})
    return load()


class House:
    """All processes of one demo; `close` ends them."""

    def __init__(self, home: Path, settings: Settings) -> None:
        self._home = home
        self._settings = settings
        self._running: list[subprocess.Popen[bytes]] = []

    def start_service(self) -> None:
        """Start `pbem up` and wait until mail and web answer. Raises DidNotStart."""
        service = self._start("service.log", "-m", "pbem", "up")
        end = time.monotonic() + STARTS_WITHIN
        waits = [self._settings.mail_port, self._settings.web_port]
        while waits:
            if service.poll() is not None or time.monotonic() > end:
                raise DidNotStart
            time.sleep(0.1)
            waits = [port for port in waits if not _answers(port)]

    def start_standin(self, name: str, seed: int) -> None:
        """Start the stand-in with that mailbox."""
        words = [str(folder(self._home / "mail", name)), address(name), str(self._settings.mail_port), str(seed)]
        self._start(f"{name}.log", "-m", "pbem.demo.standin", *words)

    def ended(self) -> bool:
        """Whether a process has ended that should not have."""
        return any(process.poll() is not None for process in self._running)

    def close(self) -> None:
        """End all processes, the stand-ins first, the service last and in peace."""
        for process in reversed(self._running):
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, log: str, *words: str) -> subprocess.Popen[bytes]:
        with (self._home / log).open("ab") as out:
            process = subprocess.Popen(
                [sys.executable, *words],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=bound_to_us(),  # noqa: PLW1509 - the post office's thread holds no lock that a child needs
            )
        self._running.append(process)
        return process


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
