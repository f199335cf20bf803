"""Sending: each letter arrives, whatever the mail server does, and its fate is known or said to be unknown."""

import smtplib
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.letters import Composed, Envelope, Recipient, finish, put
from pbem.mail import outbox
from pbem.mail.identity import Purpose
from pbem.mail.message import read
from pbem.mail.sender import send
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.pbem.mail import stubserver
from tests.pbem.mail.stubserver import CUT, StubServer
from tests.pbem.playing import misset, service_on

CERTIFICATE = Path(__file__).parent / "certificate" / "localhost.pem"
"""Signed by itself, for tests alone."""


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """A mail server that fails where it is told to."""
    with stubserver.running() as server:
        yield server


@pytest.fixture
def service(database: Database, stub: StubServer) -> Service:
    """The service, sending through the stub."""
    return service_on(database, smtp_host="127.0.0.1", smtp_port=stub.port)


def write(service: Service, count: int = 1, first: int = 0) -> list[int]:
    """Put letters to p0, p1, … into the outbox, or from another on."""
    letters = [
        finish(
            service,
            Envelope("report", f"test/{number}", Purpose.ORDERS),
            Recipient(None, "Ann", f"p{number}@example.org", Words.of("en")),
            Composed("turn 5", f"letter {number}\n.\n..dots\n", "<p>letter</p>"),
        )
        for number in range(first, first + count)
    ]
    with service.writing() as session:
        put(session, *letters)
    return [letter.id for letter in letters]


def fates(service: Service) -> list[tuple[str, str]]:
    """Fate and problem of each letter, in the order of their recipients."""
    with service.reading() as session:
        rows = session.exec(select(Letter).order_by(col(Letter.recipient))).all()
    return [(row.fate, row.problem) for row in rows]


def change(service: Service, **values: str) -> None:
    """Change the first letter as it is stored."""
    with service.writing() as session:
        letter = session.exec(select(Letter).where(col(Letter.recipient) == "p0@example.org")).one()
        for name, value in values.items():
            setattr(letter, name, value)
        session.add(letter)


def later(seconds: float = 60) -> None:
    """Time passes."""
    clock.shift(timedelta(seconds=seconds))


def test_letters_go_out_over_one_connection(service: Service, stub: StubServer) -> None:
    """All letters arrive as they were stored, dated, each with a sender of its own for bounces."""
    numbers = write(service, 5)
    assert send(service) == 5
    assert stub.connections == 1
    assert fates(service) == [("sent", "")] * 5
    assert sorted(mail.recipients[0] for mail in stub.mails) == [f"p{number}@example.org" for number in range(5)]
    for mail in stub.mails:
        mark = service.identity.find([mail.mail_from], []).mark
        assert mark is not None
        assert mark.letter in numbers
        assert mail.mail_from.startswith("bounce+")
        assert mail.content.startswith(b"Date: ")
        assert "\n.\n..dots" in read(mail.content).text
    assert send(service) == 0


@pytest.mark.parametrize("point", ["mail", "rcpt", "data", "content"])
def test_refused_for_now_is_sent_later(service: Service, stub: StubServer, point: str) -> None:
    """A 4xx at any point puts that letter off, and no other; it arrives once."""
    write(service, 3)
    stub.fail(point, "450 4.2.0 not now")
    assert send(service) == 2
    assert Counter(fates(service)) == {("sent", ""): 2, ("queued", "450 4.2.0 not now"): 1}
    assert send(service) == 0
    later()
    assert send(service) == 1
    assert len({mail.recipients[0] for mail in stub.mails}) == len(stub.mails) == 3


@pytest.mark.parametrize("point", ["mail", "rcpt", "data", "content"])
def test_refused_for_good_is_failed(service: Service, stub: StubServer, point: str) -> None:
    """A 5xx is kept with the server's words, and not tried again; the other letters go."""
    write(service, 2)
    stub.fail(point, "550 5.1.1 no such user")
    assert send(service) == 1
    assert ("failed", "550 5.1.1 no such user") in fates(service)
    later(100_000)
    assert send(service) == 0


@pytest.mark.parametrize("point", ["connect", "mail", "rcpt", "data"])
@pytest.mark.parametrize("answer", [CUT, "421 4.3.2 closing"])
def test_lost_before_the_data(service: Service, stub: StubServer, point: str, answer: str) -> None:
    """A connection lost before a letter's data costs a pause: all letters arrive, each once."""
    write(service, 3)
    stub.fail(point, answer)
    send(service)
    later()
    send(service)
    assert [fate for fate, _ in fates(service)] == ["sent"] * 3
    assert len(stub.mails) == 3


