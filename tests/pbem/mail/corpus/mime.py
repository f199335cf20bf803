"""Mails as bytes, written out by hand: no library that would mend what a real program gets wrong."""

import base64
import quopri
from html import escape

import msgspec

from pbem.mail.htmltext import lines_of

MESSAGE_ID = "<reply@players.example>"
"""What a mail has that needs none of its own."""


class Original(msgspec.Struct, frozen=True):
    """The letter that is answered. `html` is what stands within its body."""

    name: str
    address: str
    message_id: str
    subject: str
    recipient: str
    text: str
    html: str

    @property
    def words(self) -> str:
        """Its HTML as lines, as a program that shows that form quotes it in plain text."""
        return lines_of(self.html)


def part(kind: str, text: str, coding: str = "quoted-printable", charset: str = "utf-8", more: str = "") -> bytes:
    """A part with its headers. `more` is put behind its content type."""
    head = f"Content-Type: {kind}; charset={charset}{more}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n"
    raw = text.replace("\n", "\r\n").encode(charset)
    if coding == "quoted-printable":
        raw = quopri.encodestring(raw.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    elif coding == "base64":
        raw = base64.encodebytes(raw).replace(b"\n", b"\r\n")
    return head.encode() + raw


def together(kind: str, *parts: bytes, mark: str = "=_b1") -> bytes:
    """Parts as one multipart."""
    head = f'Content-Type: multipart/{kind}; boundary="{mark}"\r\n\r\n'
    body = b"".join(f"--{mark}\r\n".encode() + each + b"\r\n" for each in parts)
    return head.encode() + body + f"--{mark}--\r\n".encode()


def alternative(text: str, html: str, **options: str) -> bytes:
    """Text and HTML of the same."""
    return together("alternative", part("text/plain", text, **options), part("text/html", html), mark="=_alt")


def mail(original: Original, body: bytes, **headers: str) -> bytes:
    """A whole mail; `body` begins with its own headers. A header that is given empty is left out."""
    made = {
        "From": f"Ann <{original.recipient}>",
        "To": f"{original.name} <{original.address}>",
        "Subject": f"Re: {original.subject}",
        "Message-ID": MESSAGE_ID,
        "In-Reply-To": original.message_id,
        "References": original.message_id,
        "Date": "Tue, 01 Dec 2026 11:00:00 +0100",
        "MIME-Version": "1.0",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in made.items() if value)
    return head.encode("utf-8", "surrogateescape") + body


def plain(original: Original, text: str, **options: str) -> bytes:
    """A mail of plain text."""
    return mail(original, part("text/plain", text, **options))


def marked(text: str, mark: str = "> ") -> str:
    """Each line with a quote mark."""
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


def divs(lines: str, open_: str = "<div>", close: str = "</div>", blank: str = "<br>") -> str:
    """Each line as an element of its own."""
    return "".join(f"{open_}{escape(line) or blank}{close}" for line in lines.split("\n"))
