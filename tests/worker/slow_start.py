"""What a worker includes on a machine that is busy with other things: its processes take long to start."""

import time
from typing import Any

from celery.signals import worker_process_init

SECONDS = 6.0
"""More than Celery waits for one by default before it kills it."""


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _started(**_: Any) -> None:
    time.sleep(SECONDS)