def test_server_that_is_gone_before_the_end_of_the_data_has_taken_nothing(
    service: Service, stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often that happens, the letter goes out, and is not said to have gone out before."""
    write(service)
    wire = smtplib.SMTP.send

    def broken_off(smtp: smtplib.SMTP, words: bytes | str) -> None:
        if isinstance(words, bytes):
            wire(smtp, words[: len(words) // 2])
            smtp.close()  # as a lost connection is: nobody waits for the rest
            raise BrokenPipeError
        wire(smtp, words)

    with monkeypatch.context() as patch:
        patch.setattr(smtplib.SMTP, "send", broken_off)
        for _ in range(3):
            assert send(service) == 0
            later(1000)
    assert send(service) == 1
    assert [fate for fate, _ in fates(service)] == ["sent"]
    assert len(stub.mails) == 1


def test_lost_after_the_data_is_sent_once_more(service: Service, stub: StubServer) -> None:
    """Where nobody knows, the letter goes out once more with the same Message-ID, and the ledger says so."""
    write(service)
    stub.fail("content", CUT)
    assert send(service) == 0
    later()
    assert send(service) == 1
    assert fates(service) == [("sent", outbox.AGAIN)]
    assert len(stub.mails) == 2
    assert len({read(mail.content).message_id for mail in stub.mails}) == 1


def test_refused_when_sent_again_is_failed_and_marked(service: Service, stub: StubServer) -> None:
    """The last word is the server's, and the ledger says still that the letter may have gone out before."""
    write(service)
    stub.fail("content", CUT)
    send(service)
    later()
    stub.fail("rcpt", "550 5.1.1 no such user")
    assert send(service) == 0
    assert fates(service) == [("failed", f"{outbox.AGAIN} 550 5.1.1 no such user")]


def test_lost_twice_stays_unknown(service: Service, stub: StubServer) -> None:
    """It is sent twice at most."""
    write(service)
    stub.fail("content", CUT, times=5)
    for _ in range(5):
        send(service)
        later(1000)
    assert fates(service) == [("unknown", outbox.AGAIN)]
    assert len(stub.mails) == 2


def test_server_that_is_away_costs_no_attempt(service: Service, stub: StubServer) -> None:
    """Letters wait for a server that does not answer, however long."""
    write(service, 2)
    away = service_on(service.database, smtp_host="127.0.0.1", smtp_port=1)
    for _ in range(20):
        assert send(away) == 0
        later()
    assert send(service) == 2


@pytest.mark.parametrize("wrong", [{"smtp_host": "mail..example.org"}, {"smtp_user": "me", "smtp_password": "pä"}])
def test_way_that_can_not_even_be_tried_costs_no_attempt(
    service: Service, stub: StubServer, wrong: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as a name that the client can't write: letters wait as for a server that is away."""
    write(service, 2)
    stub.fail("ehlo", "250-stub\r\n250 AUTH PLAIN", times=5 if "smtp_user" in wrong else 0)
    for _ in range(5):
        assert send(misset(service, **wrong)) == 0
        assert fates(service) == [("queued", "")] * 2
        later()
    assert "no_way_out" in "".join(capsys.readouterr())
    with service.reading() as session:
        assert {(row.attempts, row.deferred) for row in session.exec(select(Letter))} == {(0, 0)}
    assert send(service) == 2


def test_folder_that_can_not_be_written_costs_no_attempt(database: Database, tmp_path: Path) -> None:
    """Letters wait until it can; one to an address too long for a folder's name goes into a shorter one."""
    (tmp_path / "mail").write_text("a file")
    service = service_on(database, maildir=tmp_path / "mail")
    write(service, 2)
    change(service, recipient=f"{'p' * 60}@{'long.' * 40}org")
    for _ in range(5):
        assert send(service) == 0
        later()
    (tmp_path / "mail").unlink()
    assert send(service) == 2
    assert fates(service) == [("sent", "")] * 2


def test_given_up_after_many_attempts(service: Service, stub: StubServer) -> None:
    """A server that says `later` for days gets a last try, and the letter is failed."""
    write(service)
    stub.fail("rcpt", "451 later", times=50)
    for _ in range(12):
        send(service)
        later(30_000)
    assert fates(service) == [("failed", "451 later")]


def test_domain_in_letters_of_its_own_is_written_in_ascii(service: Service, stub: StubServer) -> None:
    """A server is given the form that servers know."""
    write(service)
    change(service, recipient="ann@bücher.example")
    assert send(service) == 1
    assert stub.mails[0].recipients == ["ann@xn--bcher-kva.example"]


def test_letter_that_breaks_its_sender_holds_up_no_other(service: Service, stub: StubServer) -> None:
    """It is tried as often as anything is, and is then failed; all others arrive once."""
    write(service, 3)
    change(service, recipient="änn@example.org")  # nobody can write that into a command of SMTP
    assert send(service) == 2
    for _ in range(service.settings.attempts):
        later(150)
        assert send(service) == 0
    assert sorted(fates(service)) == [("failed", "UnicodeEncodeError"), ("sent", ""), ("sent", "")]
    assert sorted(mail.recipients[0] for mail in stub.mails) == ["p1@example.org", "p2@example.org"]


def test_claim_that_ran_out_is_claimed_again(service: Service) -> None:
    """A sender lost before the data: the letter is sent by another, and the first may not send it any more."""
    write(service)
    [first] = outbox.claim(service)
    assert outbox.claim(service) == []
    later(200)
    [second] = outbox.claim(service)
    assert second.id == first.id
    assert not outbox.begin(service, [first])
    assert outbox.begin(service, [second])
    outbox.sent(service, [second])
    assert fates(service) == [("sent", "")]


def test_claim_given_back_twice_takes_the_letter_from_nobody(service: Service) -> None:
    """Nobody knows of a commit whose answer was lost, so it is said again: by then another may hold the letter."""
    write(service)
    [first] = outbox.claim(service)
    assert outbox.begin(service, [first])
    outbox.release(service, [first], 0)
    [second] = outbox.claim(service)
    assert outbox.begin(service, [second])
    outbox.release(service, [first], 0)
    assert fates(service) == [("begun", "")]


def test_sender_lost_after_the_data_began(service: Service) -> None:
    """Such a letter is sent again, for it may not have gone out; lost as often as anything is tried, it is unknown."""
    write(service)
    for _ in range(service.settings.attempts):
        die(service)
    assert outbox.claim(service) == []
    assert fates(service) == [("unknown", outbox.AGAIN)]


def die(service: Service) -> None:
    """A sender dies just after a letter's data began, its lease runs out, and it has nothing to say of it."""
    [letter] = outbox.claim(service)
    assert outbox.begin(service, [letter])
    later(200)
    assert outbox.claim(service) == []
    later(outbox.GRACE + 1)


def test_deaths_of_the_sender_make_no_pause_longer(service: Service, stub: StubServer) -> None:
    """A server that then puts the letter off for the first time is asked again as soon as after any first time."""
    write(service)
    die(service)
    die(service)
    stub.fail("rcpt", "451 later")
    assert send(service) == 0
    later(outbox.PAUSES[0] + 1)
    assert send(service) == 1
    assert fates(service) == [("sent", outbox.AGAIN)]


def test_patience_of_a_server_uses_up_no_tries_of_ours(service: Service, stub: StubServer) -> None:
    """A letter that was put off many times is sent again after deaths of its sender as often as any other."""
    write(service)
    stub.fail("rcpt", "451 later", times=5)
    for _ in range(5):
        assert send(service) == 0
        later(30_000)
    for _ in range(service.settings.attempts - 1):
        die(service)
    assert send(service) == 1
    assert fates(service) == [("sent", outbox.AGAIN)]


class Death(BaseException):
    """The process ends here; nothing catches it."""


def test_letter_that_ends_its_sender_takes_no_other_along(
    service: Service, stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letters that were marked with it were not tried: each goes out, once, and it alone is given up."""
    write(service, 5)
    wire = smtplib.SMTP.send

    def deadly(smtp: smtplib.SMTP, words: bytes | str) -> None:
        if isinstance(words, bytes) and b"letter 0" in words:
            smtp.close()  # as the system does for the dead
            raise Death
        wire(smtp, words)

    monkeypatch.setattr(smtplib.SMTP, "send", deadly)
    for _ in range(2 * service.settings.attempts + 1):
        with suppress(Death):
            send(service)
        later(200)
    assert [fate for fate, _ in fates(service)] == ["unknown", "sent", "sent", "sent", "sent"]
    assert sorted(mail.recipients[0] for mail in stub.mails) == [f"p{number}@example.org" for number in range(1, 5)]


def taken_over(service: Service) -> tuple[outbox.Claimed, outbox.Claimed]:
    """A letter as its sender began it, and as another claimed it when that one's lease was over."""
    write(service)
    [slow] = outbox.claim(service)
    assert outbox.begin(service, [slow])
    later(200)
    assert outbox.claim(service) == []
    later(outbox.GRACE + 1)
    [other] = outbox.claim(service)
    return slow, other


def test_word_of_success_that_comes_late_counts(service: Service) -> None:
    """A sender that was only slow marks its letter sent, and who took it over does not send it."""
    slow, other = taken_over(service)
    outbox.sent(service, [slow])
    assert not outbox.begin(service, [other])
    assert fates(service)[0][0] == "sent"


@pytest.mark.parametrize("end", ["taken", "died", "refused"])
def test_word_of_success_that_comes_after_another_sender_began_leaves_the_mark(service: Service, end: str) -> None:
    """The letter may have gone out twice, whatever became of the second: so says the log."""
    slow, other = taken_over(service)
    assert outbox.begin(service, [other])
    if end == "taken":
        outbox.sent(service, [other])
    elif end == "refused":
        outbox.fail(service, other, "550 no such user")
    for _ in range(2):  # nobody knows of a commit whose answer was lost
        outbox.sent(service, [slow])
    assert fates(service) == [("sent", outbox.AGAIN)]


def test_word_of_success_that_is_said_twice_makes_no_mark(service: Service) -> None:
    """Nobody knows of a commit whose answer was lost, so it is said again."""
    write(service)
    [letter] = outbox.claim(service)
    assert outbox.begin(service, [letter])
    for _ in range(2):
        outbox.sent(service, [letter])
    assert fates(service) == [("sent", "")]


def test_two_senders_never_hold_the_same_letter(service: Service, stub: StubServer) -> None:
    """Senders that run at once send each letter once."""
    write(service, 60)
    senders = [threading.Thread(target=send, args=(service,)) for _ in range(3)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert len(stub.mails) == 60
    assert fates(service) == [("sent", "")] * 60


def test_no_letter_without_the_secured_connection_that_was_asked_for(service: Service, stub: StubServer) -> None:
    """A server that can't do TLS gets nothing."""
    write(service)
    for how in ("starttls", "tls"):
        secured = service_on(service.database, smtp_host="127.0.0.1", smtp_port=stub.port, smtp_tls=how)
        assert send(secured) == 0
        later()
    assert stub.mails == []


def test_certificate_is_verified(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server whose certificate nobody vouches for gets nothing; once it is trusted, the letters go."""
    with stubserver.running(CERTIFICATE) as stub:
        service = service_on(database, smtp_host="127.0.0.1", smtp_port=stub.port, smtp_tls="tls")
        write(service)
        assert send(service) == 0
        assert stub.mails == []
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        later()
        assert send(service) == 1
        assert len(stub.mails) == 1


def test_logs_name_nobody(service: Service, stub: StubServer, capsys: pytest.CaptureFixture[str]) -> None:
    """However sending fails, no address and no token gets into the log."""
    write(service, 4)
    stub.fail("rcpt", "550 5.1.1 p0@example.org unknown")
    stub.fail("rcpt", "450 4.1.1 p1@example.org later")
    stub.fail("content", CUT)
    send(service)
    logged = "".join(capsys.readouterr())
    assert "letter_refused" in logged
    assert "example" not in logged
    assert "+" not in logged


def test_maildir(database: Database, tmp_path: Path) -> None:
    """Letters are put into a folder for each address, one file for each letter."""
    service = service_on(database, maildir=tmp_path / "mail")
    numbers = write(service, 2)
    assert send(service) == 2
    with service.writing() as session:
        for number in numbers:
            letter = session.get_one(Letter, number)
            letter.fate = "queued"
            session.add(letter)
    assert send(service) == 2
    files = [path for path in (tmp_path / "mail").rglob("*") if path.is_file()]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "mail", *(tmp_path / "mail").rglob("*")))
    assert sorted(path.parts[-3:-1] for path in files) == [("p0@example.org", "new"), ("p1@example.org", "new")]
    assert read(files[0].read_bytes()).text.startswith("letter ")


def test_letters_begun_and_not_tried_are_given_back(service: Service, stub: StubServer) -> None:
    """Marks are made for several at a time: where the connection is lost, the others go out once, as if never begun."""
    write(service, 5)
    stub.fail("content", CUT)
    send(service)
    later()
    send(service)
    assert sorted(fates(service)) == [("sent", "")] * 4 + [("sent", outbox.AGAIN)]
    assert len(stub.mails) == 6
