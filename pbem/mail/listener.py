"""The listener: SMTP or LMTP in, and nothing is answered with 250 that is not on the disk.

Mails are committed in a thread, as many as wait together in one transaction.
"""

import asyncio
import errno
import logging
import os
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem import clock, crashing
from pbem.context import Service
from pbem.mail.intake import Arrived, let_read, plain, store
from pbem.mail.message import smuggles

log = structlog.get_logger()

MOST_RECIPIENTS = 100
LONGEST_LINE = 200_000
"""Bytes of a line: much more than the standard allows, for there are programs that write so."""
MOST_WAITING = 500
MOST_BYTES = 100_000_000
"""What may wait to be committed: beyond it senders are asked to come again."""
BATCH = 64
MOST_TOLD = 100
"""How many batches may wait for their nudges: where the broker is slow, the sweep finds the mails of others."""
SECONDS = 120
"""How long a silent client is waited for."""

STORED = "250 2.0.0 stored"
UNKNOWN = "550 5.1.1 no such address here"
CROWDED = "452 4.5.3 too many recipients"
BUSY = "452 4.3.1 too much mail at the moment, try again"
NOT_STORED = "451 4.3.0 could not be stored, try again"
SMUGGLING = "554 5.6.0 bare carriage return, line feed or NUL in the header"


class Committer:
    """Brings mails to the disk: `put` returns once they are there."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: list[tuple[Arrived, asyncio.Future[bool]]] = []
        self._bytes = 0
        self._wake = asyncio.Event()
        self._told: set[asyncio.Future[None]] = set()
        self._telling = ThreadPoolExecutor(1, "nudges")  # its own: where the broker is slow, storing goes on

    @property
    def is_full(self) -> bool:
        """Whether so much waits that no more should be taken."""
        return len(self._waiting) >= MOST_WAITING or self._bytes >= MOST_BYTES

    async def put(self, mail: Arrived) -> bool:
        """Whether the mail was stored."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((mail, stored))
        self._bytes += len(mail.raw)
        self._wake.set()
        return await stored

    async def idle(self) -> None:
        """Until nothing waits any more."""
        while self._bytes:
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Until those who read have been told."""
        await asyncio.gather(*self._told)
        self._telling.shutdown()

    async def run(self) -> None:
        """Commit what waits, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
                await self._commit(batch)

    async def _commit(self, batch: Sequence[tuple[Arrived, "asyncio.Future[bool]"]]) -> None:
        numbers = await asyncio.to_thread(self._store, [mail for mail, _ in batch])
        crashing.at("mail-stored")
        for (mail, stored), number in zip(batch, numbers, strict=True):
            self._bytes -= len(mail.raw)
            if not stored.cancelled():
                stored.set_result(number is not None)
        told = [number for number in numbers if number is not None]
        if len(self._told) < MOST_TOLD:
            task = asyncio.get_running_loop().run_in_executor(self._telling, self._tell, told)
            self._told.add(task)
            task.add_done_callback(self._told.discard)

    def _tell(self, numbers: list[int]) -> None:
        try:
            let_read(self._service, numbers)
        except Exception as error:  # whatever it is: the sweep finds the mails
            log.error("nudge_failed", mails=len(numbers), kind=type(error).__name__)  # noqa: TRY400

    def _store(self, mails: list[Arrived]) -> list[int | None]:
        """The numbers of the mails; None for one that could not be stored. One that can't does not hold up others."""
        try:
            return list(store(self._service, mails))
        except Exception as error:  # whatever it is: the senders keep their mails, and the listener goes on
            log.error("mails_not_stored", number=len(mails), kind=type(error).__name__)  # noqa: TRY400
        if len(mails) == 1:
            return [None]
        return [number for mail in mails for number in self._store([mail])]


class Handler:
    """Answers of the service to SMTP commands; aiosmtpd calls them by name."""

    def __init__(self, service: Service, committer: Committer, *, each: bool) -> None:
        self._identity = service.identity
        self._committer = committer
        self._each = each

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Only our own addresses, and not too many."""
        if not self._identity.takes(address):
            return UNKNOWN
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return CROWDED
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Stored, or not. LMTP wants an answer for each recipient."""
        received = clock.now()
        answer = await self._take(envelope, received)
        return "\r\n".join([answer] * len(envelope.rcpt_tos)) if self._each else answer

    async def handle_exception(self, error: Exception) -> str:
        """What else goes wrong: try again, and no word of the content in the log."""
        log.error("listener_failed", kind=type(error).__name__)
        return NOT_STORED

    async def _take(self, envelope: Envelope, received: datetime) -> str:
        raw = envelope.original_content
        if raw is None or self._committer.is_full:
            return BUSY
        if smuggles(raw):
            return SMUGGLING
        mail = Arrived(raw, received, plain(envelope.mail_from or ""), tuple(map(plain, envelope.rcpt_tos)))
        return STORED if await self._committer.put(mail) else NOT_STORED


class _Bounded(SMTP):
    """Cuts off who sends without end: what is over the limits aiosmtpd reads on, to answer it, and keeps."""

    line_length_limit = LONGEST_LINE
    _came = 0

    def data_received(self, data: bytes) -> None:
        self._came += len(data)
        if self._came > 2 * (self.data_size_limit or 0) + LONGEST_LINE and self.transport is not None:
            self.transport.abort()  # type: ignore[attr-defined]
            return
        super().data_received(data)

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Called before each command."""
        self._came = 0
        super()._reset_timeout(duration)


class _Smtp(_Bounded):
    """SMTP."""


class _Lmtp(_Bounded, LMTP):
    """LMTP."""


class Listener:
    """The listener on its address, in the running loop. `port` is where it listens once it has started."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._committer = Committer(service)
        self.port = 0

    async def start(self) -> None:
        """Listen. Raises OSError where the address is taken."""
        settings = self._service.settings
        lmtp = settings.mail_protocol == "lmtp"
        handler = Handler(self._service, self._committer, each=lmtp)
        make = partial(
            _Lmtp if lmtp else _Smtp,
            handler,
            data_size_limit=settings.max_message_bytes,
            enable_SMTPUTF8=True,
            hostname=settings.domain,
            ident="pbem",
            timeout=SECONDS,
            loop=asyncio.get_running_loop(),
        )
        self._committing = asyncio.create_task(self._committer.run())
        loop = asyncio.get_running_loop()
        if settings.mail_socket is not None:
            self._server = await loop.create_unix_server(make, str(_free(settings.mail_socket)))
            settings.mail_socket.chmod(0o660)
            return
        self._server = await loop.create_server(make, settings.mail_host, settings.mail_port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Take no more connections, and finish what waits; what was not answered is the sender's to send again."""
        self._server.close()
        await self._committer.idle()
        self._committing.cancel()
        await asyncio.gather(self._committing, return_exceptions=True)
        await self._committer.close()


def _free(path: Path) -> Path:
    """The path of a socket, without the one that a killed listener has left. Raises OSError where one lives."""
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(path)) == 0:
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        path.unlink()
    return path


def listen(service: Service, told: threading.Event, started: Callable[[int], object]) -> None:
    """Listen until told to stop; `started` is called with the port, 0 for a socket. Raises OSError for one taken."""
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd logs addresses, and with them tokens
    asyncio.run(_listen(service, told, started))


async def _listen(service: Service, told: threading.Event, started: Callable[[int], object]) -> None:
    listener = Listener(service)
    await listener.start()
    log.info("listening", host=service.settings.mail_host, port=listener.port)
    started(listener.port)
    while not told.is_set():
        await asyncio.sleep(0.1)
    await listener.stop()
