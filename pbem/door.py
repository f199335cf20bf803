"""The one way out to the workers: what is published here is a nudge, after the commit, and may be lost.

The sweep finds whatever is owed, so a lost nudge costs a second or two, never a game.
"""

from typing import Any, Protocol

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from pbem import crashing

log = structlog.get_logger()

ADVANCE = "pbem.advance"
READ = "pbem.read"
SEND = "pbem.send"
REMIND = "pbem.remind"
INVITE = "pbem.invite"
SWEEP = "pbem.sweep"
TEND = "pbem.tend"
OBSERVE = "pbem.observe"
QUEUES = dict.fromkeys((ADVANCE, READ, REMIND, INVITE, TEND, OBSERVE, SWEEP), "play") | {SEND: "sending"}

BROKER: dict[str, Any] = {
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "task_ignore_result": True,
    "worker_prefetch_multiplier": 1,
    "worker_proc_alive_timeout": 60,  # by default one that takes 4 seconds to start is killed: on a busy machine, each
    "task_soft_time_limit": 50,
    "task_time_limit": 60,
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "broker_transport_options": {
        "visibility_timeout": 300,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 10,
        "socket_connect_timeout": 3,
    },
}
"""Celery's settings, the same for who publishes and who works."""


STALE = 60
"""Real seconds after which a nudge is dropped unread: the sweep gives a fresh one, and no queue grows behind workers
that are too slow. Much longer than a nudge waits behind what a sweep gives (`pbem.sweep.ROOM`)."""


class Door(Protocol):
    """Where nudges go. `publish` never raises for a broker that is away."""

    def publish(self, task: str, number: int) -> None:
        """Ask for the task on the row of that number."""
        ...

    def waiting(self) -> int:
        """How many nudges to play wait for a worker; 0 where nobody can say."""
        ...


class Closed:
    """Nobody behind it: the sweep does everything."""

    def publish(self, task: str, number: int) -> None:
        """Nothing is lost by it."""

    def waiting(self) -> int:
        """Nothing waits."""
        return 0


class Celeried:
    """Celery behind it. Made after the fork; `url` is that of the broker."""

    def __init__(self, url: str) -> None:
        self._app = Celery("pbem", broker=url, set_as_current=False)
        self._app.conf.update(BROKER)

    def publish(self, task: str, number: int) -> None:
        """One try: a broker that is away is logged, and the sweep will find the work."""
        try:
            self._app.send_task(task, args=[number], queue=QUEUES[task], expires=STALE, retry=False, ignore_result=True)
        except OperationalError:
            log.warning("nudge_lost", task=task, number=number)
        crashing.at("after-publish")

    def waiting(self) -> int:
        """One question to the broker."""
        with self._app.pool.acquire(block=True) as connection:
            try:
                return int(connection.default_channel.queue_declare(QUEUES[ADVANCE]).message_count)
            except (OperationalError, *connection.connection_errors, *connection.channel_errors):
                log.warning("broker_not_asked")
                return 0
