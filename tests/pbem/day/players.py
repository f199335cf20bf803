"""The players of many games and the mail server in front of them: threads that write mails and take letters."""

import smtplib
import threading
import time
from binascii import b2a_qp
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.header import Header
from email.utils import format_datetime
from random import Random
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.mail.identity import Mark, Purpose
from pbem.storage.models import Letter
from pbem.storage.sessions import columns
from tests.pbem.day.games import ORDERS, SEATS, Many, player
from tests.pbem.mail.stubserver import StubServer, Taken

WRITERS = 4
"""How many mails are on their way at the same time."""
UNREADY = 0.25
"""How likely a player is to wait with what they wrote."""
HEAD = """From: {sender}
To: {to}
Subject: {subject}
Date: {date}
Message-ID: <{number}@players.example>
MIME-Version: 1.0
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: quoted-printable

"""
AGAIN = 0.5
"""Seconds before a mail that was not taken is tried again."""


class PostOffice(StubServer):
    """Takes each letter and counts it."""

    def __init__(self, port: int) -> None:
        super().__init__(port=port)
        self.taken = 0

    def take(self, mail: Taken) -> None:
        """Nothing of it is kept."""
        with self._lock:
            self.taken += 1


class Written(NamedTuple):
    """A mail and its envelope."""

    sender: str
    to: str
    text: str


class Relay:
    """The mail server in front of a large service: it hands over one mail after the other by the same connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._client: smtplib.SMTP | None = None

    def hand_over(self, mail: Written) -> None:
        """Raises SMTPException and OSError where it is not taken; the next one goes by a new connection."""
        if self._client is None:
            self._client = smtplib.SMTP("127.0.0.1", self._port, timeout=60)
        try:
            self._client.sendmail(mail.sender, mail.to, mail.text)
        except (smtplib.SMTPException, OSError):
            self.close()
            raise

    def close(self) -> None:
        """End the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None


class Players:
    """They write so many mails a second, each a player drawn at random, in answer to the last report of a seat."""

    def __init__(self, service: Service, many: Many, mails_a_second: float, seed: str) -> None:
        self.counted: Counter[str] = Counter()
        self.behind = 0.0
        """By how many seconds a mail was begun too late, at most: then the load was less than was asked for."""
        self._service, self._many = service, many
        self._random = Random(seed)
        self._pace = mails_a_second
        self._next = time.monotonic()
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def write(self) -> None:
        """Until they are to stop."""
        with closing(Relay(self._service.settings.mail_port)) as relay:
            while not self._stopped.is_set():
                number, seat, due, ready = self._drawn()
                self._stopped.wait(max(0.0, due - time.monotonic()))
                if self._stopped.is_set():
                    return
                late = time.monotonic() - due
                with self._lock:
                    self.behind = max(self.behind, late)
                self._send(relay, self._mail(number, seat, ready))

    def stop(self) -> None:
        """No more mails."""
        self._stopped.set()

    def _drawn(self) -> tuple[int, int, float, bool]:
        with self._lock:
            self._next += self._random.expovariate(self._pace)
            number = self._many.first + self._random.randrange(self._many.games)
            return number, self._random.randrange(SEATS), self._next, self._random.random() >= UNREADY

    def _mail(self, number: int, seat: int, ready: bool) -> Written:
        with self._service.reading() as session:
            row = columns(session, _REPORT, {"game": number, "seat": seat}).one()
        letter, generation, subject, text = row
        sender = player(self._many, number, seat)
        to = self._service.identity.reply_address(Mark(letter, Purpose.ORDERS, generation))
        date = format_datetime(clock.now())
        said = ORDERS[self._many.rules_of(number)].strip() + ("" if ready else "\nnot ready")
        quoted = "\n".join(f"> {line}" for line in text.splitlines())
        body = f"{said}\n\nOn {date}, {self._service.settings.sender_name} wrote:\n{quoted}\n"
        # Not by `email.message`, for which a player's computer would have a processor of its own.
        head = HEAD.format(
            sender=sender,
            to=to,
            subject=Header(f"Re: {subject}").encode(),
            date=date,
            number=f"{threading.get_ident()}.{time.monotonic_ns()}",
        )
        return Written(sender, to, head + b2a_qp(body.encode(), istext=True).decode("ascii"))

    def _send(self, relay: Relay, mail: Written) -> None:
        """Again and again until it is taken, as a mail server does."""
        while not self._stopped.is_set():
            try:
                relay.hand_over(mail)
            except (smtplib.SMTPException, OSError) as error:
                self._count(f"tries in vain ({type(error).__name__})")
                self._stopped.wait(AGAIN)
            else:
                self._count("mails")
                return

    def _count(self, what: str) -> None:
        with self._lock:
            self.counted[what] += 1


_REPORT = (
    select(Letter.id, Letter.generation, Letter.subject, Letter.text)
    .where(col(Letter.game_id) == bindparam("game"), col(Letter.seat) == bindparam("seat"))
    .where(col(Letter.kind) == "report")
    .order_by(col(Letter.queued).desc())
    .limit(1)
)


@contextmanager
def writing(players: Players) -> Iterator[None]:
    """For the time of a block."""
    writers = [threading.Thread(target=players.write, daemon=True) for _ in range(WRITERS)]
    for each in writers:
        each.start()
    try:
        yield
    finally:
        players.stop()
        for each in writers:
            each.join()


@contextmanager
def taking_letters(port: int) -> Iterator[PostOffice]:
    """For the time of a block."""
    with PostOffice(port) as office:
        thread = threading.Thread(target=office.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield office
        finally:
            office.shutdown()
            thread.join()
