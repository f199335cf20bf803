"""The listener through real sockets: what it takes, what it refuses, and that 250 means stored."""

import smtplib
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from pbem.context import Service
from pbem.door import QUEUES
from pbem.letters import Composed, Envelope, Recipient, finish, put
from pbem.mail.identity import Identity, Mark, Purpose
from pbem.mail.listener import MOST_TOLD
from pbem.settings import Settings
from pbem.storage.models import Inbound
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.pbem.brokers import Stuck
from tests.pbem.mail.listening import listening
from tests.pbem.playing import service_on

MAIL = b"From: ann@example.org\r\nTo: play@play.example\r\nSubject: x\r\n\r\nbid 1200\r\n"
TO = "play@play.example"


class Recorder:
    """A door that keeps what was published."""

    def __init__(self) -> None:
        self.published: list[tuple[str, int]] = []

    def publish(self, task: str, number: int) -> None:
        """Keep it."""
        self.published.append((task, number))

    def taken(self, task: str) -> None:
        """Of no matter here."""

    def waiting(self, queue: str) -> int:
        """How much was published there."""
        return sum(QUEUES[task] == queue for task, _ in self.published)


@pytest.fixture
def service(database: Database) -> Service:
    """A service that listens on any free port."""
    return service_on(database, mail_port=0)


@pytest.fixture
def client(service: Service) -> Iterator[smtplib.SMTP]:
    """A mail client that is connected to the listener."""
    with listening(service) as port, smtplib.SMTP("127.0.0.1", port, "client.example") as smtp:
        yield smtp


def stored(service: Service) -> list[Inbound]:
    """What is on the disk."""
    with service.reading() as session:
        return list(session.exec(select(Inbound).order_by(col(Inbound.id))))


def test_what_is_accepted_is_stored(service: Service, client: smtplib.SMTP) -> None:
    """The mail is there, byte for byte, with its envelope, when the 250 comes."""
    client.sendmail("ann@example.org", [TO], MAIL)
    [row] = stored(service)
    assert row.raw == MAIL
    assert (row.mail_from, row.rcpt_to, row.status) == ("ann@example.org", TO, "stored")


def test_null_sender_is_kept(service: Service, client: smtplib.SMTP) -> None:
    """A bounce comes from nobody, and is stored so."""
    client.sendmail("<>", [TO], MAIL)
    assert stored(service)[0].mail_from == "<>"


def test_only_our_addresses(service: Service, client: smtplib.SMTP) -> None:
    """Other recipients are refused for good when they are named, and the rest of the mail is taken."""
    client.ehlo()
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        client.sendmail("ann@example.org", ["root@play.example", "play@elsewhere.example"], MAIL)
    assert {code for code, _ in refused.value.recipients.values()} == {550}
    assert list(client.sendmail("ann@example.org", ["x@play.example", TO], MAIL)) == ["x@play.example"]
    assert len(stored(service)) == 1


def test_too_many_recipients(service: Service, client: smtplib.SMTP) -> None:
    """Beyond the limit a recipient is put off, not lost."""
    many = [f"play+{number}@play.example" for number in range(110)]
    refused = client.sendmail("ann@example.org", many, MAIL)
    assert len(refused) == 10
    assert {code for code, _ in refused.values()} == {452}


@pytest.mark.parametrize("odd", [b"X: a\rb", b"X: a\nFrom: b@x.org", b"X: a\0b"])
def test_smuggled_headers_are_refused(service: Service, client: smtplib.SMTP, odd: bytes) -> None:
    """A bare CR, bare LF or NUL in the header is refused; in the body it is not looked at."""
    client.ehlo()
    client.mail("ann@example.org")
    client.rcpt(TO)
    client.putcmd("data")
    client.getreply()
    client.send(odd + b"\r\n" + MAIL + b".\r\n")
    assert client.getreply()[0] == 554
    assert stored(service) == []


def test_very_long_lines_are_taken(service: Service, client: smtplib.SMTP) -> None:
    """A line of 64 KB is no reason to lose a mail."""
    client.sendmail("ann@example.org", [TO], MAIL + b"x" * 65_536 + b"\r\n")
    assert len(stored(service)[0].raw) == len(MAIL) + 65_538


def test_too_large_is_refused(database: Database) -> None:
    """A mail over the limit is refused, and the connection lives on."""
    service = service_on(database, mail_port=0, max_message_bytes=20_000)
    with listening(service) as port, smtplib.SMTP("127.0.0.1", port, "client.example") as client:
        with pytest.raises(smtplib.SMTPException):
            client.sendmail("ann@example.org", [TO], MAIL + b"line\r\n" * 10_000)
        client.ehlo()
        client.mail("ann@example.org")
        client.rcpt(TO)
        client.putcmd("data")
        client.getreply()
        client.send((MAIL + b"line\r\n" * 10_000) + b".\r\n")
        assert client.getreply()[0] == 552
        client.sendmail("ann@example.org", [TO], MAIL)
    assert len(stored(service)) == 1


