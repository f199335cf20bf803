"""The database goes away while letters are handed over: none goes out twice for it."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy.exc import OperationalError
from sqlmodel import Session
from structlog.testing import capture_logs

from pbem.context import Service
from pbem.mail import outbox, transport
from pbem.mail.sender import send
from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database
from tests import servers
from tests.pbem.mail import stubserver
from tests.pbem.mail.stubserver import StubServer, Taken
from tests.pbem.mail.test_sender import fates, later, write
from tests.pbem.playing import service_on

OVER = 200
"""Seconds after which a lease is."""


class Outage:
    """While it is `on`, one process can write nothing: its database is away, and that of others is not."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on = False
        self.tries = 0
        """How often something was to be written meanwhile."""
        self.last: int | None = None
        """The try after which it is over."""
        real = Database.writing

        @contextmanager
        def writing(which: Database) -> Iterator[Session]:
            if which is database and self.on:
                self.tries += 1
                self.on = self.tries != self.last
                raise OperationalError("", {}, Exception("the server closed the connection"))
            with real(which) as session:
                yield session

        monkeypatch.setattr(Database, "writing", writing)

    def begin(self) -> None:
        """From now on."""
        self.on = True


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """A mail server."""
    with stubserver.running() as server:
        yield server


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long between two tries."""
    monkeypatch.setattr("pbem.storage.unwritten.EVERY", 0.01)


@pytest.fixture
def service(database: Database, stub: StubServer) -> Iterator[Service]:
    """A process that sends through the stub."""
    service = sending_to(stub, database)
    yield service
    service.unwritten.settle()


@pytest.fixture
def other(database: Database, stub: StubServer) -> Iterator[Service]:
    """Another process that does the same."""
    service = sending_to(stub, Database(database.url.render_as_string(hide_password=False)))
    yield service
    service.close()


@pytest.fixture
def outage(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outage]:
    """What the process has to live through; over at the end of the test."""
    outage = Outage(service.database, monkeypatch)
    yield outage
    outage.on = False


def sending_to(stub: StubServer, database: Database) -> Service:
    """A process that sends through the stub."""
    return service_on(database, smtp_host="127.0.0.1", smtp_port=stub.port)


def when_taken(stub: StubServer, number: int, act: Callable[[], object]) -> None:
    """Something happens when the mail server has taken so many letters, before it says so."""
    real = stub.take

    def take(mail: Taken) -> None:
        real(mail)
        if len(stub.mails) == number:
            act()

    stub.take = take  # type: ignore[method-assign]


def send_blindly(service: Service) -> None:
    """The process sends, while the database may be away."""
    with suppress(OperationalError):
        send(service)


def mend(service: Service, outage: Outage) -> None:
    """The database has been away for many tries of the process, and is there again."""
    tried = outage.tries
    servers.wait_until(lambda: outage.tries >= tried + 10)
    outage.on = False
    service.unwritten.settle()


def send_all(*services: Service) -> None:
    """Whatever is owed goes out, now or once leases are over."""
    for _ in range(4):
        for service in services:
            send(service)
        later(OVER)


def taken(stub: StubServer) -> list[int]:
    """How often the mail server has taken each letter that it has taken."""
    return sorted(Counter(mail.recipients[0] for mail in stub.mails).values())


@pytest.mark.parametrize("number", [5, 16, 20])
def test_letters_taken_while_the_database_is_away_go_out_once(
    service: Service, other: Service, stub: StubServer, outage: Outage, number: int
) -> None:
    """What was taken is kept and written at last, whether that shows at the next marks, at once or at the end."""
    write(service, 20)
    when_taken(stub, number, outage.begin)
    send_blindly(service)
    mend(service, outage)
    send_all(other, service)
    assert fates(service) == [("sent", "")] * 20
    assert taken(stub) == [1] * 20


def test_database_that_is_stopped_for_longer_than_a_lease_sends_nothing_twice(
    require: Callable[[str], str], short_folder: Path, stub: StubServer
) -> None:
    """A real server of its own, which SQLite has not: the process writes by itself, once it can, what was taken."""
    require("postgresql")
    with servers.running_postgresql(short_folder / "away") as server:
        database = Database(server.url(server.create()))
        migrate(database)
        service = sending_to(stub, database)
        write(service, 10)
        when_taken(stub, 5, server.stop)
        send_blindly(service)
        later(OVER)
        send_blindly(service)
        server.start()
        servers.wait_until(lambda: fates(service) == [("sent", "")] * 10)
        send_all(service)
        assert taken(stub) == [1] * 10
        service.close()


def test_word_that_was_kept_for_longer_than_a_lease_counts_before_another_sender_begins(
    service: Service, other: Service, stub: StubServer, outage: Outage
) -> None:
    """Another process may be the first to find the database there: it leaves time for what is yet to be said."""
    write(service, 20)
    when_taken(stub, 5, outage.begin)
    send_blindly(service)
    later(OVER)
    assert send(other) == 4  # those that had not begun
    mend(service, outage)
    send_all(other)
    assert fates(service) == [("sent", "")] * 20
    assert taken(stub) == [1] * 20


def test_letter_refused_while_the_database_is_away_is_not_offered_again(
    service: Service, other: Service, stub: StubServer, outage: Outage
) -> None:
    """The server's words are kept. Those that had begun and were not tried go out, and are not said to have before."""
    write(service, 9)
    when_taken(stub, 5, outage.begin)
    when_taken(stub, 5, lambda: stub.fail("content", "550 5.7.1 no"))
    send_blindly(service)
    later(OVER)
    assert send(other) == 0
    mend(service, outage)
    send_all(other)
    assert Counter(fates(service)) == {("sent", ""): 8, ("failed", "550 5.7.1 no"): 1}
    assert taken(stub) == [1] * 8


