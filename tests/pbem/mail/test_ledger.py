"""What became of letters: bounces in every form, who is told, and the deadline that waits for who knew nothing."""

import json
from datetime import timedelta
from email import message_from_string
from email.message import EmailMessage
from email.policy import SMTP
from itertools import count

import pytest
from click.testing import CliRunner
from sqlmodel import Session, col, select, update

from pbem import clock, crashing
from pbem.cli import main
from pbem.context import Service
from pbem.games.advance import advance
from pbem.mail.identity import Mark, Purpose
from pbem.mail.log import FATES
from pbem.mail.outbox import AGAIN
from pbem.mail.sender import send
from pbem.settings import settings
from pbem.storage.models import Game, Inbound, Letter, Ruling, Unwanted
from pbem.storage.sessions import Database
from pbem.sweep import settle
from tests.pbem.mail import stubserver
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on

OPERATOR = "operator@play.example"
STATUS = """Reporting-MTA: dns; mx.players.example
X-Postfix-Queue-ID: 4F1D9A0C77

Final-Recipient: rfc822; {to}
Original-Recipient: rfc822;{to}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {words}
"""
REPORT = """From: Mail Delivery System <MAILER-DAEMON@mx.players.example>
To: you
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type={kind}; boundary="b"

--b
Content-Type: text/plain

This is the mail system at host mx.players.example.

--b
Content-Type: message/{kind}

{about}
--b
Content-Type: text/rfc822-headers

{head}

--b--
"""
QMAIL = """Hi. This is the qmail-send program at mx.players.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{to}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

"""


@pytest.fixture
def match(database: Database, tmp_path: object) -> Match:
    """A game whose letters have gone out."""
    service = service_on(database, mail_port=0, maildir=tmp_path, operator=OPERATOR, undelivered_hours=24)
    return begun(service, pace="brisk")


def report_of(match: Match, seat: int = 0) -> Letter:
    """The seat's latest report."""
    return match.letters(seat, "report")[-1]


def dsn(letter: Letter, action: str, status: str, words: str, kind: str = "delivery-status") -> EmailMessage:
    """A report as a mail server writes it, with the letter's own header sent back."""
    about = STATUS.format(to=letter.recipient, action=action, status=status, words=words)
    if kind == "feedback-report":
        about = "Feedback-Type: abuse\nVersion: 1\n"
    head = letter.content.decode("ascii").partition("\r\n\r\n")[0].replace("\r\n", "\n")
    made = message_from_string(REPORT.format(kind=kind, about=about, head=head), policy=SMTP)
    assert isinstance(made, EmailMessage)
    return made


def bounce(match: Match, letter: Letter, mail: EmailMessage, to: str = "") -> None:
    """Let the report come to the envelope's sender."""
    mark = match.service.identity.find([], [letter.message_id]).mark
    assert mark is not None
    post(match.service, mail, to=to or match.service.identity.bounce_address(mark))


def told(match: Match) -> list[str]:
    """The texts of what the operator was told of letters that did not arrive."""
    return [letter.text for letter in match.letters(kind="undelivered") if letter.recipient == OPERATOR]


def test_letter_that_was_taken_has_the_server_s_words(database: Database) -> None:
    """Nothing is called sent that no server took, and what it said is kept."""
    with stubserver.running() as stub:
        service = service_on(database, smtp_port=stub.port)
        stub.fail("data", "452 4.2.2 mailbox full", to="ben@players.example")
        match = begun(service, pace="brisk")
        ann, ben = report_of(match, 0), report_of(match, 1)
        assert (ann.fate, ann.answer[:3], ann.problem) == ("sent", "250", "")
        assert (ben.fate, ben.answer, ben.problem) in [
            ("queued", "", "452 4.2.2 mailbox full"),
            ("sent", ben.answer, ""),
        ]


