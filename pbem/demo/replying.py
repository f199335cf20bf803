"""Replies as a mail program writes them: the answer on top, the letter quoted below."""

import smtplib
import textwrap
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import format_datetime, make_msgid, parseaddr

from pbem import clock
from pbem.demo.postoffice import DOMAIN

WIDTH = 76


def parsed(raw: bytes) -> EmailMessage:
    """A letter from a mailbox."""
    message = BytesParser(policy=policy.default).parsebytes(raw)
    assert isinstance(message, EmailMessage)
    return message


def plain(letter: EmailMessage) -> str:
    """Its plain text."""
    part = letter.get_body(("plain",))
    return "" if part is None else str(part.get_content())


def reply(letter: EmailMessage, me: str, text: str) -> EmailMessage:
    """An answer to a letter, from the address `me`."""
    answer = EmailMessage()
    name, sender = parseaddr(str(letter["From"]))
    answer["From"] = me
    answer["To"] = str(letter["Reply-To"] or letter["From"])
    subject = str(letter["Subject"])
    answer["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    answer["Date"] = format_datetime(clock.now())
    answer["Message-ID"] = make_msgid(domain=DOMAIN)
    answer["In-Reply-To"] = str(letter["Message-ID"])
    answer["References"] = " ".join([*str(letter["References"] or "").split(), str(letter["Message-ID"])])
    quoted = "\n".join(_quoted(line) for line in plain(letter).splitlines())
    answer.set_content(f"{text}\n\nOn {letter['Date']}, {name or sender} <{sender}> wrote:\n{quoted}\n")
    return answer


def post(message: EmailMessage, port: int) -> None:
    """Hand a mail to the service's listener. Raises smtplib.SMTPException and OSError."""
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as server:
        server.send_message(message)


def _quoted(line: str) -> str:
    """A line of the quote, wrapped as mail programs wrap it."""
    return "\n".join(f"> {part}".rstrip() for part in textwrap.wrap(line, WIDTH) or [""])
