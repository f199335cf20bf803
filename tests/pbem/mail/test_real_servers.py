"""Mail by real servers: swaks gives it to Postfix, Postfix to us by LMTP, we to Postfix, Postfix to Dovecot."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from sqlmodel import col, select

from pbem.context import Service
from pbem.games.lifecycle import Guest, Plan, create_game, invite
from pbem.mail import mailbox
from pbem.mail.identity import Mark, Purpose
from pbem.settings import Settings
from pbem.storage.models import Heartbeat, Inbound, Letter, Submission
from pbem.storage.sessions import Database
from pbem.sweep import settle
from tests.mailservers import PASSWORD, Dovecot, Postfix, deliver, mails_of, running_dovecot, running_postfix
from tests.pbem.mail.listening import listening
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, service_on
from tests.servers import free_port, wait_until

Require = Callable[[str], str]


@pytest.fixture
def database(sqlite: Database) -> Database:
    """Of one sort: the mail servers, which serve all of these tests and keep what came, see no database."""
    return sqlite


@pytest.fixture(scope="module")
def dovecot(require: Require) -> Iterator[Dovecot]:
    """A server with mailboxes."""
    require("dovecot")
    with running_dovecot() as server:
        yield server


@pytest.fixture(scope="module")
def listener_port() -> int:
    """Where our listener is to be found."""
    return free_port()


@pytest.fixture(scope="module")
def postfix(require: Require, dovecot: Dovecot, listener_port: int) -> Iterator[Postfix]:
    """A server before ours, and before the players' mailboxes."""
    require("postfix")
    # Nobody lives at nowhere.example: our listener refuses it, as any server refuses what is not its own.
    domains = {"play.example": listener_port, "players.example": dovecot.lmtp, "nowhere.example": listener_port}
    with running_postfix(domains) as server:
        yield server


def kept(match: Match) -> list[str]:
    """The texts of all submissions."""
    with match.service.reading() as session:
        return [row.text for row in session.exec(select(Submission).order_by(col(Submission.id)))]


def inbound(service: Service) -> list[Inbound]:
    """All mails that came in."""
    with service.reading() as session:
        return list(session.exec(select(Inbound).order_by(col(Inbound.id))))


def test_round_trip_through_postfix_and_dovecot(
    database: Database, require: Require, dovecot: Dovecot, postfix: Postfix, listener_port: int
) -> None:
    """A player's program, her server, ours, and back: orders go in by swaks, the acknowledgement comes by IMAP."""
    swaks = require("swaks")
    service = service_on(database, mail_port=listener_port, mail_protocol="lmtp", smtp_port=postfix.port)
    match = begun(service, pace="brisk")
    wait_until(lambda: len(mails_of(dovecot, "ann")) == 3)
    report = match.letters(0, "report")[0]
    assert report.fate == "sent"
    to = service.identity.reply_address(Mark(report.id, Purpose.ORDERS, 0))
    with listening(service):
        command = [swaks, "--server", f"127.0.0.1:{postfix.port}", "--from", report.recipient, "--to", to.upper()]
        command += ["--header", f"Subject: Re: {report.subject}", "--body", "bid 1\nready\n", "--silent", "1"]
        subprocess.run(command, check=True)
        wait_until(lambda: len(inbound(service)) == 1)
    settle(service)
    assert kept(match) == ["bid 1\nready"]
    wait_until(lambda: len(mails_of(dovecot, "ann")) == 4)
    assert match.letters(0, "acknowledgement")[0].message_id.encode() in mails_of(dovecot, "ann")[-1]


def test_bounce_of_postfix_goes_to_the_ledger(database: Database, postfix: Postfix, listener_port: int) -> None:
    """A letter to an address that is none comes back to its own envelope's sender, and its fate is known."""
    service = service_on(database, mail_port=listener_port, mail_protocol="lmtp", smtp_port=postfix.port)
    with listening(service):
        code = create_game(service, Plan("tinygame", [Guest(f"{name}@nowhere.example") for name in ("a", "b", "c")]))
        invite(service, code)
        settle(service)
        wait_until(lambda: len(inbound(service)) == 3)
    settle(service)
    with service.reading() as session:
        fates = {(letter.fate, letter.problem[:10]) for letter in session.exec(select(Letter))}
    assert fates == {("bounced", "hard 5.1.1")}


@contextmanager
def fetching(service: Service) -> Iterator[None]:
    """The program that fetches, for the time of a block."""
    told, started = threading.Event(), threading.Event()
    thread = threading.Thread(target=mailbox.fetch, args=(service, told, started.set))
    thread.start()
    try:
        assert started.wait(20)
        wait_until(lambda: _looked(service) is not None)
        yield
    finally:
        told.set()
        thread.join()


def _looked(service: Service) -> datetime | None:
    with service.reading() as session:
        beat = session.get(Heartbeat, "mailbox")
        return beat.at if beat is not None else None


