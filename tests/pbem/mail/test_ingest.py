"""From a mail to what it does: believed from its player only, counted once, and answered to people alone."""

import smtplib
import threading
from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.mail.identity import Identity, Mark, Purpose
from pbem.mail.ingest import read
from pbem.storage.models import Inbound, Letter, Submission
from pbem.storage.sessions import Database
from tests.pbem.mail.listening import listening
from tests.pbem.mail.mailing import post, reply, send
from tests.pbem.playing import Match, begun, created, service_on

TO = "play@play.example"


@pytest.fixture
def service(database: Database) -> Service:
    """A service that listens on any free port, and whose letters stay in the outbox."""
    return service_on(database, mail_port=0, smtp_port=1)


def inbound(service: Service) -> list[Inbound]:
    """All mails that came in."""
    with service.reading() as session:
        return list(session.exec(select(Inbound).order_by(col(Inbound.id))))


def letters(service: Service, kind: str = "") -> list[Letter]:
    """All letters of a kind."""
    with service.reading() as session:
        found = list(session.exec(select(Letter).order_by(col(Letter.queued), col(Letter.key))))
    return [letter for letter in found if kind in ("", letter.kind)]


def submissions(match: Match) -> list[Submission]:
    """What was kept, oldest first."""
    with match.service.reading() as session:
        query = select(Submission).where(col(Submission.game_id) == match.id).order_by(col(Submission.number))
        return list(session.exec(query))


def test_joining_by_reply(service: Service) -> None:
    """An answer of `join`, with a word, takes the seat; the last one begins the game and brings the reports."""
    match = created(service)
    for number, invitation in enumerate(letters(service, "invitation")):
        post(service, reply(invitation, f"join word{number}\nLooking forward to it!"))
    assert [seat.public_word for seat in match.seats] == ["word0", "word1", "word2"]
    assert match.game.status == "playing"
    assert len(match.letters(kind="report")) == 3


def test_joining_by_answer_to_another_letter(service: Service) -> None:
    """Asked back for `join`, a guest answers that letter, not the invitation: the seat is taken all the same."""
    match = created(service)
    post(service, reply(letters(service, "invitation")[0], "I would love to play!"))
    [asked_back] = letters(service, "unreadable")
    post(service, reply(asked_back, "join marmalade"))
    assert match.seats[0].public_word == "marmalade"


@pytest.mark.parametrize("text", ["No problem, I am in for it", "Yes, but who else plays?", "No idea yet"])
def test_a_sentence_is_neither_yes_nor_no(service: Service, text: str) -> None:
    """What only begins like an answer takes no seat and gives none up: the guest is asked for the word."""
    match = created(service)
    post(service, reply(letters(service, "invitation")[0], text))
    assert match.seats[0].account_id is not None
    assert match.seats[0].joined is None
    assert len(letters(service, "unreadable")) == 1


@pytest.mark.parametrize(("text", "joins"), [("Yes!", True), ("yes, join", True), ("no thanks", False), ("No.", False)])
def test_a_bare_yes_or_no_will_do(service: Service, text: str, joins: bool) -> None:
    """Polite people say no more than that."""
    match = created(service)
    post(service, reply(letters(service, "invitation")[0], text))
    assert (match.seats[0].joined is not None, match.seats[0].account_id is None) == (joins, not joins)


def test_declining_by_reply(service: Service) -> None:
    """An answer of `decline` frees the seat; anything else is asked back."""
    match = created(service)
    first, second, _ = letters(service, "invitation")
    post(service, reply(first, "decline, sorry"), reply(second, "What is this?"))
    assert match.seats[0].account_id is None
    assert match.seats[1].joined is None
    assert [letter.recipient for letter in letters(service, "unreadable")] == [second.recipient]
    post(service, reply(first, "join"))
    assert match.seats[0].joined is None


