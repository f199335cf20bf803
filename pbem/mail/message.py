"""A raw mail read within bounds: who, to whom, what it answers, and its text. `read` never raises."""

import re
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from hashlib import blake2b
from itertools import islice

import msgspec

from pbem.mail.addresses import mailboxes
from pbem.mail.automatic import why_automatic
from pbem.mail.charsets import header
from pbem.mail.textpart import texts_of

LONGEST_TEXT = 300_000
"""Characters of a mail's text that are read; of more, nothing is."""
_HEADER_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_CONTAINER = re.compile(rb"(?:^|[\r\n])content-type:\s*(?:multipart|message)/", re.IGNORECASE)
_CALENDAR_REPLY = re.compile(
    rb"(?:^|[\r\n])content-type:\s*text/calendar(?:[^\r\n]|\r?\n[ \t]){0,300}?method\s*=\s*\"?(?:reply|counter)\b"
    rb"|(?:^|[\r\n])method:(?:reply|counter)[ \t]*[\r\n]",
    re.IGNORECASE,
)
_LONGEST_HEAD = 200_000
_MOST_LINES = 250_000
_MOST_REFERENCES = 100
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,500}>")
_RECIPIENT_HEADERS = (
    "x-gm-original-to", "delivered-to", "envelope-to", "x-envelope-to", "x-original-to", "resent-to", "to", "cc",
)  # fmt: skip


class Limits(msgspec.Struct, frozen=True):
    """How much of a mail is taken apart. `size` in bytes; `depth` counts multiparts within multiparts."""

    size: int = 25_000_000
    parts: int = 500
    depth: int = 20


LIMITS = Limits()


class Mail(msgspec.Struct, frozen=True):
    """What a mail says. `problem` is a code for why its text can't be used, or empty.

    Codes: two-from, no-from, bad-header, too-big, too-deep, too-many-parts, too-long, encrypted, tnef, no-text.
    `automatic` says by which sign it was not written by a person (empty for a person's mail), and `quiet` that its
    sender asks for no automatic answers. `text` has `\\n` line ends and `>` before quoted lines; `rich` is the same in
    the mail's HTML form, equal where it has only one.
    """

    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    message_id: str = ""
    answers: tuple[str, ...] = ()
    subject: str = ""
    text: str = ""
    rich: str = ""
    automatic: str = ""
    quiet: bool = False
    proofs: tuple[str, ...] = ()
    """The Authentication-Results, the newest first."""
    digest: bytes = b""
    """The same for a mail that came twice."""
    problem: str = ""


def read(raw: bytes, envelope: tuple[str, tuple[str, ...]] = ("", ()), limits: Limits = LIMITS) -> Mail:
    """Read the mail; `envelope` is its MAIL FROM and RCPT TO, as far as known ("<>" for the null sender)."""
    mail = read_head(raw, envelope)
    if not mail.automatic and b"text/calendar" in raw.lower() and _CALENDAR_REPLY.search(raw):
        mail = msgspec.structs.replace(mail, automatic="calendar")
    problem = mail.problem or _bounds_problem(raw, limits)
    if problem:
        return msgspec.structs.replace(mail, problem=problem)
    texts, problem = texts_of(BytesParser(policy=compat32).parsebytes(raw), limits.parts)
    plain, rich, cut = texts
    if (cut and plain == rich) or len(plain) > LONGEST_TEXT:
        return msgspec.structs.replace(mail, problem="too-long")
    if cut or len(rich) > LONGEST_TEXT:
        rich = plain
    return msgspec.structs.replace(mail, text=plain, rich=rich, problem=problem)


