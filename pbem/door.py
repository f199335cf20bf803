"""The one way out to the workers: what is published here is a nudge, after the commit, and may be lost.

The sweep finds whatever is owed, so a lost nudge costs a second or two, never a game.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from queue import Full, Queue
from typing import Any, Protocol, TypeVar

import structlog
from celery import Celery
from celery.exceptions import SoftTimeLimitExceeded
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
PLAY, READING = "play", "reading"
"""Who does what waits in the first does the other too, by turns: no deadline waits behind a crowd of mails."""
QUEUES = dict.fromkeys((ADVANCE, REMIND, INVITE, TEND, OBSERVE, SWEEP), PLAY) | {READ: READING, SEND: "sending"}


def name_of(task: str) -> str:
    """What a task is called in logs: `advance`."""
    return task.rpartition(".")[2]


LIMIT, SENDING_LIMIT = 60, 290
"""Real seconds after which the process of a task is ended, and that of one that sends letters: the last of those may
take a mail server that is slow at every step four minutes."""
WARNED = 20
"""How many seconds before that the task that sends is told."""
BROKER: dict[str, Any] = {
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "task_ignore_result": True,
    "worker_prefetch_multiplier": 1,
    "worker_proc_alive_timeout": 60,  # by default one that takes 4 seconds to start is killed: on a busy machine, each
    "task_soft_time_limit": 50,
    "task_time_limit": LIMIT,
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "broker_transport_options": {
        "visibility_timeout": 300,  # longer than any task
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 10,
        "socket_connect_timeout": 3,
    },
}
"""Celery's settings, the same for who publishes and who works."""
PATIENCE = 1
"""Real seconds that a nudge, or a count of requests, waits for the broker: what is not done at once is let go."""
HASTY: dict[str, Any] = {
    **BROKER["broker_transport_options"],
    "socket_timeout": PATIENCE,
    "socket_connect_timeout": PATIENCE,
    "max_retries": 0,
}
"""How who publishes goes to the broker. Workers wait for it and come back for ever."""
SHUT = 3.0
"""Real seconds for which nothing is tried after a try that failed: many who come to a broker that is away wait for one
try, not for one each."""

STALE = 60
"""Real seconds after which a nudge is dropped unread: the sweep gives a fresh one, and no queue grows behind workers
that are too slow. Much longer than a nudge waits behind what a sweep gives (`pbem.sweep.ROOM`)."""


MOST_GIVEN = 1000
"""How many nudges may wait for the thread that publishes them."""

ABOUT_ALL = frozenset({SEND})
"""Tasks about all that is owed: one nudge is as good as many, so no other is given while one waits to be taken."""
_NUDGED, BELIEVED = "nudged.", 3
"""What the broker keeps while a nudge of those waits: the key, before the name of the task, and the real seconds after
which it is no longer believed, for the nudge may be lost, or who took it be ended."""


class Door(Protocol):
    """Where nudges go. None raises, whatever the broker does: what is nudged for is committed already."""

    def publish(self, task: str, number: int) -> None:
        """Ask for the task on the row of that number."""
        ...

    def taken(self, task: str) -> None:
        """The task begins to look for what is owed: what is committed from now on needs another nudge."""
        ...

    def waiting(self, queue: str) -> int:
        """How many nudges wait there for a worker; 0 where nobody can say."""
        ...


class Closed:
    """Nobody behind it: the sweep does everything."""

    def publish(self, task: str, number: int) -> None:
        """Nothing is lost by it."""

    def taken(self, task: str) -> None:
        """Nothing was given."""

    def waiting(self, queue: str) -> int:
        """Nothing waits."""
        return 0


Given = TypeVar("Given")


class Celeried:
    """Celery behind it. Made after the fork; `url` is that of the broker."""

    def __init__(self, url: str) -> None:
        self._app = Celery("pbem", broker=url, set_as_current=False)
        self._app.conf.update(BROKER, broker_transport_options=HASTY)
        self._turn = threading.Lock()
        self._opens = 0.0

    def publish(self, task: str, number: int) -> None:
        """One try at most: the sweep will find the work."""
        self._try(partial(self._give, task, number))
        crashing.at("after-publish")

    def taken(self, task: str) -> None:
        """One try at most: what is believed to wait is forgotten by itself."""
        self._try(partial(self._forget, task))

    def waiting(self, queue: str) -> int:
        """One question to the broker at most."""
        return self._try(partial(self._ask, queue)) or 0

    def _give(self, task: str, number: int) -> None:
        with self._app.producer_or_acquire() as producer:
            if task not in ABOUT_ALL or self._is_first(producer.connection, task):
                nudge = partial(self._app.send_task, task, args=[number], queue=QUEUES[task], expires=STALE)
                nudge(producer=producer, retry=False, ignore_result=True)

    def _is_first(self, connection: Any, task: str) -> bool:
        """Whether none of those nudges waits yet; from now on one does."""
        with _asking(connection) as broker:
            return bool(broker.set(_NUDGED + task, 1, nx=True, ex=BELIEVED))

    def _forget(self, task: str) -> None:
        with self._app.pool.acquire(block=True) as connection, _asking(connection) as broker:
            broker.delete(_NUDGED + task)

    def _try(self, what: Callable[[], Given]) -> Given | None:
        """What comes of it; None where the broker is away or was a moment ago. Who comes meanwhile waits to see."""
        with self._turn:
            if time.monotonic() < self._opens:
                return None
            try:
                return what()
            except OperationalError as error:
                log.warning("broker_away", kind=type(error.__cause__ or error).__name__, not_tried_for=SHUT)
            except SoftTimeLimitExceeded:  # the end of a task's time is no matter of the broker's
                raise
            except Exception as error:  # whatever it is: it is no reason to call undone what is committed
                log.error("nudge_failed", kind=type(error).__name__, not_tried_for=SHUT)  # noqa: TRY400
            self._opens = time.monotonic() + SHUT
            return None

    def _ask(self, queue: str) -> int:
        with self._app.pool.acquire(block=True) as connection, _asking(connection) as broker:
            return int(broker.llen(queue))


@contextmanager
def _asking(connection: Any) -> Iterator[Any]:
    """The client of the broker that this connection has. Raises OperationalError where the broker is away."""
    try:
        with connection.default_channel.conn_or_acquire() as broker:
            yield broker
    except (*connection.connection_errors, *connection.channel_errors) as error:
        raise OperationalError from error


class Aside:
    """A door before which nobody waits: a thread of its own goes through it. Made after the fork.

    Where an answer waited for a nudge, how long it took would tell what had been found to nudge for.
    """

    def __init__(self, door: Door) -> None:
        self._door = door
        self._given: Queue[tuple[str, int]] = Queue(MOST_GIVEN)
        threading.Thread(target=self._go, name="nudges", daemon=True).start()

    def publish(self, task: str, number: int) -> None:
        """Soon, or never where too much waits already."""
        try:
            self._given.put_nowait((task, number))
        except Full:
            log.warning("nudge_lost", task=name_of(task), number=number)

    def taken(self, task: str) -> None:
        """The door is told."""
        self._door.taken(task)

    def waiting(self, queue: str) -> int:
        """What the door says."""
        return self._door.waiting(queue)

    def _go(self) -> None:
        while True:
            task, number = self._given.get()
            try:
                self._door.publish(task, number)
            except Exception as error:  # whatever it is: the sweep finds this work, and other nudges are to go out
                log.error("nudge_failed", task=name_of(task), number=number, kind=type(error).__name__)  # noqa: TRY400