def test_orders_by_reply(service: Service) -> None:
    """Orders above the quoted report are kept and acknowledged to the player's address."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "bid 1\ndefend nothing"))
    [kept] = submissions(match)
    assert kept.text == "bid 1\ndefend nothing"
    assert not kept.late
    [acknowledgement] = match.letters(0, "acknowledgement")
    assert acknowledgement.recipient == report.recipient
    assert [row.status for row in inbound(service)] == ["read"]


def test_in_reply_to_is_as_good_as_the_token(service: Service) -> None:
    """A mail to the plain address that answers our Message-ID is the player's."""
    match = begun(service, pace="brisk")
    post(service, reply(match.letters(0, "report")[0], "bid 1", To="play@play.example"))
    assert len(submissions(match)) == 1


def test_same_mail_twice_counts_once(service: Service) -> None:
    """Delivered again, even by another way, it is a duplicate and is not acknowledged again."""
    match = begun(service, pace="brisk")
    mail = reply(match.letters(0, "report")[0], "bid 1")
    again = reply(match.letters(0, "report")[0], "bid 1", Received="from elsewhere")
    post(service, mail, again)
    post(service, mail)
    assert len(submissions(match)) == 1
    assert len(match.letters(0, "acknowledgement")) == 1
    assert [row.status for row in inbound(service)] == ["read", "duplicate", "duplicate"]


def test_one_message_id_on_two_mails_makes_them_no_duplicates(service: Service) -> None:
    """A program that gives all of its mails the same one loses no order by it."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    same = {"Message_ID": "<always@players.example>"}
    post(service, reply(report, "bid 1", **same), reply(report, "bid 2", **same))
    assert [row.status for row in inbound(service)] == ["read", "read"]
    assert len(submissions(match)) == 2


def forged(service: Service, letter: Letter) -> str:
    """A reply address that only looks like the letter's."""
    forger = Identity("play.example", (b"f" * 32,))
    return forger.reply_address(Mark(letter.id, Purpose.ORDERS, 0))


def test_strangers_change_nothing(service: Service) -> None:
    """Without a token or with a forged one nothing changes; a person is told once, whatever they write."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    version = match.game.version
    for to in ("play@play.example", forged(service, report)):
        for number in range(2):
            text = f"bid {number}\n{to}"
            post(service, reply(report, text, "Eve <eve@evil.example>", To=to, In_Reply_To="", References=""))
    assert match.game.version == version
    assert [letter.recipient for letter in letters(service, "stranger")] == ["eve@evil.example"]
    assert {row.status for row in inbound(service)} == {"refused"}


def test_players_address_without_token_changes_nothing(service: Service) -> None:
    """A forged sender is no proof of anything."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "bid 1", To="play@play.example", In_Reply_To="", References=""))
    assert submissions(match) == []


MACHINES = [
    {"Auto_Submitted": "auto-replied"},
    {"Precedence": "bulk"},
    {"List_Id": "<x.y>"},
    {"X_Autoreply": "yes"},
    {"Subject": "Out of Office: away"},
    {"From": "MAILER-DAEMON@players.example"},
]


@pytest.mark.parametrize("headers", MACHINES)
def test_machines_are_never_answered(service: Service, headers: dict[str, str]) -> None:
    """Neither with a token nor without one; and nothing that they say is an order."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    before = len(letters(service))
    post(service, reply(report, "bid 1", **headers))
    post(service, reply(report, "bid 2", **{"To": "play@play.example", "In_Reply_To": "", "References": "", **headers}))
    assert submissions(match) == []
    assert len(letters(service)) == before
    assert [row.status for row in inbound(service)] == ["refused"] * 2


def test_our_own_letter_that_comes_back_is_dropped(service: Service) -> None:
    """A letter that is sent on to us, or bounced whole, starts no loop."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    before = len(letters(service))
    post(service, reply(report, "bid 1", Message_ID=report.message_id), reply(report, "bid 1", "play@play.example"))
    assert len(letters(service)) == before
    assert submissions(match) == []