@pytest.mark.parametrize(
    ("action", "status", "fate", "problem"),
    [
        ("failed", "5.1.1", "bounced", "hard 5.1.1 550 no such user"),
        ("failed", "4.4.7", "bounced", "soft 4.4.7 550 no such user"),
        ("delayed", "4.4.1", "sent", "delayed 4.4.1 550 no such user"),
        ("delivered", "2.0.0", "sent", ""),
    ],
)
def test_report_of_a_mail_server_goes_to_the_ledger(
    match: Match, action: str, status: str, fate: str, problem: str
) -> None:
    """By its part for machines: gone for good, gone this time, late, or arrived after all."""
    letter = report_of(match)
    before = len(match.letters())
    bounce(match, letter, dsn(letter, action, status, "550 no such user"))
    now = report_of(match)
    assert (now.fate, now.problem) == (fate, problem)
    assert (now.bounced is not None) == (fate == "bounced")
    assert len(match.letters()) - before == len(told(match)) == (fate == "bounced")
    with match.service.reading() as session:
        assert session.exec(select(Inbound.status)).one() == ("read" if problem else "refused")


def test_report_without_a_part_for_machines_is_read_too(match: Match) -> None:
    """Qmail and others write for people."""
    letter = report_of(match)
    mail = EmailMessage()
    mail["From"] = "MAILER-DAEMON@mx.players.example"
    mail["Subject"] = "failure notice"
    mail.set_content(QMAIL.format(to=letter.recipient))
    bounce(match, letter, mail)
    assert (report_of(match).fate, report_of(match).problem) == ("bounced", "hard failure notice")


def test_report_that_lost_its_envelope_is_known_by_what_it_sends_back(match: Match) -> None:
    """In a mailbox there may be no address with a token left: the Message-ID in the letter's header is as good."""
    letter = report_of(match)
    bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no"), to="bounce@play.example")
    assert report_of(match).fate == "bounced"


def test_report_that_is_quicker_than_the_mark_of_its_letter_is_kept(database: Database) -> None:
    """Letters are marked several at a time: a server may send one back before it is, and the mark changes nothing."""
    with stubserver.running() as stub:
        service = service_on(database, smtp_port=stub.port)
        match = begun(service_on(database), pace="brisk")
        letter = report_of(match)
        real = stub.take

        def take(mail: stubserver.Taken) -> None:
            real(mail)
            if letter.message_id.encode() in mail.content:
                bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no such user"))

        stub.take = take  # type: ignore[method-assign]
        clock.shift(timedelta(seconds=30))
        assert send(service) >= 3
    now = report_of(match)
    assert (now.fate, now.problem) == ("bounced", "hard 5.1.1 550 no such user")
    assert now.answer.startswith("250")


def test_letter_that_came_back_is_not_sent_again(database: Database) -> None:
    """Where its server's answer was lost and the report of it came while it waits for its second try."""
    with stubserver.running() as stub:
        match = answer_lost(database, stub)
        letter = first_of(match)
        assert (letter.fate, letter.problem) == ("queued", AGAIN)
        bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no such user"))
        send_later(database, stub)
        assert sum(letter.message_id.encode() in mail.content for mail in stub.mails) == 1
    assert (first_of(match).fate, first_of(match).problem) == ("bounced", f"{AGAIN} hard 5.1.1 550 no such user")


def test_letter_that_went_out_twice_stays_marked_whatever_is_reported_of_it(database: Database) -> None:
    """A delay, and then that it came back."""
    with stubserver.running() as stub:
        match = answer_lost(database, stub)
        send_later(database, stub)
    letter = first_of(match)
    assert (letter.fate, letter.problem) == ("sent", AGAIN)
    bounce(match, letter, dsn(letter, "delayed", "4.4.1", "450 later"))
    assert (first_of(match).fate, first_of(match).problem) == ("sent", f"{AGAIN} delayed 4.4.1 450 later")
    bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no such user"))
    assert (first_of(match).fate, first_of(match).problem) == ("bounced", f"{AGAIN} hard 5.1.1 550 no such user")


def answer_lost(database: Database, stub: stubserver.StubServer) -> Match:
    """A game of which the mail server took Ann's first letter, and could not say so."""
    match = begun(service_on(database), pace="brisk")
    stub.fail("content", stubserver.CUT, to=first_of(match).recipient)
    send_later(database, stub)
    return match


def send_later(database: Database, stub: stubserver.StubServer) -> None:
    """What waits goes to the mail server."""
    clock.shift(timedelta(seconds=30))
    send(service_on(database, smtp_port=stub.port))


