"""Letters as MIME: finished but for the date of sending, the same bytes whenever they are composed from the same."""

import hashlib
import re
import unicodedata
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Mapping
from email.header import Header
from email.utils import formataddr
from functools import lru_cache

import msgspec

from pbem.mail.identity import Identity, Mark

_LONGEST_NAME = 78
_LONGEST_SUBJECT = 150
_LONGEST_LINE = 900
"""Bytes; a mail may have no line of more than 998."""
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that move a terminal on which a letter is read; but for line ends and tabs."""
_ENCODED = re.compile(r"=\?[^?]*\?[bqBQ]\?|[?]=")


class Outgoing(msgspec.Struct, frozen=True):
    """What a letter is. `sender` and `name` are as people wrote them: they are made harmless here.

    `thread` is what all letters of one thread share, such as game and turn; empty for a letter that stands alone.
    `group` names the game in List-Id; empty for the service itself. `unsubscribe` is a page that takes a POST.
    """

    mark: Mark
    sender: str
    address: str
    subject: str
    name: str = ""
    thread: str = ""
    group: str = ""
    unsubscribe: str = ""


class Event(msgspec.Struct, frozen=True):
    """Something for a calendar: a method such as REQUEST, and the object of text/calendar that has it."""

    method: str
    calendar: bytes


def compose(
    identity: Identity,
    letter: Outgoing,
    text: str,
    html: str = "",
    pictures: Mapping[str, bytes] | None = None,
    event: Event | None = None,
) -> bytes:
    """The letter's bytes, without a Date. `pictures` are PNG by the Content-ID that the HTML names (`cid:board`).

    Raises ValueError for an address that mail can't be sent to.
    """
    message_id = identity.message_id(letter.mark)
    headers = {
        "From": _mailbox(letter.sender, identity.address),
        "To": _mailbox(letter.name, sendable(letter.address)),
        "Reply-To": identity.reply_address(letter.mark),
        "Subject": _encoded(clean(letter.subject, _LONGEST_SUBJECT), "Subject"),
        "Message-ID": message_id,
    }
    if letter.thread:
        headers["In-Reply-To"] = headers["References"] = identity.thread_id(letter.thread)
    headers["Auto-Submitted"] = "auto-generated"
    headers["X-Auto-Response-Suppress"] = "All"
    headers["List-Id"] = f"<{re.sub(r'[^a-z0-9-]', '-', letter.group.lower()) or 'all'}.{identity.domain}>"
    if letter.unsubscribe:
        headers["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    headers["MIME-Version"] = "1.0"
    head = b"".join(f"{name}: {value}\r\n".encode("ascii") for name, value in headers.items())
    return head + _body(message_id, text, html, pictures, event)


def with_body(content: bytes, message_id: str, text: str, html: str, pictures: Mapping[str, bytes]) -> bytes:
    """A composed letter with another text."""
    head, last, _ = content.partition(b"MIME-Version: 1.0\r\n")
    return head + last + _body(message_id, text, html, pictures)


def _body(
    message_id: str, text: str, html: str, pictures: Mapping[str, bytes] | None = None, event: Event | None = None
) -> bytes:
    forms = [_text(text)]
    if html:
        shown = _html(html)
        if pictures:
            shown = _together("related", [shown, *map(_picture, pictures, pictures.values())], message_id)
        forms.append(shown)
    if event is not None:
        forms.append(_event(event))
    return _together("alternative", forms, message_id) if len(forms) > 1 else forms[0]


def _event(event: Event) -> bytes:
    """The form that calendars take: a form of the letter and no attachment, so that mail programs offer it as one."""
    kind = f"text/calendar; charset=utf-8; method={event.method}"
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return head.encode("ascii") + encodebytes(event.calendar).replace(b"\n", b"\r\n")


def _mailbox(name: str, address: str) -> str:
    name = clean(name, _LONGEST_NAME)
    if name.isascii():
        return formataddr((name, address))
    return f"{_encoded(name, 'From')} <{address}>"


def _encoded(text: str, header: str) -> str:
    return text if text.isascii() else Header(text, "utf-8", header_name=header).encode(linesep="\r\n")


# A part is its own headers, an empty line and its body. They are written here and not by email.message, which takes
# ten times as long: a letter is most of what a turn costs.


def _text(text: str) -> bytes:
    return _part("plain", "quoted-printable", b2a_qp(_lines(text).replace("\n", "\r\n").encode("utf-8")))


def _html(html: str) -> bytes:
    """Characters beyond ASCII as references: then it can go as it is, which is shorter and quicker than quoting it."""
    content = _lines(html).encode("ascii", "xmlcharrefreplace").replace(b"\n", b"\r\n")
    if max(map(len, content.split(b"\r\n"))) <= _LONGEST_LINE:
        return _part("html", "7bit", content)
    return _part("html", "quoted-printable", b2a_qp(content))


def _part(subtype: str, encoding: str, content: bytes) -> bytes:
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode("ascii") + content


def _picture(content_id: str, png: bytes) -> bytes:
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", content_id)
    head = (
        f"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <{name}>\r\n"
        f'Content-Disposition: inline; filename="{name}.png"\r\n\r\n'
    )
    return head.encode("ascii") + _in_base64(png)


@lru_cache(maxsize=16)
def _in_base64(png: bytes) -> bytes:
    """Kept for a while: all players of a game are sent the same board."""
    return encodebytes(png).replace(b"\n", b"\r\n")


def _together(subtype: str, parts: list[bytes], message_id: str) -> bytes:
    """The same boundary each time; a text that has it can't be made up by who does not know our keys."""
    mark = "=_" + hashlib.sha256(f"{message_id}/{subtype}".encode()).hexdigest()[:32]
    head = f'Content-Type: multipart/{subtype}; boundary="{mark}"\r\n\r\n'.encode("ascii")
    return (
        head + b"".join(f"--{mark}\r\n".encode("ascii") + part + b"\r\n" for part in parts) + f"--{mark}--\r\n".encode()
    )


def clean(text: str, longest: int) -> str:
    """What a person typed, fit for a header: one line, nothing that a mail program takes for more than text."""
    plain = text
    if not (text.isascii() and text.isprintable()):  # most are, and a letter has three
        plain = "".join(" " if unicodedata.category(char) in {"Cc", "Zl", "Zp"} else char for char in text)
        plain = "".join(char for char in plain if unicodedata.category(char) not in {"Cf", "Cs", "Co", "Cn"})
    while _ENCODED.search(plain):
        plain = _ENCODED.sub("", plain)
    return " ".join(plain.split())[:longest].strip()


def _lines(text: str) -> str:
    """Plain line ends and nothing that can't be encoded."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("\ufffd", text).rstrip("\n") + "\n"


def sendable(address: str) -> str:
    """The address as it is written into a letter, its domain in ASCII. Raises ValueError where it is none."""
    local, _, domain = address.rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        ascii_domain = ""
    if not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(ascii_domain):
        raise ValueError("an address that mail can't be sent to")
    return f"{local}@{ascii_domain}"


def is_sendable(address: str) -> bool:
    """Whether mail can be sent to the address; an earlier release took some that it can't."""
    try:
        sendable(address)
    except ValueError:
        return False
    return True
