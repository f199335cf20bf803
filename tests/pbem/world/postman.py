"""The way out of a world: takes the service's letters as a mail server does, and sometimes as a bad one does."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from pbem.mail import sender
from pbem.mail.transport import NotNow, Unknown, Unreachable
from pbem.settings import Settings

AWAY, LATER, SILENT, LOST = "away", "later", "silent", "lost"
FAULTS = (AWAY, LATER, SILENT, LOST)
"""No connection; not taken for now; taken, but no answer comes; lost, and no answer comes."""


@dataclass
class Postman:
    """What was handed over. `mood` gives the next fault, or an empty text where all goes well."""

    mood: Callable[[], str] = str
    taken: Counter[str] = field(default_factory=Counter)
    """By the letter's Message-ID, how often it was taken."""

    def deliver(self, sender: str, recipient: str, raw: bytes, begin: Callable[[], bool]) -> str | None:
        """As `pbem.mail.transport.Transport` says."""
        fault = self.mood()
        if fault == AWAY:
            raise Unreachable("gone")
        if fault == LATER:
            raise NotNow("451 later")
        if not begin():
            return None
        if fault != LOST:
            self.taken[_message_id(raw)] += 1
        if fault in (SILENT, LOST):
            raise Unknown("no answer")
        return "250 taken"

    def close(self) -> None:
        """There is nothing to close."""

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """While this lasts the service's letters go to it."""

        def opened(_: Settings) -> Postman:
            return self

        with patch.object(sender, "opened", opened):
            yield


def _message_id(raw: bytes) -> str:
    head = raw.partition(b"\r\n\r\n")[0].decode("ascii")
    return next(line.partition(":")[2].strip() for line in head.split("\r\n") if line.lower().startswith("message-id:"))