def test_other_sender_is_held_until_the_player_confirms(service: Service) -> None:
    """The player's own address is asked; the word `confirm` takes the mail with its first time of receipt."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "bid 1", "ann@work.example"))
    assert submissions(match) == []
    [held] = letters(service, "held")
    assert held.recipient == report.recipient
    assert "bid 1" in held.text
    assert "ann@work.example" in held.text
    post(service, reply(held, "confirm", "ann@work.example"))
    assert submissions(match) == []
    post(service, reply(held, "Confirm."))
    [kept] = submissions(match)
    assert kept.text == "bid 1"
    assert kept.received == inbound(service)[0].received
    post(service, reply(held, "confirm!"))
    assert len(submissions(match)) == 1


def test_mail_of_another_player_is_held_without_its_words(service: Service) -> None:
    """To a forwarded letter: neither the other's address nor orders are shown, and who wrote it is told by name."""
    match = begun(service, pace="brisk")
    post(service, reply(match.letters(0, "report")[0], "bid 1", "ben@players.example"))
    [held] = letters(service, "held")
    assert held.recipient == "ann@players.example"
    assert "Ben" in held.text
    assert "nothing has been done with it. Its words are not shown" in " ".join(held.text.split())
    assert "bid 1" not in held.text
    assert b"ben@players.example" not in held.content
    assert submissions(match) == []


def test_replaced_generation_is_refused(service: Service) -> None:
    """After `new token` the old reply addresses are void, and the player is told."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "new token"))
    [asked] = letters(service, "confirm-new_token")
    post(service, reply(asked, "confirm"))
    assert match.seats[0].generation == 1
    post(service, reply(report, "bid 1"))
    assert submissions(match)[-1].text == "new token"
    told = letters(service, "unreadable")[-1]
    assert told.recipient == report.recipient
    post(service, reply(letters(service, "newtoken")[0], "bid 1"))
    assert submissions(match)[-1].text == "bid 1"
    post(service, reply(told, "bid 0"))  # it says to answer the latest letter, and is the latest itself
    assert submissions(match)[-1].text == "bid 0"


@pytest.mark.parametrize("text", ["", "> so it was said before"])
def test_nothing_new_is_told_back(service: Service, text: str) -> None:
    """A reply that holds only our own text, or quotes, changes nothing and is answered."""
    match = begun(service, pace="brisk")
    post(service, reply(match.letters(0, "report")[0], text))
    assert submissions(match) == []
    assert len(letters(service, "unreadable")) == 1


def test_two_senders_are_refused(service: Service) -> None:
    """A mail that names two senders is nobody's."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "bid 1", From=f"{report.recipient}, eve@evil.example"))
    assert submissions(match) == []
    assert [letter.recipient for letter in letters(service, "unreadable")] == [report.recipient]


