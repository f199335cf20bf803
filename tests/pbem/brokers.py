"""Brokers that are of no use: they count who comes, and never say a word."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Useless:
    """One that hangs, or hangs up at once; how often somebody came to it."""

    def __init__(self, server: socket.socket, *, hangs: bool) -> None:
        self.came = 0
        self.url = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        self._server = server
        self._hangs = hangs
        self._held: list[socket.socket] = []

    def serve(self) -> None:
        """Until the server is shut."""
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                break
            self.came += 1
            if self._hangs:
                self._held.append(client)
            else:
                client.close()
        for client in self._held:
            client.close()


@contextmanager
def useless(*, hangs: bool) -> Iterator[Useless]:
    """Such a broker for the time of a block."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        broker = Useless(server, hangs=hangs)
        thread = threading.Thread(target=broker.serve)
        thread.start()
        try:
            yield broker
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


UNUSABLE = "redis://127.0.0.1:1/0?no_such_option=1"
"""An address that nothing is wrong with but that no client takes: it raises what no broker that is away does."""


class Stuck:
    """A door at which everybody waits until it is let go."""

    def __init__(self, _url: str = "") -> None:
        self.free = threading.Event()
        self.published: list[tuple[str, int]] = []

    def publish(self, task: str, number: int) -> None:
        """Wait."""
        self.free.wait(60)
        self.published.append((task, number))

    def taken(self, task: str) -> None:
        """Of no matter here."""

    def waiting(self, queue: str) -> int:
        """Wait."""
        self.free.wait(60)
        return 0