def boxed(database: Database, dovecot: Dovecot, user: str, **settings: object) -> Service:
    """A service that fetches its mail from that user's mailbox."""
    given = {"imap_host": "127.0.0.1", "imap_port": dovecot.imap, "imap_tls": "none", "imap_user": user}
    return service_on(database, smtp_port=1, imap_password=PASSWORD, **given, **settings)


def test_mailbox_tells_of_mail_by_idle(database: Database, dovecot: Dovecot) -> None:
    """What comes is taken in at once; what lay there before and what is not for us is left alone, unread."""
    service = boxed(database, dovecot, "idle", imap_seconds=600)
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    deliver(dovecot, "idle", reply(report, "bid 4").as_bytes())
    with fetching(service):
        deliver(dovecot, "idle", b"From: eve@elsewhere.example\r\nTo: idle@mail.example\r\n\r\nLunch?\r\n")
        deliver(dovecot, "idle", reply(report, "bid 1").as_bytes())
        wait_until(lambda: len(inbound(service)) == 1, 60)
    settle(service)
    assert kept(match) == ["bid 1"]
    [row] = inbound(service)
    assert row.source == "imap"
    assert abs((datetime.now(UTC) - row.received).total_seconds()) < 120  # noqa: TID251 - the server's own time
    assert [_seen(dovecot, "idle", number) for number in (1, 2, 3)] == [False, False, True]


def _seen(dovecot: Dovecot, user: str, number: int) -> bool:
    with mailbox.opened(boxed_settings(dovecot, user)) as box:
        _, found = box.client.fetch(str(number), "(FLAGS)")
    assert isinstance(found[0], bytes)
    return b"\\Seen" in found[0]


def boxed_settings(dovecot: Dovecot, user: str) -> Settings:
    """How to get into a mailbox."""
    given = {"imap_host": "127.0.0.1", "imap_port": dovecot.imap, "imap_tls": "none", "imap_user": user}
    return Settings(imap_password=PASSWORD, **given)  # type: ignore[arg-type]


def test_mailbox_goes_on_where_it_was(database: Database, dovecot: Dovecot) -> None:
    """After a pause nothing is missed and nothing is taken twice, not even where all numbers are new."""
    service = boxed(database, dovecot, "goes")
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    with mailbox.opened(service.settings) as box:
        assert mailbox.look(service, box) == 0
    deliver(dovecot, "goes", reply(report, "bid 1").as_bytes(), reply(report, "bid 4").as_bytes())
    with mailbox.opened(service.settings) as box:
        assert mailbox.look(service, box) == 2
        assert mailbox.look(service, box) == 0
    settle(service)
    assert kept(match) == ["bid 1", "bid 4"]
    (dovecot.home / "goes" / "Maildir" / "dovecot-uidlist").unlink()
    for path in (dovecot.home / "goes" / "Maildir").glob("dovecot.index*"):
        path.unlink()
    deliver(dovecot, "goes", reply(report, "bid 6").as_bytes())
    with mailbox.opened(service.settings) as box:
        assert mailbox.look(service, box) == 3
    settle(service)
    assert kept(match) == ["bid 1", "bid 4", "bid 6"]
    assert [row.status for row in inbound(service)].count("duplicate") == 2


def test_stage_waits_for_one_more_look_into_the_mailbox(database: Database, dovecot: Dovecot) -> None:
    """A mail that the provider got before the deadline counts, though it was fetched after it."""
    service = boxed(database, dovecot, "late")
    match = begun(service, pace="brisk", stage_hours=0.001)
    report = match.letters(0, "report")[0]
    with mailbox.opened(service.settings) as box:
        mailbox.look(service, box)
        deliver(dovecot, "late", reply(report, "bid 1").as_bytes())
        deadline = match.game.deadline
        assert deadline is not None
        wait_until(lambda: (datetime.now(UTC) - deadline).total_seconds() > 1.5)  # noqa: TID251 - the server's own time
        match.settle()
        assert match.game.stage_key == report.stage_key
        assert mailbox.look(service, box) == 1
    match.settle()
    assert match.game.stage_key != report.stage_key
    with service.reading() as session:
        assert [row.late for row in session.exec(select(Submission))] == [False]


def test_mailbox_that_is_away_is_asked_again(database: Database, dovecot: Dovecot) -> None:
    """A wrong password or a server that is down ends nothing, and no secret gets into the log."""
    service = boxed(database, dovecot, "away")
    wrong = Service(database, service.settings.model_copy(update={"imap_password": "wrong"}), service.identity)
    told = threading.Event()
    thread = threading.Thread(target=mailbox.fetch, args=(wrong, told, lambda: None))
    thread.start()
    told.wait(1)
    assert thread.is_alive()
    told.set()
    thread.join(20)
    assert not thread.is_alive()