def test_mail_in_time_counts_however_long_its_reading_takes(service: Service) -> None:
    """A mail that is stored before the deadline and read after it is used; one that comes after it is late."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    with listening(service) as port:
        send(port, reply(report, "bid 1"))
    match.pass_deadline()
    assert [kept.late for kept in submissions(match)] == [False]
    assert match.game.stage_key != report.stage_key
    post(service, reply(report, "bid 2"))
    assert [kept.late for kept in submissions(match)] == [False, True]


@pytest.mark.parametrize("operator", ["", "op@play.example"])
def test_reader_that_fails_sets_the_mail_aside(
    database: Database, monkeypatch: pytest.MonkeyPatch, operator: str
) -> None:
    """After a few attempts the mail is kept aside, its sender and the operator are told, and the stage no longer waits
    for it."""
    service = service_on(database, operator=operator)
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("pbem.mail.ingest.take", broken)
    post(service, reply(report, "bid 1"))
    for _ in range(5):
        clock.shift(timedelta(seconds=200))
        match.settle()
    assert [row.status for row in inbound(service)] == ["aside"]
    (told,) = letters(service, "setaside")
    assert told.recipient == report.recipient
    assert ("the operator has been told" in " ".join(told.text.split())) == bool(operator)
    assert [letter.recipient for letter in letters(service, "aside")] == [operator] * bool(operator)
    match.pass_deadline()
    assert match.game.stage_key != report.stage_key


def test_mail_that_was_set_aside_counts_when_it_is_sent_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very same mail, as its player was asked to: it is no duplicate of one that nobody has read."""
    match = begun(service, pace="brisk")
    mail = reply(match.letters(0, "report")[0], "bid 1")

    def broken(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr("pbem.mail.ingest.read_mail", broken)
        post(service, mail)
        for _ in range(5):
            clock.shift(timedelta(seconds=200))
            match.settle()
    post(service, mail, mail)
    assert [row.status for row in inbound(service)] == ["aside", "read", "duplicate"]
    assert len(submissions(match)) == 1


def test_two_readers_of_one_mail(service: Service) -> None:
    """Two workers that are told of the same mail read it once."""
    match = begun(service, pace="brisk")
    with listening(service) as port:
        send(port, reply(match.letters(0, "report")[0], "bid 1"))
    number = inbound(service)[0].id
    assert number is not None
    readers = [threading.Thread(target=read, args=(service, number)) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert len(submissions(match)) == 1
    assert len(match.letters(0, "acknowledgement")) == 1
    assert [row.status for row in inbound(service)] == ["read"]


def test_logs_name_nobody(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """No address, no token and no order gets into the log, whatever came in."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "bid 1"), reply(report, "bid 2", "eve@evil.example"), reply(report, "?", To=TO))
    logged = "".join(capsys.readouterr())
    assert "listening" in logged
    for secret in ("players.example", "evil.example", "play+", "bid 1"):
        assert secret not in logged


def test_answers_to_one_account_are_limited(database: Database) -> None:
    """Whoever sends useless mails by the dozen is not answered by the dozen."""
    service = service_on(database, mail_port=0, smtp_port=1, answers_a_day=3)
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, *(reply(report, "bid 1", f"eve{number}@evil.example") for number in range(6)))
    assert len(letters(service, "held")) == 3
    assert [row.status for row in inbound(service)] == ["held"] * 6


def test_failing_dmarc_counts_as_another_sender(database: Database) -> None:
    """What our own mail server has marked as failing is held; a mark of somebody else's server is not looked at."""
    service = service_on(database, mail_port=0, smtp_port=1, authserv_id="mx.play.example")
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    bad, others = "mx.play.example; dmarc=fail header.from=players.example", "evil.example; dmarc=fail"
    post(service, reply(report, "bid 1", Authentication_Results=bad))
    post(service, reply(report, "bid 2", Authentication_Results=others))
    assert [kept.text for kept in submissions(match)] == ["bid 2"]
    assert [row.status for row in inbound(service)] == ["held", "read"]


def test_bombs_end_as_answers(service: Service) -> None:
    """Mails made to break their reader are refused, told to their sender, and stop nothing."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    head = reply(report, "x", Message_ID="").as_bytes().split(b"\r\n\r\n")[0]
    head = b"\r\n".join(line for line in head.split(b"\r\n") if not line.lower().startswith((b"content-", b"mime-")))
    deep = b"".join(b'\r\nContent-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d' % (n, n) for n in range(3000))
    wide = b"\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 20_000
    long = b"\r\nX-Long: " + b"\r\n ".join([b"x" * 900] * 400) + b"\r\n\r\nbid 1\r\n"
    address = service.identity.reply_address(Mark(report.id, Purpose.ORDERS, 0))
    with listening(service) as port, smtplib.SMTP("127.0.0.1", port, "x.example") as client:
        for body in (deep, wide, long):
            client.sendmail("ann@players.example", [address], head + body)
    match.settle()
    assert [(row.status, row.problem) for row in inbound(service)] == [
        ("refused", "too-deep"),
        ("refused", "too-many-parts"),
        ("refused", "bad-header"),
    ]
    assert len(letters(service, "unreadable")) == 3
