"""A game played by nothing but mail: what comes out of one socket is answered into another."""

import email
import re
import smtplib
from email.message import EmailMessage
from email.policy import SMTP, default
from hashlib import sha256

from sqlmodel import select

from pbem.context import Service
from pbem.mail.message import read
from pbem.storage.models import Inbound
from pbem.storage.sessions import Database
from pbem.sweep import settle
from tests.pbem.mail import stubserver
from tests.pbem.mail.listening import listening
from tests.pbem.playing import Match, created, service_on

SEATS = 3
LEGAL = re.compile(r"^# ((?:bid|attack|defend|play) .*)$", re.MULTILINE)


def answer(raw: bytes, text: str) -> EmailMessage:
    """A reply as a mail program writes it, from the bytes that came in and nothing else."""
    seen = email.message_from_bytes(raw, policy=default)
    assert isinstance(seen, EmailMessage)
    body = seen.get_body(("plain",))
    assert body is not None
    quote = "".join(f"> {line}\n" for line in body.get_content().splitlines())
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = str(seen["To"]), str(seen["Reply-To"] or seen["From"])
    message["Subject"] = f"Re: {seen['Subject']}"
    message["In-Reply-To"] = message["References"] = str(seen["Message-ID"])
    message["Message-ID"] = f"<{sha256(raw + text.encode()).hexdigest()[:20]}@players.example>"
    message.set_content(f"{text}\n\nOn Tue, Dec 1, 2026 at 10:03 AM {seen['From']} wrote:\n\n{quote}")
    return message


def play(service: Service, match: Match, stub: stubserver.StubServer, port: int) -> int:
    """Answer whatever comes until the game is over; how many mails the players wrote."""
    read_so_far = written = 0
    for _ in range(60):
        settle(service)
        news, read_so_far = stub.mails[read_so_far:], len(stub.mails)
        for mail in news:
            text = said(read(mail.content).text)
            if text:
                message = answer(mail.content, text)
                with smtplib.SMTP("127.0.0.1", port, "players.example") as client:
                    client.sendmail(mail.recipients[0], [str(message["To"])], message.as_bytes())
                written += 1
        if match.game.status == "over" and not news:
            break
        if not news:
            match.pass_deadline()
    return written


def said(letter: str) -> str:
    """What the player writes: joins, and otherwise the examples that the report gives."""
    if "You are invited to" in letter:
        return "join"
    if "fill in:" not in letter:
        return ""
    return "\n".join([*LEGAL.findall(letter)[:4], "ready"])


def test_a_game_played_by_nothing_but_mail(database: Database) -> None:
    """Invitations, reports and acknowledgements go out, replies come in, and the game comes to its end."""
    with stubserver.running() as stub:
        service = service_on(database, mail_port=0, smtp_host="127.0.0.1", smtp_port=stub.port)
        match = created(service, seats=SEATS, pace="brisk", options={"turns": 3})
        with listening(service) as port:
            written = play(service, match, stub, port)
    assert match.game.status == "over"
    with service.reading() as session:
        mails = list(session.exec(select(Inbound)))
    assert len(mails) == written > SEATS * 2
    assert {mail.status for mail in mails} == {"read"}
    assert {letter.fate for letter in match.letters()} == {"sent"}
    sent = [read(mail.content).message_id for mail in stub.mails]
    assert len(sent) == len(set(sent)) == len(match.letters())
    assert len(match.letters(kind="acknowledgement")) == written - SEATS
