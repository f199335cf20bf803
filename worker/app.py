"""The Celery app: the processes that start it import this, and nothing else does.

celery -A worker.app worker -Q play        celery -A worker.app worker -Q sending        celery -A worker.app beat
"""

import warnings
from typing import Any

from celery import Celery
from celery.signals import (
    beat_init,
    celeryd_after_setup,
    setup_logging,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
)

from pbem import collector, logs
from pbem.door import BROKER, PLAY, QUEUES, READING, SWEEP
from pbem.settings import settings
from pbem.storage.sessions import normal_url
from pbem.supervisor.ready import say_ready
from worker.naming import NamedTask
from worker.service import close, open_anew

# Celery warns whoever is root of pickles, which we don't take.
warnings.filterwarnings("ignore", message=r"\s*You're running the worker with superuser privileges")

app = Celery("pbem", include=["worker.tasks"], task_cls=NamedTask)
app.conf.update(BROKER)
app.conf.update(
    broker_url=settings().redis_url,
    task_routes={task: {"queue": queue} for task, queue in QUEUES.items()},
    task_default_queue=PLAY,
    worker_hijack_root_logger=False,
    beat_schedule={"sweep": {"task": SWEEP, "schedule": settings().sweep_seconds, "options": {"expires": 30}}},
    beat_schedule_filename=str(settings().data_dir / "beat"),
)


normal_url(settings().database).get_dialect().import_dbapi()  # here, so that the processes forked share the driver


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]
def _reads_too(instance: Any, **_: Any) -> None:
    """Who plays reads too, so that no mail lies where somebody starts a worker as before there were two queues."""
    queues = instance.app.amqp.queues
    if PLAY in queues.consume_from:
        queues.select_add(READING)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _started(**_: Any) -> None:
    """Engines are made after the fork."""
    open_anew()
    collector.relax()


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def _stopping(**_: Any) -> None:
    close()


@setup_logging.connect  # type: ignore[untyped-decorator]
def _log(**_: Any) -> None:
    """Celery's logs go the way of ours, without secrets."""
    logs.configure(settings().log_level, as_json=settings().log_json)


@worker_ready.connect  # type: ignore[untyped-decorator]
def _takes_tasks(**_: Any) -> None:
    say_ready()


@beat_init.connect  # type: ignore[untyped-decorator]
def _beats(**_: Any) -> None:
    say_ready()
