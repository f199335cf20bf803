"""Bytes to text, whatever a mail says about its charset; never raises."""

import binascii
import codecs
import re

_KNOWN = re.compile(
    r"(utf[-_]?(7|8|16|32)|us-ascii|ascii|(iso[-_]?)?8859|iso-8859|latin|windows|cp|koi8|mac|gb2312|gbk|gb18030|big5"
    r"|euc|shift[-_]?jis|sjis|iso-2022-(jp|kr)|ks_c_5601|tis-620|hz)[-\w]*"
)
_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t\r\n]+(=\?[^?\s]{1,60}\?[bBqQ]\?)")
_LONGEST_HEADER = 20_000


def decode(raw: bytes, charset: str) -> str:
    """The text that the bytes stand for. Bytes that are plainly UTF-8 are read so, whatever was declared."""
    # Neither half a surrogate nor NUL can be stored.
    return _decode(raw, charset).encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def _decode(raw: bytes, charset: str) -> str:
    declared = _codec(charset)
    if declared is None or declared in {"utf-8", "ascii"} or declared.startswith(("iso8859", "cp12", "latin")):
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    if declared in {None, "utf-8", "ascii", "iso8859-1"}:
        declared = "cp1252"
    return raw.decode(declared or "cp1252", errors="replace")


def header(value: str) -> str:
    """A header's text on one line: unfolded, 8-bit bytes and encoded words read, cut where it is absurdly long."""
    text = value[:_LONGEST_HEADER]
    text = decode(text.encode("utf-8", "surrogateescape"), "utf-8")
    text = _BETWEEN_WORDS.sub(r"\1\2", text)
    text = _ENCODED_WORD.sub(_word, text)
    return " ".join(text.split())


def _codec(charset: str) -> str | None:
    name = charset.strip().strip("'\"").lower()
    if not _KNOWN.fullmatch(name):
        return None  # among what Python would find are codecs that are no charsets, and slow ones
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


def _word(match: re.Match[str]) -> str:
    charset, how, body = match[1].partition("*")[0], match[2].lower(), match[3]
    raw = body.encode("utf-8", "replace")
    if how == "q":
        return decode(binascii.a2b_qp(raw, header=True), charset)
    return decode(base64_bytes(raw), charset)


def base64_bytes(raw: bytes) -> bytes:
    """What base64 stands for, as far as it can be read; what is no base64 in it is passed over."""
    clean = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))
