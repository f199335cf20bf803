"""What commands have in common that are processes of the service, or begin them."""

import signal
import threading

from pbem import logs
from pbem.cli.opened import read_settings
from pbem.settings import Settings


def told_to_stop() -> threading.Event:
    """Set once the process is asked to end."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    return told


def logging_as_set() -> Settings:
    """The settings, and logs as they say."""
    settings = read_settings()
    logs.configure(settings.log_level, as_json=settings.log_json)
    return settings
