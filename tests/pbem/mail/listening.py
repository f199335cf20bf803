"""A listener for the time of a block, in a thread of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue

from pbem.context import Service
from pbem.mail.listener import listen


@contextmanager
def listening(service: Service) -> Iterator[int]:
    """The port on which the service listens."""
    told = threading.Event()
    port: Queue[int] = Queue()
    thread = threading.Thread(target=listen, args=(service, told, port.put), daemon=True)
    thread.start()
    try:
        yield port.get(timeout=20)
    finally:
        told.set()
        thread.join()
