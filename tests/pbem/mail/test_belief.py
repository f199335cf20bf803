"""Whom the inbound path believes, and how often it answers."""

import re
from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.mail import joining
from pbem.mail.identity import Identity, Mark, Purpose
from pbem.mail.joining import A_DAY, WAITS
from pbem.mail.message import read
from pbem.storage.models import Inbound, Letter, Submission
from pbem.storage.sessions import Database
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, service_on

OPERATOR = "operator@play.example"


@pytest.fixture
def service(database: Database) -> Service:
    """A service with an operator, on any free port; its letters stay in the outbox."""
    return service_on(database, mail_port=0, smtp_port=1, operator=OPERATOR)


def letters(service: Service, kind: str) -> list[Letter]:
    """All letters of a kind, oldest first."""
    with service.reading() as session:
        return list(
            session.exec(select(Letter).where(col(Letter.kind) == kind).order_by(col(Letter.queued), col(Letter.key)))
        )


def problems(service: Service) -> list[tuple[str, str]]:
    """What became of each mail."""
    with service.reading() as session:
        return [(row.status, row.problem) for row in session.exec(select(Inbound).order_by(col(Inbound.id)))]


def kept(match: Match) -> list[str]:
    """The texts of all submissions."""
    with match.service.reading() as session:
        return [row.text for row in session.exec(select(Submission).order_by(col(Submission.id)))]


def address(service: Service, letter: Letter) -> str:
    """The reply address of a letter of its seat's first generation."""
    return service.identity.reply_address(Mark(letter.id, Purpose.ORDERS, 0))


def test_second_confirmation_is_told_that_it_was_done(service: Service) -> None:
    """A held mail is taken once; who confirms it again learns that it was, and is not left without an answer."""
    match = begun(service, pace="brisk")
    post(service, reply(match.letters(0, "report")[0], "bid 1", "ann@work.example"))
    [held] = letters(service, "held")
    post(service, reply(held, "confirm"))
    post(service, reply(held, "confirm!"))
    assert kept(match) == ["bid 1"]
    [told] = letters(service, "unreadable")
    assert "confirmed this before" in told.text


def test_each_held_mail_is_asked_about_and_confirmed_alone(service: Service) -> None:
    """Two mails from another address: the word to one takes that one."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "bid 1", "ann@work.example"), reply(report, "bid 4", "ann@work.example"))
    [second] = [letter for letter in letters(service, "held") if "bid 4" in letter.text]
    post(service, reply(second, "confirm"))
    assert kept(match) == ["bid 4"]


@pytest.mark.parametrize("forged", [False, True])
def test_strangers_are_answered_once_a_day(service: Service, forged: bool) -> None:
    """Without a token or with a forged one: the first mail of a day is answered, the others are kept in silence."""
    match = begun(service, pace="brisk", stage_hours=500)
    report = match.letters(0, "report")[0]
    to = address(service, report)
    if forged:
        to = Identity("play.example", (b"f" * 32,)).reply_address(Mark(report.id, Purpose.ORDERS, 0))
    else:
        to = "play@play.example"
    for day in range(3):
        for number in range(2):
            text = f"bid {day} {number}"
            post(service, reply(report, text, "eve@evil.example", To=to, In_Reply_To="", References=""))
        clock.shift(timedelta(days=1, minutes=1))
    assert [letter.recipient for letter in letters(service, "stranger")] == ["eve@evil.example"] * 3
    assert problems(service) == [("refused", "forged" if forged else "no-token")] * 6


@pytest.mark.parametrize("to", ["postmaster@play.example", "Postmaster@PLAY.example", "abuse@play.example"])
def test_mail_to_the_postmaster_reaches_the_operator(service: Service, to: str) -> None:
    """It is taken, as every mail domain must, and what it says goes to a person."""
    match = begun(service, pace="brisk")
    text, headers = "Your mails land in our spam.", {"To": to, "In_Reply_To": "", "References": ""}
    post(service, reply(match.letters(0, "report")[0], text, "eve@isp.example", **headers))
    [letter] = letters(service, "postmaster")
    assert letter.recipient == OPERATOR
    assert "eve@isp.example" in letter.text
    assert "Your mails land in our spam." in letter.text
    assert problems(service) == [("read", "to-operator")]


def test_robots_at_the_postmaster_bother_nobody(service: Service) -> None:
    """A report of a machine is kept and passed on to nobody."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    headers = {"To": "postmaster@play.example", "In_Reply_To": "", "References": "", "Auto_Submitted": "auto-generated"}
    post(service, reply(report, "summary", "eve@isp.example", **headers))
    assert letters(service, "postmaster") == []


def test_reply_to_is_no_identity(service: Service) -> None:
    """Neither does it make another's mail the player's, nor does an answer ever go there."""
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    post(service, reply(report, "bid 1", "eve@evil.example", Reply_To=report.recipient))
    assert kept(match) == []
    post(service, reply(report, "bid 4", Reply_To="eve@evil.example"))
    assert kept(match) == ["bid 4"]
    with service.reading() as session:
        assert "eve@evil.example" not in session.exec(select(Letter.recipient)).all()


LOOKED_AT = ("X-Gm-Original-To", "Delivered-To", "Envelope-To", "X-Envelope-To", "Resent-To", "To", "Cc")