def first_of(match: Match) -> Letter:
    """Ann's first letter."""
    return match.letters(0)[0]


def test_forged_report_changes_nothing(match: Match) -> None:
    """Without a token of ours nobody can say that a letter came back."""
    letter = report_of(match)
    mail = dsn(letter, "failed", "5.1.1", "550 no")
    token = match.service.identity.token(Mark(letter.id, Purpose.ORDERS, 0))
    raw = mail.as_string().replace(token, "a" * 40)
    forged = EmailMessage()
    forged["From"] = "MAILER-DAEMON@mx.players.example"
    forged.set_content(raw)
    bounce(match, letter, forged, to=f"bounce+{'a' * 40}@play.example")
    assert report_of(match).fate == "sent"


def test_complaint_is_kept_and_ends_invitations(match: Match) -> None:
    """A feedback report marks the letter, tells the operator, and the address is not invited again."""
    letter = report_of(match)
    bounce(match, letter, dsn(letter, "", "", "", "feedback-report"))
    assert report_of(match).fate == "complained"
    assert "unwanted mail" in told(match)[0]
    with match.service.reading() as session:
        assert session.get_one(Unwanted, letter.recipient).why == "complained"


def deadline(match: Match) -> float:
    """Hours until the deadline."""
    game: Game = match.game
    assert game.deadline is not None
    return round((game.deadline - clock.now()).total_seconds() / 3600, 1)


def test_deadline_waits_once_for_a_player_whose_report_bounced(match: Match) -> None:
    """Everybody is told by a ruling, and the stage closes at the second deadline."""
    stage = match.game.stage_key
    letter = report_of(match)
    bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no such user"))
    match.say(1, "bid 1\nready")
    match.pass_deadline()
    assert match.game.stage_key == stage
    assert deadline(match) == 24.0
    [ruling] = rulings(match)
    assert (ruling.act, ruling.actor) == ("deadline_extended", "operator")
    assert "Red" in ruling.reason
    assert len(match.letters(kind="ruling")) == 3
    match.pass_deadline()
    assert match.game.stage_key != stage
    assert len(rulings(match)) == 1


def rulings(match: Match) -> list[Ruling]:
    """All rulings on the game."""
    with match.service.reading() as session:
        return list(session.exec(select(Ruling).order_by(col(Ruling.number))))