def test_task_whose_time_ends_while_it_marks_letters_leaves_that_to_its_process(
    service: Service, stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the database hangs: what the task could not finish is written all the same, and no letter goes again."""
    write(service, 3)
    real, calls = outbox.sent, []

    def hangs_at_first(*given: Any) -> None:
        calls.append(given)
        if len(calls) == 1:
            raise SoftTimeLimitExceeded
        real(*given)

    monkeypatch.setattr(outbox, "sent", hangs_at_first)
    with pytest.raises(SoftTimeLimitExceeded):
        send(service)
    service.close()
    assert fates(service) == [("sent", "")] * 3
    send_all(service)
    assert taken(stub) == [1] * 3


def test_process_that_is_told_to_stop_writes_what_it_kept(
    service: Service, other: Service, stub: StubServer, outage: Outage
) -> None:
    """It tries for as long as it has time."""
    write(service, 16)
    when_taken(stub, 5, outage.begin)
    send_blindly(service)
    outage.last = outage.tries + 10
    service.close()
    assert fates(other) == [("sent", "")] * 16


def watching(monkeypatch: pytest.MonkeyPatch, monotonic: Callable[[], float]) -> None:
    """The sender looks often, while it waits for an answer, at what that gives for the time."""
    monkeypatch.setattr(transport, "GLANCE", 0.01)
    monkeypatch.setattr("pbem.mail.sender.time", SimpleNamespace(monotonic=monotonic))


def test_letter_whose_lease_can_not_be_prolonged_goes_out_once(
    service: Service, other: Service, stub: StubServer, outage: Outage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its data is out: that the database is away while the server looks through it makes it no letter to be sent."""
    now = [0.0]

    def away() -> None:
        outage.last = 1
        outage.begin()
        now[0] = service.settings.lease_seconds / 2
        servers.wait_until(lambda: not outage.on)

    watching(monkeypatch, lambda: now[0])
    write(service)
    when_taken(stub, 1, away)
    assert send(service) == 1
    send_all(service, other)
    assert fates(service) == [("sent", "")]
    assert taken(stub) == [1]


def test_letter_that_its_sender_lost_to_another_is_marked_whatever_ends_the_sender(
    service: Service, other: Service, stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its data is out, whoever holds it now: it goes out again, and the log says that it may have before."""
    now, begun, real = [0.0], list[bool](), outbox.begin

    def begin(*given: Any) -> set[int]:
        ours = real(*given)
        begun.append(bool(ours))
        return ours

    def time_of_the_task() -> float:
        if begun == [True, False]:
            begun.append(False)
            raise SoftTimeLimitExceeded
        return now[0]

    def taken_for_dead() -> None:
        later(OVER)
        outbox.claim(other)
        now[0] = service.settings.lease_seconds / 2
        servers.wait_until(lambda: len(begun) > 2)

    monkeypatch.setattr(outbox, "begin", begin)
    watching(monkeypatch, time_of_the_task)
    write(service)
    when_taken(stub, 1, taken_for_dead)
    assert send(service) == 0
    service.unwritten.settle()
    assert fates(service) == [("queued", outbox.AGAIN)]
    send_all(service, other)
    assert fates(service) == [("sent", outbox.AGAIN)]
    assert taken(stub) == [2]


def test_what_a_process_could_not_write_before_its_end_is_sent_again_and_marked(
    service: Service, other: Service, stub: StubServer, outage: Outage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows then whether the letters were taken: they go out once more, and the log says so."""
    write(service, 3)
    when_taken(stub, 1, outage.begin)
    send_blindly(service)
    monkeypatch.setattr("pbem.storage.unwritten.AT_THE_END", 0.0)
    with capture_logs() as logs:
        service.close()
    assert "never_written" in {each["event"] for each in logs}
    send_all(other)
    assert fates(other) == [("sent", outbox.AGAIN)] * 3
    assert taken(stub) == [2] * 3


def test_what_can_not_be_written_holds_up_nothing_else(service: Service) -> None:
    """It is logged and dropped where the database is there and will not have it."""
    written: list[int] = []
    with capture_logs() as logs:
        service.unwritten.leave(lambda: 1 / 0)
        service.unwritten.leave(lambda: written.append(1))
        service.close()
    assert written == [1]
    assert [each["kind"] for each in logs if each["event"] == "not_writable"] == ["ZeroDivisionError"]