@pytest.mark.parametrize("first", range(len(LOOKED_AT)))
def test_recipients_are_looked_up_in_order(service: Service, first: int) -> None:
    """Of several headers with a token the first in the order counts, wherever it stands in the mail."""
    match = begun(service, pace="brisk")
    mine, other = match.letters(0, "report")[0], match.letters(1, "report")[0]
    names = LOOKED_AT[first:]
    lines = [f"{name}: {address(service, mine if name == names[0] else other)}" for name in reversed(names)]
    mail = read("\r\n".join(["From: ann@players.example", *lines, "", "bid 1"]).encode())
    found = service.identity.find(mail.recipients, mail.answers).mark
    assert found is not None
    assert found.letter == mine.id


def test_token_of_another_server_s_results_is_worth_nothing(database: Database) -> None:
    """A pass that the sender claims for itself does not undo the failure that our own server has found."""
    service = service_on(database, mail_port=0, smtp_port=1, authserv_id="mx.play.example")
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    mail = reply(report, "bid 1")
    mail["Authentication-Results"] = "mx.play.example; dmarc=fail header.from=players.example"
    mail["Authentication-Results"] = "mx.play.example; dmarc=pass header.from=players.example"
    mail["Authentication-Results"] = "evil.example; dmarc=pass header.from=players.example"
    post(service, mail)
    assert kept(match) == []
    assert problems(service) == [("held", "other-sender")]


@pytest.mark.parametrize("anonymous", [False, True])
def test_own_mail_that_fails_dmarc_is_asked_about_with_its_lines(database: Database, anonymous: bool) -> None:
    """The player sees what they would confirm, and nobody else is said to have sent it."""
    service = service_on(database, mail_port=0, smtp_port=1, authserv_id="mx.play.example")
    match = begun(service, pace="brisk", anonymous=anonymous)
    mail = reply(match.letters(0, "report")[0], "bid 3")
    mail["Authentication-Results"] = "mx.play.example; dmarc=fail header.from=players.example"
    post(service, mail)
    [held] = letters(service, "held")
    text = " ".join(held.text.split())
    assert "bid 3" in text
    assert "It says that it is from ann@players.example, which could not be proven." in text
    assert not any(said in text for said in ("another sender", "another player"))
    post(service, reply(held, "confirm"))
    assert kept(match) == ["bid 3"]


def test_mail_that_only_says_that_another_player_sent_it_accuses_nobody(database: Database) -> None:
    """Its lines may be orders all the same, and are not shown."""
    service = service_on(database, mail_port=0, smtp_port=1, authserv_id="mx.play.example")
    match = begun(service, pace="brisk")
    mail = reply(match.letters(0, "report")[0], "bid 3", "ben@players.example")
    mail["Authentication-Results"] = "mx.play.example; dmarc=fail header.from=players.example"
    post(service, mail)
    [held] = letters(service, "held")
    text = " ".join(held.text.split())
    assert "It says that it is from Ben, which could not be proven." in text
    assert "bid 3" not in text
    assert "another sender" not in text


def test_acknowledgements_beyond_twenty_a_day_are_joined(database: Database, tmp_path: object) -> None:
    """Nobody's mailbox is filled by their own diligence, and not a word of what was read is lost."""
    service = service_on(database, maildir=tmp_path)
    match = begun(service, pace="brisk", stage_hours=500)
    for number in range(A_DAY + 5):
        match.say(0, f"bid {number % 5}\nsomething {number}")
    match.settle()
    sent = [letter for letter in match.letters(0, "acknowledgement") if letter.fate == "sent"]
    assert len(sent) == A_DAY
    clock.shift(WAITS + timedelta(seconds=1))
    match.settle()
    found = match.letters(0, "acknowledgement")
    assert sorted(letter.fate for letter in found) == ["sent"] * (A_DAY + 1) + ["withdrawn"] * 4
    [joined] = [letter for letter in found if letter.fate == "sent" and letter not in sent]
    assert [number for number in range(40) if re.search(rf"something {number}\b", joined.text)] == list(range(20, 25))
    whole = read(joined.content)
    for number in range(A_DAY, A_DAY + 5):
        assert f"something {number}" in whole.text
        assert f"something {number}" in whole.rich
    clock.shift(timedelta(days=1))
    match.say(0, "bid 1")
    match.settle()
    assert match.letters(0, "acknowledgement")[-1].fate == "sent"


def test_letters_that_can_not_be_joined_go_out_each_by_itself(
    database: Database, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong with them: nothing is lost, and nobody else's letters wait."""
    service = service_on(database, maildir=tmp_path)
    match = begun(service, pace="brisk", stage_hours=500)
    for number in range(A_DAY + 3):
        match.say(0, f"bid {number % 5}")
    match.settle()
    monkeypatch.setattr(joining, "_fitting", lambda _: 1 // 0)
    clock.shift(WAITS + timedelta(seconds=1))
    match.settle()
    assert [letter.fate for letter in match.letters(0, "acknowledgement")] == ["sent"] * (A_DAY + 3)


def test_answer_to_joined_acknowledgements_gives_the_new_lines_alone(database: Database, tmp_path: object) -> None:
    """Their words are ours, however many were joined."""
    service = service_on(database, maildir=tmp_path, mail_port=0)
    match = begun(service, pace="brisk", stage_hours=500)
    for number in range(A_DAY + 3):
        match.say(0, f"bid {number % 5}")
    clock.shift(WAITS + timedelta(seconds=1))
    match.settle()
    joined = max(match.letters(0, "acknowledgement"), key=lambda letter: (letter.fate == "sent", len(letter.text)))
    assert joined.text.count("=" * 68) >= 2
    post(service, reply(joined, "bid 4\nready"))
    assert kept(match)[-1] == "bid 4\nready"