def read_head(raw: bytes, envelope: tuple[str, tuple[str, ...]] = ("", ())) -> Mail:
    """All but the text: what stands in the headers."""
    block, whole = _head(raw)
    fields = _fields(BytesParser(policy=compat32).parsebytes(block, headersonly=True))
    senders = [box for value in fields.get("from", ()) for box in mailboxes(value)]
    recipients = [
        box.address for name in _RECIPIENT_HEADERS for value in fields.get(name, ()) for box in mailboxes(value)
    ]
    return Mail(
        sender=senders[0].address if senders else "",
        sender_name=senders[0].name[:200] if senders else "",
        recipients=(*envelope[1], *recipients[:1000]),
        message_id=next(iter(_message_ids(fields, "message-id")), ""),
        answers=(*_message_ids(fields, "in-reply-to"), *reversed(_message_ids(fields, "references"))),
        subject=header(" ".join(fields.get("subject", ())[:1]))[:500],
        automatic=why_automatic(fields, envelope[0]),
        quiet="x-auto-response-suppress" in fields,
        proofs=tuple(header(value) for value in fields.get("authentication-results", ())[:20]),
        digest=_digest(raw[len(block) :], fields),
        problem=_head_problem(block, whole=whole) or _from_problem(fields, len(senders)),
    )


def smuggles(raw: bytes) -> bool:
    """Whether a bare CR, a bare LF beside proper line ends, or a NUL stands in the header."""
    block, _ = _head(raw)
    bare = block.replace(b"\r\n", b"")
    return b"\0" in block or (len(bare) < len(block) and (b"\r" in bare or b"\n" in bare))


def _head(raw: bytes) -> tuple[bytes, bool]:
    """The header with the blank line that ends it, and whether that was found within the bound."""
    end = _HEADER_END.search(raw[: _LONGEST_HEAD + 4])
    return (raw[: end.end()], True) if end else (raw[:_LONGEST_HEAD], len(raw) <= _LONGEST_HEAD)


def _digest(body: bytes, fields: dict[str, list[str]]) -> bytes:
    """The same for a mail that came twice, by whatever way; without a Message-ID its date has to do."""
    names = ("message-id",) if fields.get("message-id") else ("date", "from", "subject")
    marks = "\0".join(header(" ".join(fields.get(name, ()))) for name in names)
    return blake2b(marks.encode() + b"\0" + body.replace(b"\r\n", b"\n").strip(), digest_size=16).digest()


def _fields(head: Message) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in head.raw_items():
        fields.setdefault(name.lower(), []).append(str(value))
    return fields


def _message_ids(fields: dict[str, list[str]], name: str) -> list[str]:
    text = header(" ".join(fields.get(name, ())[:3]))
    return _MESSAGE_ID.findall(text)[-_MOST_REFERENCES:] or ([f"<{text[:500]}>"] if text and " " not in text else [])


def _head_problem(block: bytes, *, whole: bool) -> str:
    # A mail whose lines all end in bare CR or LF is odd but harmless; among proper ends they smuggle headers in.
    mixed = b"\r" in block.replace(b"\r\n", b"") and b"\n" in block
    return "bad-header" if not whole or smuggles(block) or mixed else ""


def _from_problem(fields: dict[str, list[str]], senders: int) -> str:
    if len(fields.get("from", ())) > 1 or senders > 1:
        return "two-from"
    return "" if senders == 1 else "no-from"


def _bounds_problem(raw: bytes, limits: Limits) -> str:
    """Bounds that are looked at before the parser is: it overflows the stack on deep nesting."""
    if len(raw) > limits.size:
        return "too-big"
    lowered = raw.lower()
    containers = lowered.count(b"multipart/") + lowered.count(b"message/")
    # The words alone are counted first: the expression takes a quarter of a second for ten megabytes.
    if containers > limits.depth and sum(1 for _ in islice(_CONTAINER.finditer(raw), limits.depth + 1)) > limits.depth:
        return "too-deep"
    # Each part of a multipart begins with a line of two dashes, whatever its boundary is.
    if containers and raw.count(b"\n--") + raw.count(b"\r--") > 2 * limits.parts:
        return "too-many-parts"
    if raw.count(b"\n") > _MOST_LINES or raw.count(b"\r") > _MOST_LINES:
        return "too-big"
    return ""
