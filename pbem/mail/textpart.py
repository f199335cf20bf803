"""Which parts of a mail are its text, in the plain form and as HTML, with plain line ends."""

import binascii
import re
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import NamedTuple

from pbem.mail.charsets import base64_bytes, decode, header
from pbem.mail.flowed import unflow
from pbem.mail.htmltext import shown
from pbem.mail.signed import content

LONGEST = 1_000_000
"""Characters of text and HTML in several parts; of a mail with more, nothing is read."""
_TAG_WEIGHT = 25
"""A tag takes as long as so many characters."""
_BASE64_LINES = re.compile(rb"\s*+(?:[ \t]*+[A-Za-z0-9+/]++=*+[ \t]*+(?:\r\n|\r|\n|\Z))++")
_BASE64_BELOW = re.compile(rb"^[A-Za-z0-9+/]{40}", re.MULTILINE)
"""Where base64 begins below a line that a gateway has put above it."""
_PADDED_END = re.compile(rb"=[ \t]+(?=\r?\n)")
_CONTROLS = dict.fromkeys(code for code in (*range(0x20), 0x7F) if chr(code) not in "\t\n")
_LINE_END = re.compile("\r\n|[\r\u2028\u2029\u0085\v\f]")
_PARAMETER = r';\s*{}\s*=\s*(?:"([^"]*)"|([^\s;]+))'
_SMIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_ENCRYPTED = frozenset({"multipart/encrypted", *_SMIME})
_MOST_OPENED = 3
"""Signatures around a mail, one within the other."""
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})


class _TooManyParts(Exception):
    """The mail has more parts than we take apart."""


class _TooLong(Exception):
    """The parts together have more text than we look at."""


class _Reading:
    """What has been met of a mail: its leaves, and how many characters were in them."""

    def __init__(self, most_parts: int) -> None:
        self.leaves: list[Message] = []
        self._length = 0
        self._opened = 0
        self._most = most_parts

    def meets(self, leaf: Message) -> None:
        """Count a leaf. Raises _TooManyParts."""
        self.leaves.append(leaf)
        if len(self.leaves) > self._most:
            raise _TooManyParts

    def opens(self) -> bool:
        """Whether one more mail within a signature may be read."""
        self._opened += 1
        return self._opened <= _MOST_OPENED

    def adds(self, length: int) -> None:
        """Count what is about to be read, behind what was. Raises _TooLong."""
        if self._length and self._length + length > LONGEST:
            raise _TooLong
        self._length += length


class Texts(NamedTuple):
    """A mail's text in its two forms, the same where it has one. `cut` says that not all of the HTML was read."""

    plain: str
    rich: str
    cut: bool = False


_NONE = Texts("", "")


def texts_of(message: Message, most_parts: int) -> tuple[Texts, str]:
    """The mail's text and, where there is none, a problem's code."""
    reading = _Reading(most_parts)
    try:
        found = _texts(message, reading)
    except _TooManyParts:
        return _NONE, "too-many-parts"
    except _TooLong:
        return _NONE, "too-long"
    if "-----BEGIN PGP MESSAGE-----" in found.plain:
        return _NONE, "encrypted"
    if found.plain.strip():
        return Texts(_without_armour(found.plain), _without_armour(found.rich), found.cut), ""
    kinds = {_kind(leaf) for leaf in reading.leaves}
    if kinds & _ENCRYPTED:
        return _NONE, "encrypted"
    return _NONE, "tnef" if kinds & _TNEF else "no-text"


