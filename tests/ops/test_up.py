import json
import os
import signal
import smtplib
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage, Message
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.settings import settings
from pbem.supervisor import datadir
from tests.servers import free_port, wait_until

ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds: a machine that runs other tests beside is slow to start six programs."""


class Up:
    """A service of its own, run by `pbem up`."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.mail_port, self.web_port = free_port(), free_port()
        ours = {
            "DATA_DIR": str(folder / "data"),
            "MAILDIR": str(folder / "mail"),
            "MAIL_PORT": str(self.mail_port),
            "WEB_PORT": str(self.web_port),
            "DOMAIN": "play.example",
            "LOG_JSON": "true",
        }
        self.environment = (
            os.environ
            | {f"PBEM_{name}": value for name, value in (ours | settings).items()}
            | {
                "PYTHONDONTWRITEBYTECODE": "",
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests/packages/tinygame")]),
            }
        )
        self.log = folder / "log"

    @contextmanager
    def running(self) -> Iterator["subprocess.Popen[bytes]"]:
        """Up, and ended with the block, whatever happens in it."""
        with self.log.open("wb") as log:
            process = subprocess.Popen(self._command("up"), cwd=self.folder, env=self.environment, stderr=log)
        try:
            wait_until(lambda: self.events("service is up") != [] or process.poll() is not None, PATIENCE)
            assert process.poll() is None, self.log.read_text()
            yield process
        finally:
            process.terminate()
            process.wait(60)

    def events(self, event: str) -> list[dict[str, Any]]:
        """What the log says of that."""
        lines = [line for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [each for each in map(json.loads, lines) if each["event"] == event]

    def pids(self) -> dict[str, int]:
        """The programs that are ready, with their process numbers."""
        return {each["process"]: each["pid"] for each in self.events("process is ready")}

    def pbem(self, *words: str) -> str:
        """What a command prints, on this service's settings."""
        settings.cache_clear()
        ran = CliRunner().invoke(main, words, env=self.environment)
        settings.cache_clear()
        assert ran.exit_code == 0, ran.output
        return ran.stdout

    def letters(self, address: str) -> list[Message]:
        """The letters that went to an address."""
        files = sorted((self.folder / "mail" / address / "new").glob("*"), key=lambda path: path.stat().st_mtime_ns)
        return [message_from_bytes(path.read_bytes()) for path in files]

    def reply(self, address: str, text: str) -> None:
        """Answer the latest letter to an address, as its owner."""
        letter = self.letters(address)[-1]
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = address, letter["Reply-To"], f"Re: {letter['Subject']}"
        mail["Message-ID"] = f"<{len(text)}-{os.urandom(8).hex()}@players.example>"
        mail["In-Reply-To"] = letter["Message-ID"]
        mail.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.mail_port) as server:
            server.send_message(mail)

    def page(self) -> int:
        """The status of the start page."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.web_port}/") as answer:
            return int(answer.status)

    def _command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "pbem", *words]


@pytest.fixture(params=["embedded", "PostgreSQL and Redis"])
def service(request: pytest.FixtureRequest, short_folder: Path, tmp_path: Path) -> Up:
    """A service on its embedded default, and one on PostgreSQL and a Redis server of somebody else's."""
    if request.param == "embedded":
        return Up(tmp_path, DATA_DIR=str(short_folder / tmp_path.name))
    valkey = str(request.getfixturevalue("redis_url")).replace("unix://", "redis+socket://")
    return Up(tmp_path, DATABASE_URL=request.getfixturevalue("empty_postgresql_url"), REDIS_URL=valkey)


def test_a_game_is_begun_by_mail_on_a_running_service(service: Up) -> None:
    """From invitation to first report through listener, workers and outbox; the pages answer; it stops cleanly."""
    with service.running() as process:
        players = [f"{name}@players.example" for name in ("ann", "ben")]
        made = service.pbem("game", "new", "tinygame", *(f"--player={each}" for each in players), "--json")
        code = json.loads(made)["code"]
        service.pbem("game", "invite", code)
        for each in players:
            wait_until(lambda each=each: service.letters(each) != [], PATIENCE)  # type: ignore[misc]
            service.reply(each, "join\n")
        for each in players:
            wait_until(lambda each=each: len(service.letters(each)) >= 3, PATIENCE)  # type: ignore[misc]
        (game,) = json.loads(service.pbem("game", "list", "--json"))
        assert game["status"] == "playing"
        assert service.page() == 200
        process.terminate()
        assert process.wait(60) == 0
    assert [line for line in service.log.read_text().splitlines() if not line.startswith("{")] == []
    os.close(datadir.claim(Path(service.environment["PBEM_DATA_DIR"]), seconds=0))


def test_a_program_that_is_killed_comes_back(short_folder: Path, tmp_path: Path) -> None:
    """After kill -9 of any program, the broker too, the service works as before."""
    up = Up(tmp_path, DATA_DIR=str(short_folder / "killed"))
    with up.running():
        pids = up.pids()
        assert set(pids) == {"broker", "worker", "sender", "beat", "mail", "web"}
        for name, pid in pids.items():
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda name=name: name in {e["process"] for e in up.events("process started again")}, PATIENCE)  # type: ignore[misc]
        made = up.pbem("game", "new", "tinygame", "--player=ann@players.example", "--player=b@b.example", "--json")
        wait_until(lambda: _answers(up.page), PATIENCE)
        up.pbem("game", "invite", json.loads(made)["code"])
        wait_until(lambda: up.letters("ann@players.example") != [], PATIENCE)


def _answers(page: Callable[[], int]) -> bool:
    try:
        return page() == 200
    except OSError:
        return False


@pytest.mark.parametrize("setting", ["MAIL_PORT", "WEB_PORT"])
def test_a_taken_port_is_told_in_one_line(setting: str, short_folder: Path, tmp_path: Path) -> None:
    """With the setting that names another; nothing is left running."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        up = Up(tmp_path, DATA_DIR=str(short_folder / f"taken{setting}"), **{setting: port}, LOG_JSON="false")
        ran = subprocess.run(up._command("up"), env=up.environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    (line,) = ran.stderr.strip().splitlines()
    assert line.startswith(f"Error: 127.0.0.1, port {port}, can't be listened at")
    assert f"PBEM_{setting}" in line
    os.close(datadir.claim(Path(up.environment["PBEM_DATA_DIR"]), seconds=0))


def test_the_listener_alone_tells_a_taken_port_in_one_line(tmp_path: Path) -> None:
    """As whoever runs it under a process manager of their own sees it."""
    up = Up(tmp_path)
    up.pbem("migrate")
    with socket.create_server(("127.0.0.1", up.mail_port)):
        ran = subprocess.run(up._command("listen"), env=up.environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert "PBEM_MAIL_PORT" in ran.stderr.splitlines()[-1]


def test_a_second_service_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    """Whoever starts a second one is told which process has the folder."""
    up = Up(tmp_path)
    held = datadir.claim(tmp_path / "data")
    ran = subprocess.run(up._command("up"), env=up.environment, capture_output=True, text=True, check=False)
    os.close(held)
    assert ran.returncode == 1
    assert str(os.getpid()) in ran.stderr
