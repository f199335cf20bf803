"""Which part of a mail is its text, and that text with plain line ends."""

import binascii
import re
from email.message import Message

from pbem.mail.charsets import base64_bytes, decode, header
from pbem.mail.flowed import unflow
from pbem.mail.htmltext import lines_of

LONGEST_TEXT = 1_000_000

_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]+=*\s*")
_LINE_END = re.compile("\r\n|[\r\u2028\u2029\u0085\v\f]")
_PARAMETER = r';\s*{}\s*=\s*(?:"([^"]*)"|([^\s;]+))'
_ENCRYPTED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
_WORD = re.compile(r"\w+")


class _TooManyParts(Exception):
    """The mail has more parts than we take apart."""


def text_of(message: Message, most_parts: int) -> tuple[str, str]:
    """The mail's text and a problem's code; one of them is empty."""
    leaves: list[Message] = []
    try:
        text = _text(message, leaves, most_parts)
    except _TooManyParts:
        return "", "too-many-parts"
    if "-----BEGIN PGP MESSAGE-----" in text:
        return "", "encrypted"
    text = _without_armour(text)
    if text.strip():
        return text[:LONGEST_TEXT], ""
    kinds = {_kind(leaf) for leaf in leaves}
    if kinds & _ENCRYPTED:
        return "", "encrypted"
    return "", "tnef" if kinds & _TNEF else "no-text"


def _text(part: Message, leaves: list[Message], most: int) -> str:
    """The text of a part; all leaves that are met are put on the list, and counted."""
    payload = part.get_payload()
    kind = _kind(part)
    if not isinstance(payload, list) or kind.startswith("message/"):
        leaves.append(part)
        if len(leaves) > most:
            raise _TooManyParts
        return _leaf_text(part, kind)
    if kind == "multipart/encrypted":
        leaves.append(part)
        return ""
    children = [child for child in payload if isinstance(child, Message)]
    if kind != "multipart/alternative":
        texts = [_text(child, leaves, most) for child in children]
        if kind in {"multipart/signed", "multipart/related"}:
            return texts[0] if texts else ""
        return "\n".join(text for text in texts if text)
    plain = rich = ""
    for child in children:
        text = _text(child, leaves, most)
        if _kind(child) == "text/plain":
            plain = plain or text
        else:
            rich = text or rich
    return rich if _is_stub(plain, rich) else plain


def _is_stub(plain: str, rich: str) -> bool:
    """Whether the plain text is only a hint that the HTML is the real thing."""
    words = {word.lower() for word in _WORD.findall(plain)}
    real = {word.lower() for word in _WORD.findall(rich)}
    if not words or not real:
        return not words
    return len(words) < 40 and 4 * len(words & real) < len(words) and len(real) > 3


def _kind(part: Message) -> str:
    value = _raw(part, "content-type").partition(";")[0].strip().lower()
    return value if value.count("/") == 1 else part.get_default_type()


def _leaf_text(part: Message, kind: str) -> str:
    if kind not in {"text/plain", "text/html"} and not kind.startswith("multipart/"):
        return ""  # a multipart among the leaves is one whose boundary is missing: its lines are still there to be read
    disposition = _raw(part, "content-disposition").lstrip().lower()
    if disposition.startswith("attachment") or (kind == "text/html" and "filename" in disposition):
        return ""
    content_type = _raw(part, "content-type")
    text = decode(_body(part), _parameter(content_type, "charset"))
    if kind == "text/html":
        return lines_of(text)
    text = _LINE_END.sub("\n", text)
    if _parameter(content_type, "format").lower() == "flowed":
        return unflow(text, delete_space=_parameter(content_type, "delsp").lower() == "yes")
    return text


def _body(part: Message) -> bytes:
    encoding = _raw(part, "content-transfer-encoding").strip().lower()
    # Without this header the standard library hands out the bytes as they came; its own decoding gives up too early.
    del part["content-transfer-encoding"]
    raw = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return b""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(raw)
    if encoding != "base64":
        return raw
    coded: list[bytes] = []
    for line in raw.splitlines():
        if _BASE64_LINE.fullmatch(line):
            coded.append(line)
        elif coded:
            break  # a list's footer, put in plain text behind what is coded
    return base64_bytes(b"".join(coded))


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