def _texts(part: Message, reading: _Reading) -> Texts:
    """The text of a part."""
    kind = _kind(part)
    # Only of a part that has parts may the payload be asked for: that of a leaf would be decoded by whatever charset
    # the mail names, and the standard library fails on some.
    if not part.is_multipart() or kind.startswith("message/"):
        reading.meets(part)
        return _leaf_text(part, kind, reading)
    if kind == "multipart/encrypted":
        reading.meets(part)
        return _NONE
    children = [child for child in part.get_payload() if isinstance(child, Message)]
    if kind != "multipart/alternative":
        found = [_texts(child, reading) for child in children]
        if kind in {"multipart/signed", "multipart/related"}:
            return found[0] if found else _NONE
        return _joined([each for each in found if each.plain])
    plain = rich = _NONE
    for child in children:
        text = _texts(child, reading)
        if _kind(child) == "text/plain":
            plain = plain if plain.plain else text
        elif text.rich.strip():
            rich = text
    said, seen = plain.plain if plain.plain.strip() else rich.plain, rich.rich if rich.rich.strip() else plain.rich
    return Texts(said, seen, rich.cut)


def _joined(found: list[Texts]) -> Texts:
    """Texts that stand one below the other."""
    return Texts(
        "\n".join(each.plain for each in found),
        "\n".join(each.rich for each in found),
        any(each.cut for each in found),
    )


def _kind(part: Message) -> str:
    value = _raw(part, "content-type").partition(";")[0].partition("(")[0].strip().lower()
    return value if value.count("/") == 1 else part.get_default_type()


def _leaf_text(part: Message, kind: str, reading: _Reading) -> Texts:
    if kind in _SMIME and reading.opens():
        inside = content(_body(part))
        return _texts(BytesParser(policy=compat32).parsebytes(inside), reading) if inside else _NONE
    if kind not in {"text/plain", "text/html"} and not kind.startswith("multipart/"):
        return _NONE  # a multipart among the leaves has lost its boundary: its lines are still there to be read
    disposition = _raw(part, "content-disposition").lstrip().lower()
    if disposition.startswith("attachment") or (kind == "text/html" and "filename" in disposition):
        return _NONE
    content_type = _raw(part, "content-type")
    text = decode(_body(part), _parameter(content_type, "charset"))
    reading.adds(len(text) + _TAG_WEIGHT * text.count("<"))
    if kind == "text/html":
        seen, cut = shown(text)
        return Texts(seen, seen, cut)
    text = _LINE_END.sub("\n", text).translate(_CONTROLS)
    if _parameter(content_type, "format").lower() == "flowed":
        text = unflow(text, delete_space=_parameter(content_type, "delsp").lower() == "yes")
    return Texts(text, text)


def _body(part: Message) -> bytes:
    encoding = _raw(part, "content-transfer-encoding").strip().lower()
    # Without this header the standard library hands out the bytes as they came; its own decoding gives up too early.
    del part["content-transfer-encoding"]
    raw = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return b""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(_PADDED_END.sub(b"=", raw))
    if encoding != "base64":
        return raw
    coded = _BASE64_LINES.match(raw)  # behind it may stand a list's footer, in plain text
    if coded is None and (below := _BASE64_BELOW.search(raw)):
        coded = _BASE64_LINES.match(raw, below.start())
    return base64_bytes(coded[0]) if coded else raw


def _raw(part: Message, name: str) -> str:
    """A header as it was written, on one line, or empty."""
    for key, value in part.raw_items():
        if key.lower() == name:
            return header(str(value))
    return ""


def _parameter(value: str, name: str) -> str:
    match = re.search(_PARAMETER.format(name), value, re.IGNORECASE)
    return (match[1] or match[2] or "") if match else ""


def _without_armour(text: str) -> str:
    """A clear-signed text without its signature."""
    begin, mark, rest = text.partition("-----BEGIN PGP SIGNED MESSAGE-----\n")
    if not mark:
        return text
    signed, _, after = rest.partition("\n-----BEGIN PGP SIGNATURE-----")
    _hashes, blank, body = signed.partition("\n\n")
    _, _, behind = after.partition("-----END PGP SIGNATURE-----")
    lines = [line.removeprefix("- ") for line in (body if blank else signed).split("\n")]
    return begin + "\n".join(lines) + behind