def test_storage_that_fails_loses_nothing(service: Service, client: smtplib.SMTP) -> None:
    """While the database is away the sender is told to come again, and then the mail is taken."""

    def fail(*_: object) -> None:
        raise OperationalError("insert", {}, OSError("disk full"))

    event.listen(service.database.writer, "before_cursor_execute", fail)
    try:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("ann@example.org", [TO], MAIL)
    finally:
        event.remove(service.database.writer, "before_cursor_execute", fail)
    assert refused.value.smtp_code == 451
    client.sendmail("ann@example.org", [TO], MAIL)
    assert len(stored(service)) == 1


def test_many_clients_at_once(service: Service) -> None:
    """Mails from eight connections are all stored, and published after that."""
    door = Recorder()
    service = Service(service.database, service.settings, service.identity, door)

    def work(number: int) -> None:
        with smtplib.SMTP("127.0.0.1", port, "client.example") as client:
            for part in range(10):
                client.sendmail("ann@example.org", [TO], MAIL + f"{number} {part}\r\n".encode())

    with listening(service) as port:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    rows = stored(service)
    assert len({row.raw for row in rows}) == 80
    assert {number for _, number in door.published} <= {row.id for row in rows}


def test_mails_are_stored_while_nobody_can_be_told(service: Service) -> None:
    """A broker that hangs holds up no mail, however many wait to be told of."""
    door = Stuck()
    service = replace(service, door=door)
    with listening(service) as port:
        try:
            with smtplib.SMTP("127.0.0.1", port, "client.example", timeout=30) as client:
                for _ in range(2 * MOST_TOLD):
                    client.sendmail("ann@example.org", [TO], MAIL)
            assert not door.published
        finally:
            door.free.set()
    assert len(stored(service)) == 2 * MOST_TOLD
    assert 0 < len(door.published) <= MOST_TOLD + 1


def test_client_that_goes_away_leaves_nothing(service: Service) -> None:
    """A mail that was not finished is not stored, and the listener goes on."""
    with listening(service) as port:
        with socket.create_connection(("127.0.0.1", port)) as wire:
            wire.sendall(b"HELO x\r\nMAIL FROM:<a@x.org>\r\nRCPT TO:<play@play.example>\r\nDATA\r\nFrom: a@x.org\r\n")
        with smtplib.SMTP("127.0.0.1", port, "client.example") as client:
            client.sendmail("ann@example.org", [TO], MAIL)
    assert [row.raw for row in stored(service)] == [MAIL]


def test_sender_without_end_is_cut_off(database: Database) -> None:
    """A line that never ends costs no more memory than the limits allow, and the listener goes on."""
    service = service_on(database, mail_port=0, max_message_bytes=20_000)
    with listening(service) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as wire:
            for command in (b"HELO x", b"MAIL FROM:<a@x.org>", b"RCPT TO:<play@play.example>", b"DATA"):
                wire.sendall(command + b"\r\n")
            with pytest.raises((ConnectionResetError, BrokenPipeError)):
                wire.sendall(b"x" * 20_000_000)
        with smtplib.SMTP("127.0.0.1", port, "client.example") as client:
            client.sendmail("ann@example.org", [TO], MAIL)
    assert [row.raw for row in stored(service)] == [MAIL]


def test_lmtp_answers_for_each_recipient(database: Database) -> None:
    """Behind a mail server each recipient has its own answer."""
    service = service_on(database, mail_port=0, mail_protocol="lmtp")
    with listening(service) as port, socket.create_connection(("127.0.0.1", port), timeout=10) as wire:
        lines = wire.makefile("rwb", buffering=0)
        lines.readline()
        for command in (
            b"LHLO x",
            b"MAIL FROM:<a@x.org>",
            b"RCPT TO:<play@play.example>",
            b"RCPT TO:<play+a@play.example>",
        ):
            lines.write(command + b"\r\n")
            while lines.readline()[3:4] == b"-":
                pass
        lines.write(b"DATA\r\n")
        assert lines.readline().startswith(b"354")
        lines.write(MAIL + b".\r\n")
        assert [lines.readline()[:3] for _ in range(2)] == [b"250", b"250"]
        lines.write(b"QUIT\r\n")
        assert lines.readline().startswith(b"221")
    assert len(stored(service)) == 1


def test_answered_letter_is_found_when_the_mail_is_stored(service: Service, client: smtplib.SMTP) -> None:
    """From the token in the address, or in In-Reply-To, the letter is known before anything is read."""
    letter = finish(
        service,
        Envelope("report", "a", Purpose.ORDERS),
        Recipient(None, "Ann", "ann@example.org", Words.of("en")),
        Composed("turn 5", "text", "<p>text"),
    )
    with service.writing() as session:
        put(session, letter)
    mark = Mark(letter.id, Purpose.ORDERS, 0)
    client.sendmail("ann@example.org", [service.identity.reply_address(mark)], MAIL)
    client.sendmail("ann@example.org", [TO], f"In-Reply-To: {service.identity.message_id(mark)}\r\n".encode() + MAIL)
    client.sendmail("ann@example.org", [service.identity.reply_address(mark).upper()], MAIL)
    forger = Identity("play.example", (b"f" * 32,))
    client.sendmail("ann@example.org", [forger.reply_address(mark)], MAIL)
    assert [row.letter_id for row in stored(service)] == [letter.id, letter.id, letter.id, None]


def test_default_size_lets_a_photo_through() -> None:
    """A reply with a picture of some megabytes is an ordinary mail."""
    assert Settings(data_dir=Path("/x")).max_message_bytes >= 5_000_000
