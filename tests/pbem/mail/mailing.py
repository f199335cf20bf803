"""Players who speak only mail: replies to letters of ours, sent through a socket."""

import smtplib
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256

from pbem.context import Service
from pbem.mail.message import read
from pbem.storage.models import Letter
from pbem.sweep import settle
from tests.pbem.mail.listening import listening

HOME = "players.example"


def reply(letter: Letter, text: str, sender: str = "", **headers: str) -> EmailMessage:
    """An answer to the letter as an ordinary mail program writes it. `headers` replace those that it would have."""
    seen = read(letter.content)
    message = EmailMessage(policy=SMTP)
    address = _reply_to(letter)
    made = {
        "From": sender or letter.recipient,
        "To": address,
        "Subject": f"Re: {seen.subject}",
        "Message-ID": f"<{sha256(repr((letter.id, text, sender)).encode()).hexdigest()[:24]}@{HOME}>",
        "In-Reply-To": letter.message_id,
        "References": f"{letter.references} {letter.message_id}".strip(),
        "Date": datetime(2026, 12, 1, 10, 3, tzinfo=UTC).strftime("%a, %d %b %Y %H:%M:%S +0000"),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    for name, value in made.items():
        if value:
            message[name] = value
    quote = "\n".join(f"> {line}".rstrip() for line in letter.text.split("\n"))
    message.set_content(f"{text}\n\nOn Tue, Dec 1, 2026 at 10:03 AM Game <{address}> wrote:\n{quote}\n")
    return message


def post(service: Service, *mails: EmailMessage, to: str = "") -> None:
    """Send mails to the service's listener, and let the service do all that comes of it."""
    with listening(service) as port:
        send(port, *mails, to=to)
    settle(service)


def send(port: int, *mails: EmailMessage, to: str = "") -> None:
    """Hand mails over to what listens there."""
    with smtplib.SMTP("127.0.0.1", port, HOME) as client:
        for mail in mails:
            sender = mail["From"].addresses[0].addr_spec
            client.sendmail(sender, [to or str(mail["To"])], mail.as_bytes())


def _reply_to(letter: Letter) -> str:
    for line in letter.content.decode("ascii").split("\r\n"):
        if line.startswith("Reply-To: "):
            return line.removeprefix("Reply-To: ")
    raise LookupError("a letter without Reply-To")
