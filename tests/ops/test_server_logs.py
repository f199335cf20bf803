"""What the web server says by itself, in its real processes."""

import json
import os
import socket
import subprocess
from pathlib import Path

import pytest

from pbem import keys
from pbem.settings import Settings
from pbem.supervisor.programs import programs
from tests.servers import free_port, wait_until

TOKEN = "k3jxtoken"
REQUESTS = (
    "GET /sign-in/{}\r\n\r\n",
    "G\"ET' /sign-in/{} HTTP/1.1\r\n\r\n",
    "GET /sign-in HTTP/{}\r\n\r\n",
    "GET /sign-in HTTP/1.1\r\nCookie {}\r\n\r\n",
    "GET /sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {}\r\n\r\n",
)
"""None of them is one that a server understands."""


@pytest.mark.parametrize("ours", [True, False], ids=["as we start it", "as others may start it"])
def test_the_web_server_tells_nothing_of_a_request(ours: bool, tmp_path: Path, sqlite_url: str) -> None:
    """Whatever it quotes in its messages is masked whole, and they are JSON like all others: those of the process that
    watches over the others too, where that is told of our logger."""
    keys.ensure(tmp_path / "keys")
    port = free_port()
    *_, web = programs(Settings(data_dir=tmp_path, web_port=port, redis_url="redis://unused"))[-1]
    words = web.command if ours else web.command[: web.command.index("--logger-class")]
    given = {"DATA_DIR": tmp_path, "DATABASE_URL": sqlite_url, "LOG_JSON": "true"}
    environment = os.environ | {f"PBEM_{name}": str(value) for name, value in given.items()}
    log = tmp_path / "log"
    with log.open("wb") as to, subprocess.Popen(words, env=environment, stdout=to, stderr=to) as process:
        try:
            wait_until(lambda: web.ready() or process.poll() is not None, 60)
            for request in REQUESTS:
                with socket.create_connection(("127.0.0.1", port)) as wire:
                    wire.sendall(request.format(TOKEN).encode())
                    assert wire.recv(12).startswith(b"HTTP/1.1 ")
        finally:
            process.terminate()
    assert TOKEN not in log.read_text()
    lines = log.read_text().splitlines()
    told = [json.loads(line)["event"] for line in lines if ours or line.startswith("{")]
    assert len([event for event in told if event.startswith("Invalid request from")]) == len(REQUESTS)
