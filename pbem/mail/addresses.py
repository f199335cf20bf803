"""Addresses out of headers, read in one pass: the standard library's reader overflows the stack on nested comments."""

import contextlib
import re
from typing import NamedTuple

from pbem.mail.charsets import decode, header

_LONGEST = 100_000
_ADDRESS = re.compile(r"[^\s@<>(),;:\"\\]{1,64}@[^\s@<>(),;:\"\\]{1,255}")


class Mailbox(NamedTuple):
    """A name, perhaps empty, and an address in lower case."""

    name: str
    address: str


def mailboxes(value: str) -> list[Mailbox]:
    """All mailboxes in a header's raw value, in its order. What is no address, to its last character, is passed over.

    Of `ann@x.org@y.org` no part is one: whoever checks its domain may look at another part than we do.
    """
    found = []
    for piece in _split(value[:_LONGEST]):
        name, opened, rest = piece.rpartition("<")
        address = (rest.partition(">")[0] if opened else piece.rpartition(":")[2]).strip()
        if _ADDRESS.fullmatch(address):
            address = decode(address.encode("utf-8", "surrogateescape"), "utf-8")
            found.append(Mailbox(header(name.strip().strip('"')), canonical(address)))
    return found


def canonical(address: str) -> str:
    """An address as it is kept and compared: trimmed, in lower case, its domain in ASCII as servers have it.

    One that can't be written so is left in its own letters.
    """
    local, at, domain = address.strip().lower().rpartition("@")
    if not domain.isascii():
        with contextlib.suppress(UnicodeError):
            domain = domain.encode("idna").decode("ascii")
    return f"{local}{at}{domain}"


def _split(value: str) -> list[str]:
    """The pieces between commas and semicolons that stand outside quotes and comments; comments are left out."""
    pieces: list[str] = []
    piece: list[str] = []
    quoted = escaped = False
    depth = 0
    for char in value:
        if escaped:
            escaped = False
            if depth == 0:
                piece.append(char)
        elif char == "\\" and (quoted or depth):
            escaped = True
        elif quoted:
            quoted = char != '"'
            piece.append(char if quoted else "")
        elif depth or char in "()":
            depth += (char == "(") - (char == ")")
            depth = max(depth, 0)
        elif char == '"':
            quoted = True
        elif char in ",;":
            pieces.append("".join(piece))
            piece = []
        else:
            piece.append(char)
    return [*pieces, "".join(piece)]
