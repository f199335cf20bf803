"""Letters as MIME: finished but for the date of sending, the same bytes whenever they are composed from the same."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

import msgspec

from pbem.mail.identity import REPLY, Identity, Mark

_LONGEST_NAME = 78
_LONGEST_SUBJECT = 150
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
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


def compose(
    identity: Identity, letter: Outgoing, text: str, html: str = "", pictures: Mapping[str, bytes] | None = None
) -> bytes:
    """The letter's bytes, without a Date. `pictures` are PNG by the Content-ID that the HTML names (`cid:board`).

    Raises ValueError for an address that mail can't be sent to.
    """
    message = EmailMessage(policy=SMTP)
    message_id = identity.message_id(letter.mark)
    message["From"] = Address(clean(letter.sender, _LONGEST_NAME), addr_spec=f"{REPLY}@{identity.domain}")
    message["To"] = Address(clean(letter.name, _LONGEST_NAME), addr_spec=sendable(letter.address))
    message["Reply-To"] = identity.reply_address(letter.mark)
    message["Subject"] = clean(letter.subject, _LONGEST_SUBJECT)
    message["Message-ID"] = message_id
    if letter.thread:
        message["In-Reply-To"] = message["References"] = identity.thread_id(letter.thread)
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["List-Id"] = f"<{re.sub(r'[^a-z0-9-]', '-', letter.group.lower()) or 'all'}.{identity.domain}>"
    if letter.unsubscribe:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(_lines(text), cte="quoted-printable")
    if html:
        _add_html(message, html, pictures or {})
    _fix_boundaries(message, message_id)
    return message.as_bytes()


def clean(text: str, longest: int) -> str:
    """What a person typed, fit for a header: one line, nothing that a mail program takes for more than text."""
    plain = "".join(" " if unicodedata.category(char) in {"Cc", "Zl", "Zp"} else char for char in text)
    plain = "".join(char for char in plain if unicodedata.category(char) not in {"Cf", "Cs", "Co", "Cn"})
    while _ENCODED.search(plain):
        plain = _ENCODED.sub("", plain)
    return " ".join(plain.split())[:longest].strip()


def _add_html(message: EmailMessage, html: str, pictures: Mapping[str, bytes]) -> None:
    message.add_alternative(_lines(html), subtype="html", cte="quoted-printable")
    part = list(message.iter_parts())[-1]
    assert isinstance(part, EmailMessage)
    for content_id, png in pictures.items():
        name = re.sub(r"[^\w.-]", "-", content_id)
        part.add_related(png, "image", "png", cid=f"<{content_id}>", filename=f"{name}.png", disposition="inline")


def _fix_boundaries(message: EmailMessage, message_id: str) -> None:
    """The same boundaries each time; a text that has them can't be made up by who does not know our keys."""
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary("=_" + hashlib.sha256(f"{message_id}/{number}".encode()).hexdigest()[:32])


def _lines(text: str) -> str:
    """Plain line ends and nothing that can't be encoded."""
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"


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