def test_who_leads_the_game_hears_of_a_lost_report_though_the_service_dies(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it does while the deadline is put off: with the ruling there is the letter."""
    with match.service.writing() as session:
        refused = {"fate": "failed", "problem": "550 no such user"}
        session.execute(update(Letter).where(col(Letter.id) == report_of(match).id).values(refused))
    clock.shift(timedelta(hours=deadline(match), seconds=3))
    for commit in count(1):
        if not dies_at(match, monkeypatch, commit):
            break
        assert len(told(match)) == len(rulings(match))
        clock.shift(timedelta(minutes=5))
    settle(match.service)
    assert len(told(match)) == len(rulings(match)) == 1


def dies_at(match: Match, monkeypatch: pytest.MonkeyPatch, commit: int) -> bool:
    """Let the service end right after that commit of what it does for the game; whether it came so far."""
    seen = 0

    def ends(point: str) -> None:
        nonlocal seen
        seen += point == "after-commit"
        if seen == commit:
            raise Death

    with monkeypatch.context() as patched:
        patched.setattr(crashing, "at", ends)
        try:
            advance(match.service, match.id)
        except Death:
            return True
    return False


class Death(BaseException):
    """The end of a process."""


def test_deadline_waits_for_a_report_that_no_server_has_taken(database: Database) -> None:
    """A mail server that was away until the deadline costs nobody a turn, and the operator is told of each seat."""
    service = service_on(database, operator=OPERATOR, undelivered_hours=12)
    match = begun(service, pace="brisk")
    stage = match.game.stage_key
    match.say(1, "bid 1\nready")
    match.pass_deadline()
    assert match.game.stage_key == stage
    assert deadline(match) == 12.0
    assert len(told(match)) == 2
    assert "Red" in rulings(match)[0].reason
    assert "Green" not in rulings(match)[0].reason  # it has sent orders: it knows


def test_deadline_does_not_wait_for_who_has_sent_orders_or_got_the_report(match: Match) -> None:
    """A bounce of who plays on the page, or an ordinary silence, moves nothing."""
    stage = match.game.stage_key
    letter = report_of(match)
    match.say(0, "bid 1")
    bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no such user"))
    match.pass_deadline()
    assert match.game.stage_key != stage
    assert rulings(match) == []


def test_log_shows_what_became_of_mails_and_letters(
    match: Match, database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """Both ways, with fates and servers' words, and with nothing of what was said; a seat's mail is not shown."""
    letter = report_of(match)
    bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no such user"))
    post(match.service, reply(letter, "bid 1", Message_ID=""))
    post(
        match.service, reply(letter, "hello", "eve@evil.example", To="play@play.example", In_Reply_To="", References="")
    )
    for name, value in {"DATA_DIR": tmp_path, "DATABASE_URL": database_url, "DOMAIN": "play.example"}.items():
        monkeypatch.setenv(f"PBEM_{name}", str(value))
    settings.cache_clear()

    def run(*words: str) -> str:
        result = CliRunner().invoke(main, ["mail", *words])
        assert result.exit_code == 0, result.output
        return result.output

    from pbem import keys  # noqa: PLC0415

    keys.ensure(settings().keys)
    rows = json.loads(run("log", "--json", "--limit", "100"))
    [bounced] = [row for row in rows if row["fate"] == "bounced"]
    assert (bounced["way"], bounced["seat"], bounced["address"]) == ("out", 0, letter.recipient)
    assert bounced["said"] == "hard 5.1.1 550 no such user"
    assert {row["fate"] for row in rows if row["way"] == "in"} == {"read", "refused"}
    assert "bid 1" not in json.dumps(rows)
    assert {row["fate"] for row in json.loads(run("log", "--fate", "bounced", "--json"))} == {"bounced"}
    assert {row["fate"] for row in rows} <= set(FATES)
    assert json.loads(run("log", "--fate", "sent-again", "--json")) == []
    wrong = CliRunner().invoke(main, ["mail", "log", "--fate", "bouncd"])
    assert wrong.exit_code == 2
    assert "'bounced'" in wrong.output
    assert {row["address"] for row in json.loads(run("log", "--to", "ben@players.example", "--json"))} == {
        "ben@players.example"
    }
    assert {row["seat"] for row in json.loads(run("log", "--game", match.code, "--seat", "1", "--json"))} == {1}
    hidden, open_ = (number(match.service, who) for who in ("ann@players.example", "eve@evil.example"))
    assert "hello" in run("show", str(open_))
    refused = CliRunner().invoke(main, ["mail", "show", str(hidden)])
    assert refused.exit_code == 1
    assert "pbem game look" in refused.output


def number(service: Service, sender: str) -> int:
    """The newest mail from that sender."""

    def newest(session: Session) -> int | None:
        return session.exec(
            select(Inbound.id).where(col(Inbound.mail_from) == sender).order_by(col(Inbound.id).desc())
        ).first()

    with service.reading() as session:
        found = newest(session)
    assert found is not None
    return found


def test_letters_of_a_day_ago_are_still_known(match: Match) -> None:
    """A bounce may come days later; it is the letter's all the same."""
    letter = report_of(match)
    clock.shift(timedelta(days=4))
    settle(match.service)
    bounce(match, letter, dsn(letter, "failed", "4.4.7", "delivery time expired"))
    with match.service.reading() as session:
        assert session.get_one(Letter, letter.id).fate == "bounced"


def test_seat_s_page_says_that_its_report_did_not_arrive(match: Match) -> None:
    """Who finds nothing in the mailbox finds out why on the page; the others see nothing of it."""
    letter = report_of(match)
    app = app_on(match.service)
    ann, ben = Visit(app, match.service, "ann@players.example"), Visit(app, match.service, "ben@players.example")
    assert "has not arrived" not in ann.get(f"/games/{match.code}")
    bounce(match, letter, dsn(letter, "failed", "5.1.1", "550 no such user"))
    assert "no such user" in ann.get(f"/games/{match.code}")
    assert "has not arrived" not in ben.get(f"/games/{match.code}")
