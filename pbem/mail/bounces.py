"""What a report of a mail server says of a letter: that it came back, is late, or was complained of.

The report's own part for machines goes first (RFC 3464, RFC 5965); where there is none, flufl.bounce knows what the
servers of many houses write.
"""

from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import NamedTuple

import structlog
from flufl.bounce import all_failures

from pbem.mail.charsets import header

log = structlog.get_logger()

HARD, SOFT, DELAYED, COMPLAINED = "hard", "soft", "delayed", "complained"
"""It will never arrive; it did not arrive this time (a full mailbox, a server away for days); it is late; unwanted."""
LONGEST = 200_000
"""Bytes of a report that are looked at."""
_MOST_WORDS = 200


class Bounce(NamedTuple):
    """What became of a letter, and the words of the server that says so."""

    kind: str
    words: str


def bounce_in(raw: bytes, recipient: str) -> Bounce | None:
    """What the mail says of the letter that went to that address; None where it is no such report."""
    message = BytesParser(policy=compat32).parsebytes(raw[:LONGEST])
    for part in message.walk():
        kind = part.get_content_type()
        if kind == "message/feedback-report":
            return Bounce(COMPLAINED, "")
        if kind == "message/delivery-status":
            return _status(part, recipient)
    return _guessed(message, recipient)


def _status(part: Message, recipient: str) -> Bounce | None:
    groups = [each for each in part.get_payload() if isinstance(each, Message)] if part.is_multipart() else []
    about = [group for group in groups if "action" in group]
    named = [group for group in about if recipient.encode() in _said(group).encode("utf-8", "replace").lower()]
    for group in named or about:
        action, status = _field(group, "action").lower(), _field(group, "status")
        words = " ".join(filter(None, (status, _field(group, "diagnostic-code"))))[:_MOST_WORDS]
        if action == "failed":
            return Bounce(SOFT if status.startswith("4") else HARD, words)
        if action == "delayed":
            return Bounce(DELAYED, words)
    return None  # delivered, relayed or expanded: no news


def _guessed(message: Message, recipient: str) -> Bounce | None:
    try:
        temporary, permanent = all_failures(message)
    except Exception as error:  # whatever its detectors stumble over: then nobody knows what the mail says
        log.warning("bounce_not_read", kind=type(error).__name__)
        return None
    ours = recipient.encode()
    if ours in permanent or (permanent and not temporary):
        return Bounce(HARD, header(str(message.get("subject", "")))[:_MOST_WORDS])
    return Bounce(DELAYED, header(str(message.get("subject", "")))[:_MOST_WORDS]) if temporary else None


def _field(group: Message, name: str) -> str:
    """A field of the report without its type ("smtp; 550 …")."""
    value = header(str(group.get(name, "")))
    return value.partition(";")[2].strip() if ";" in value else value


def _said(group: Message) -> str:
    return " ".join(_field(group, name) for name in ("final-recipient", "original-recipient"))
