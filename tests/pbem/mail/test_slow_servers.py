"""Mail servers and programs that take their time: no letter goes out twice for that, and none is given up."""

import os
import signal
import threading
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.mail import outbox, transport
from pbem.mail.sender import send
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from tests.pbem.mail import stubserver
from tests.pbem.mail.stubserver import StubServer, Taken
from tests.pbem.mail.test_sender import CERTIFICATE, fates, later, write
from tests.pbem.playing import service_on
from tests.servers import wait_until


def thinking(stub: StubServer, seconds: float) -> None:
    """It looks through each letter before it says that it takes it."""
    real = stub.take

    def take(mail: Taken) -> None:
        real(mail)
        time.sleep(seconds)

    stub.take = take  # type: ignore[method-assign]


@pytest.mark.parametrize("tls", ["none", "tls"])
def test_server_that_looks_through_a_letter_gets_it_once(
    database: Database, monkeypatch: pytest.MonkeyPatch, tls: str
) -> None:
    """What it has the data of it may take longer for than for any other answer."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    monkeypatch.setattr(transport, "SECONDS", 1)
    with stubserver.running(CERTIFICATE if tls == "tls" else None) as stub:
        thinking(stub, 2)
        service = service_on(database, smtp_host="127.0.0.1", smtp_port=stub.port, smtp_tls=tls)
        write(service)
        for _ in range(4):
            send(service)
            later()
        assert len(stub.mails) == 1
    assert fates(service) == [("sent", "")]


def test_letter_stays_its_senders_for_as_long_as_the_server_looks_through_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lease is prolonged: nobody thinks that the sender died, and sends it again."""
    monkeypatch.setattr(transport, "GLANCE", 0.02)
    monkeypatch.setattr("pbem.mail.sender.time", SimpleNamespace(monotonic=lambda: clock.now().timestamp()))
    with stubserver.running() as stub:
        service = service_on(database, smtp_port=stub.port)
        real = stub.take

        def goes_on() -> bool:
            with service.reading() as session:
                lease = session.exec(select(col(Letter.lease))).one()
            return lease is not None and lease > clock.now() + timedelta(seconds=100)

        def take(mail: Taken) -> None:
            real(mail)
            for _ in range(5):
                later(100)
                wait_until(goes_on)
                assert outbox.claim(service) == []

        stub.take = take  # type: ignore[method-assign]
        write(service)
        assert send(service) == 1
    assert fates(service) == [("sent", "")]


def test_server_that_says_nothing_more_is_left(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """After that time nobody knows whether it took the letter, and that is marked."""
    monkeypatch.setattr(transport, "GLANCE", 0.02)
    monkeypatch.setattr(transport, "LAST", 0.1)
    over = threading.Event()
    with stubserver.running() as stub:
        real = stub.take

        def take(mail: Taken) -> None:
            real(mail)
            over.wait()

        stub.take = take  # type: ignore[method-assign]
        service = service_on(database, smtp_port=stub.port)
        write(service)
        assert send(service) == 0
        over.set()
    assert fates(service) == [("queued", outbox.AGAIN)]


def program(folder: Path, *lines: str) -> Path:
    """A program that takes letters."""
    made = folder / "sendmail"
    made.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    made.chmod(0o700)
    return made


def test_program_that_takes_long_gets_a_letter_once(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is waited for as a server is."""
    monkeypatch.setattr(transport, "SECONDS", 0.1)
    taken = tmp_path / "taken"
    service = service_on(database, sendmail=str(program(tmp_path, f"cat >> {taken}", "sleep 1")))
    write(service)
    assert send(service) == 1
    assert fates(service) == [("sent", "")]
    assert taken.read_text().count("Message-ID") == 1


@pytest.fixture
def endless(database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Service:
    """One with a letter for a program that comes to no end, and little patience."""
    monkeypatch.setattr(transport, "LAST", 0.1)
    service = service_on(database, sendmail=str(program(tmp_path, "exec sleep 600")))
    write(service)
    return service


def test_program_that_comes_to_no_end_is_tried_as_often_as_any_server(endless: Service) -> None:
    """Its letters don't count as arrived: they go once it works, or are failed, marked as what may have gone out."""
    for _ in range(len(outbox.PAUSES)):
        assert send(endless) == 0
        assert fates(endless) == [("queued", outbox.AGAIN)]
        later(30_000)
    assert send(endless) == 0
    assert fates(endless) == [("failed", f"{outbox.AGAIN} sendmail ended after 0.1 seconds")]


def test_program_that_works_again_gets_what_it_left(
    endless: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that waits for leave to write, such as Postfix's, has taken nothing."""
    for _ in range(3):
        assert send(endless) == 0
        later(30_000)
    program(tmp_path, "cat > /dev/null")
    monkeypatch.setattr(transport, "LAST", 60)
    assert send(endless) == 1
    assert fates(endless) == [("sent", outbox.AGAIN)]


@pytest.mark.parametrize(
    ("status", "fate"),
    [(0, ("sent", "")), (67, ("failed", "sendmail 67 so it is")), (75, ("queued", "sendmail 75 so it is"))],
)
def test_program_that_has_ended_is_gone_by_whatever_child_it_leaves(
    database: Database, tmp_path: Path, status: int, fate: tuple[str, str]
) -> None:
    """The child has its pipes and goes on, but the exit status and the words are there: the letter goes out once."""
    taken, children = tmp_path / "taken", tmp_path / "children"
    lines = (f"cat >> {taken}", f"sleep 600 & echo $! >> {children}", "echo so it is >&2", f"exit {status}")
    service = service_on(database, sendmail=str(program(tmp_path, *lines)))
    write(service, 2)
    try:
        assert send(service) == (2 if status == 0 else 0)
        assert fates(service) == [fate] * 2
        assert taken.read_text().count("Message-ID") == 2
    finally:
        for child in children.read_text().split():
            os.kill(int(child), signal.SIGKILL)


def test_program_that_can_not_be_started_has_taken_nothing(database: Database, tmp_path: Path) -> None:
    """Such as a file that is no program: letters wait until it is one, and are not said to have gone out before."""
    made = program(tmp_path)
    made.write_bytes(b"\x00")
    service = service_on(database, sendmail=str(made))
    write(service, 2)
    for _ in range(2 * len(outbox.PAUSES)):
        assert send(service) == 0
        later(30_000)
    with service.reading() as session:
        assert {(row.fate, row.attempts, row.deferred) for row in session.exec(select(Letter))} == {("queued", 0, 0)}
    program(tmp_path, "cat > /dev/null")
    assert send(service) == 2
    assert fates(service) == [("sent", "")] * 2


def test_sender_that_is_told_to_stop_finishes_the_letter_in_hand(database: Database) -> None:
    """The others are given back as if they had never been taken up, and no attempt is counted."""
    with stubserver.running() as stub:
        service = replace(service_on(database, smtp_port=stub.port), stopping=lambda: len(stub.mails) >= 3)
        write(service, 20)
        assert send(service) == 3
        assert send(service) == 0
        assert len(stub.mails) == 3
        assert sorted(fates(service)) == [("queued", "")] * 17 + [("sent", "")] * 3
        with service.reading() as session:
            attempts = session.exec(select(Letter.attempts).where(col(Letter.fate) == "queued")).all()
        assert set(attempts) == {0}
