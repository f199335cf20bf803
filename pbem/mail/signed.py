"""What is within a mail that is signed in S/MIME's opaque form (RFC 8551 3.5.2): a mail inside the signature.

Only the way to it is read, in BER of known and of unknown lengths; the signature is not checked, as it never is.
"""

from collections.abc import Iterator

_SIGNED = bytes.fromhex("06092a864886f70d010702")
_DATA = bytes.fromhex("06092a864886f70d010701")
_SEQUENCE, _CONTEXT, _OCTETS, _CHUNKS = 0x30, 0xA0, 0x04, 0x24
_END = b"\0\0"
_DEEPEST = 10
_MOST_CONTAINERS, _MOST_MARKS, _MOST_LINES = 20, 1000, 250_000


def content(raw: bytes) -> bytes:
    """The mail inside, with its headers; empty where there is none, or more than is taken apart."""
    try:
        inside = _content(raw)
    except (IndexError, ValueError):
        return b""
    lowered = inside.lower()
    small = (
        lowered.count(b"multipart/") + lowered.count(b"message/") <= _MOST_CONTAINERS
        and inside.count(b"\n--") <= _MOST_MARKS
        and inside.count(b"\n") + inside.count(b"\r") <= 2 * _MOST_LINES
    )
    return inside if small else b""


def _content(raw: bytes) -> bytes:
    at = _within(raw, 0, _SEQUENCE)
    if not raw.startswith(_SIGNED, at):
        return b""  # encrypted, or certificates
    at = _within(raw, _within(raw, at + len(_SIGNED), _CONTEXT), _SEQUENCE)
    at = _after(raw, _after(raw, at))  # behind version and algorithms
    at = _within(raw, at, _SEQUENCE)
    if not raw.startswith(_DATA, at):
        return b""
    return b"".join(_octets(raw, _within(raw, at + len(_DATA), _CONTEXT)))


def _octets(raw: bytes, at: int) -> Iterator[bytes]:
    """The bytes of a string, in one piece or in several."""
    tag, start, end = _head(raw, at)
    if tag == _OCTETS and end is not None:
        yield raw[start:end]
        return
    if tag != _CHUNKS:
        raise ValueError
    while raw[start : start + 2] != _END and (end is None or start < end):
        tag, first, last = _head(raw, start)
        if tag != _OCTETS or last is None:
            raise ValueError
        yield raw[first:last]
        start = last


def _within(raw: bytes, at: int, tag: int) -> int:
    """Where the first thing inside begins. Raises ValueError where something else stands there."""
    found, start, _ = _head(raw, at)
    if found != tag:
        raise ValueError
    return start


def _after(raw: bytes, at: int, depth: int = 0) -> int:
    """Where what stands there is over."""
    _, start, end = _head(raw, at)
    if end is not None:
        return end
    if depth == _DEEPEST:
        raise ValueError
    while raw[start : start + 2] != _END:
        start = _after(raw, start, depth + 1)
    return start + 2


def _head(raw: bytes, at: int) -> tuple[int, int, int | None]:
    """Tag, and where the content begins and ends; None for an end that only a mark tells. Raises IndexError."""
    tag, length, start = raw[at], raw[at + 1], at + 2
    if length == 0x80:
        return tag, start, None
    if length > 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(raw[start : start + count]), start + count
    if start + length > len(raw):
        raise ValueError
    return tag, start, start + length
