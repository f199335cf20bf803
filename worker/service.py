"""The service of this worker process, made when it is first needed and anew after a fork."""

from dataclasses import replace

from pbem.context import Service
from pbem.door import Celeried, Closed
from pbem.settings import settings
from worker.stopping import told

_service: list[Service] = []


def service() -> Service:
    """The service of this process."""
    if not _service:
        open_anew()
    return _service[0]


def open_anew() -> None:
    """Forget the parent's connections, which are not ours to close, and open our own."""
    ours = settings()
    made = Service.opened(ours, Celeried(ours.redis_url) if ours.redis_url else Closed())
    _service[:] = [replace(made, stopping=told)]


def close() -> None:
    """Close the connections of this process."""
    while _service:
        _service.pop().close()
