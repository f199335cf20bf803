"""The corpus of reply mails: from the socket to the submission, exactly the lines that the player wrote.

What is read is on SQLite alone: it is much, and all of it is stored alike. What is refused is on both.
"""

import contextlib
import smtplib

import pytest
from sqlmodel import col, select

from pbem.context import Service
from pbem.games.position import position
from pbem.mail.identity import Mark, Purpose
from pbem.mail.message import read
from pbem.mail.newtext import TooLong, new_text
from pbem.mail.replies import own_texts
from pbem.sheets.stored import decode_reading
from pbem.storage.models import Inbound, Letter, Submission
from pbem.storage.sessions import Database
from pbem.sweep import settle
from tests.limits import in_time_for_a_task
from tests.pbem.mail.corpus import numbered, original_of, replies
from tests.pbem.mail.corpus.hostile import hostile
from tests.pbem.mail.corpus.mime import Original
from tests.pbem.mail.corpus.turned_away import passed_over, refused
from tests.pbem.mail.listening import listening
from tests.pbem.playing import Match, begun, service_on

SAY_MORE = {"an order that Gmail has broken"}
"""Mails whose orders are others than those of the rest."""


@pytest.fixture
def match(sqlite: Database) -> Match:
    """A game of Rockwell whose first reports are out; the clock stands where no deadline is near."""
    return begun(service_on(sqlite, mail_port=0, smtp_port=1), "rockwell", 4, pace="brisk", stage_hours=1000)


def answered(match: Match) -> tuple[Letter, Original]:
    """The first seat's report, and as its reader has it."""
    report = match.letters(0, "report")[0]
    address = match.service.identity.reply_address(Mark(report.id, Purpose.ORDERS, 0))
    return report, original_of(report, address)


def post(service: Service, address: str, mails: list[bytes], sender: str = "ann@players.example") -> list[int]:
    """Hand the mails to the listener and let them be read; the numbers under which they are stored."""
    with listening(service) as port, smtplib.SMTP("127.0.0.1", port, "players.example") as client:
        for raw in mails:
            client.sendmail(sender, [address], raw)
    settle(service)
    with service.reading() as session:
        found = session.exec(select(Inbound.id).order_by(col(Inbound.id))).all()
    return [number for number in found if number is not None]


def lines_of(text: str) -> tuple[str, ...]:
    """The lines that are not blank, with single blanks in them."""
    return tuple(" ".join(line.split()) for line in text.split("\n") if line.strip())


def said_by(match: Match) -> dict[int, tuple[tuple[str, ...], list[object]]]:
    """What was kept of each mail, by its number: its lines, and the orders and commands in them."""
    with match.service.reading() as session:
        rules = position(session, match.id).rules
        kept = session.exec(select(Submission)).all()
    found: dict[int, tuple[tuple[str, ...], list[object]]] = {}
    for row in kept:
        assert row.inbound_id is not None
        reading = decode_reading(rules, row.reading)
        means: list[object] = [line.order or line.command for line in reading.lines]
        found[row.inbound_id] = lines_of(row.text), means
    return found


def test_every_reply_gives_exactly_its_lines(match: Match) -> None:
    """At least 150 mails, through socket, storage and reader: no order is lost, no quote and no signature is one."""
    _, original = answered(match)
    corpus = replies(original)
    assert len(corpus) >= 150
    numbers = post(match.service, original.address, [reply.raw for reply in corpus])
    found = said_by(match)
    wrong = {
        reply.name: found.get(number, ())[:1]
        for reply, number in zip(corpus, numbers, strict=True)
        if found.get(number, ((), []))[0] != lines_of("\n".join(reply.lines))
    }
    assert wrong == {}
    means = {reply.name: found[number][1] for reply, number in zip(corpus, numbers, strict=True)}
    plainly = means["gmail en"]
    assert len(plainly) == 4
    assert None not in plainly
    others = {name for name, each in means.items() if sorted(map(str, each)) != sorted(map(str, plainly))}
    assert others == SAY_MORE


def test_marks_alone_find_the_reply(match: Match) -> None:
    """Where the letter that is quoted is not known, all but what no mark tells apart is found all the same."""
    _, original = answered(match)
    wrong = [
        reply.name
        for reply in replies(original)
        if lines_of(new_text(read(reply.raw).rich)) != lines_of("\n".join(reply.lines))
    ]
    assert wrong == [
        "unmarked en", "form filled in within the quote", "form filled in, no quote marks",
        "between the lines in Outlook",
    ]  # fmt: skip


def test_hostile_mails_are_read(match: Match) -> None:
    """What is made to take time or memory, or to break a parser, ends as text or as a problem's code, each in time."""
    report, original = answered(match)
    for raw in hostile(original).values():
        with in_time_for_a_task(), contextlib.suppress(TooLong):
            mail = read(raw)
            if not mail.problem:
                own_texts(mail, report)


def test_what_gives_no_orders_is_answered_with_the_reason(database: Database) -> None:
    """Each is refused, its player is told why, once, and nothing is kept of it."""
    match = begun(service_on(database, mail_port=0, smtp_port=1, answers_a_day=1000), "rockwell", 4, pace="brisk")
    _, original = answered(match)
    mails = refused(original)
    numbers = post(match.service, original.address, numbered(raw for raw, _ in mails.values()))
    with match.service.reading() as session:
        rows = {number: session.get_one(Inbound, number) for number in numbers}
    got = {name: (rows[number].status, rows[number].problem) for name, number in zip(mails, numbers, strict=True)}
    assert got == {name: ("refused", problem) for name, (_, problem) in mails.items()}
    assert said_by(match) == {}
    told = match.letters(0, "unreadable")
    assert sorted(letter.key for letter in told) == sorted(f"unreadable/{number}" for number in numbers)
    assert {letter.recipient for letter in told} == {original.recipient}


def test_what_no_person_wrote_is_passed_over(match: Match) -> None:
    """Robots, receipts, calendars, lists and our own mail: nothing is kept, and nobody is answered."""
    _, original = answered(match)
    mails = passed_over(original)
    before = len(match.letters())
    numbers = post(match.service, original.address, numbered(raw for raw, _ in mails.values()))
    with match.service.reading() as session:
        rows = {number: session.get_one(Inbound, number) for number in numbers}
    got = {name: (rows[number].status, rows[number].problem) for name, number in zip(mails, numbers, strict=True)}
    assert got == {name: ("refused", sign) for name, (_, sign) in mails.items()}
    assert said_by(match) == {}
    assert len(match.letters()) == before


@pytest.mark.parametrize("odd", [b"X-Odd: a\rFrom: eve@evil.example\r\n", b"X-Odd: a\0b\r\n", b"X-Odd: a\nb: c\r\n"])
def test_smuggled_headers_are_refused_at_the_door(match: Match, odd: bytes) -> None:
    """A lone CR, LF or NUL in the header is refused with words that the sender's server brings back."""
    _, original = answered(match)
    raw = replies(original)[0].raw
    with listening(match.service) as port, smtplib.SMTP("127.0.0.1", port, "players.example") as client:
        with pytest.raises(smtplib.SMTPDataError, match="bare carriage return, line feed or NUL in the header"):
            client.sendmail("ann@players.example", [original.address], odd + raw)
        with pytest.raises(smtplib.SMTPException, match="552"):
            client.sendmail("ann@players.example", [original.address], raw + b"x\r\n" * 9_000_000)
