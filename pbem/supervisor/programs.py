"""The programs of the service."""

import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from pbem.door import LIMIT, SENDING_LIMIT
from pbem.settings import Settings
from pbem.storage.unwritten import AT_THE_END
from pbem.supervisor import broker
from pbem.supervisor.child import Program

AFTER = AT_THE_END + 5
"""Seconds that a process has to end once its task has: what it took is finished, and what it keeps is written."""


def programs(settings: Settings) -> list[list[Program]]:
    """What is run, in groups: a broker of our own, first, where the settings name none; then everything else.

    Where there is no program for it, one process does what the workers would do. Raises SocketPathTooLong.
    """
    serving = [_python("mail", settings, "-m", "pbem", "listen"), _web(settings)]
    if settings.imap_host:
        serving.append(_python("mailbox", settings, "-m", "pbem", "fetch"))
    if settings.redis_url:
        return [_workers(settings) + serving]
    try:
        return [[_broker(settings.data_dir.resolve())], _workers(settings) + serving]
    except broker.NoBroker:
        sweep = _python("sweep", settings, "-m", "pbem", "sweep", "--keep-on")
        return [[replace(sweep, patience=SENDING_LIMIT + AFTER), *serving]]


def broker_url(settings: Settings) -> str:
    """The broker's address, the configured one or that of our own; empty where there is none."""
    if settings.redis_url:
        return settings.redis_url
    try:
        broker.program()
    except broker.NoBroker:
        return ""
    return broker.url(settings.data_dir.resolve())


def _workers(settings: Settings) -> list[Program]:
    return [
        replace(_celery("worker", settings, "play", settings.worker_processes), patience=LIMIT + AFTER),
        replace(_celery("sender", settings, "sending", 1), patience=SENDING_LIMIT + AFTER),
        _beat(settings),
    ]


def _broker(folder: Path) -> Program:
    def ready() -> bool:
        try:
            with Redis(unix_socket_path=str(broker.socket(folder))) as client:
                return bool(client.ping())
        except RedisError:
            return False

    return Program("broker", broker.command(folder), ready)


def _web(settings: Settings) -> Program:
    command = [sys.executable, "-m", "gunicorn", "pbem.web:create_app()", "--no-control-socket"]
    command += ["--bind", settings.web_at, "--worker-class", "gthread"]
    command += ["--threads", str(settings.web_threads), "--graceful-timeout", "15", "--log-level", "warning"]
    command += ["--logger-class", "pbem.serverlog.ServerLog"]
    return Program("web", command, _listens(settings.web_host, settings.web_port))


def _celery(name: str, settings: Settings, queue: str, processes: int) -> Program:
    words = [
        "-m",
        "celery",
        "--quiet",
        "-A",
        "worker.app",
        "worker",
        "--queues",
        queue,
        "--concurrency",
        str(processes),
    ]
    words += ["--hostname", f"{name}@%h", "--without-mingle", "--without-gossip"]
    words += ["--loglevel", settings.log_level]
    return _python(name, settings, *words)


def _beat(settings: Settings) -> Program:
    schedule = str(settings.data_dir / "beat")
    words = ["-m", "celery", "--quiet", "-A", "worker.app", "beat", "--schedule", schedule, "--pidfile", ""]
    return _python("beat", settings, *words, "--loglevel", settings.log_level)


def _python(name: str, settings: Settings, *words: str) -> Program:
    path = settings.data_dir / f"{name}.ready"
    return Program(name, [sys.executable, *words], path.exists, ready_file=path)


def _listens(host: str, port: int) -> Callable[[], bool]:
    def ready() -> bool:
        try:
            socket.create_connection((host, port), 1).close()
        except OSError:
            return False
        return True

    return ready
