"""Signed reply addresses and Message-IDs: they say which letter a mail answers, and nobody can make one up."""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import msgspec

REPLY = "play"
BOUNCE = "bounce"
PEOPLES = frozenset({"postmaster", "abuse"})
"""Addresses that every mail domain must have, read by the operator."""

_VERSION = 1
_HEAD = 11
_MAC = 14
_TOKEN = re.compile(r"(?<![a-z0-9])[a-z2-7]{40}(?![a-z0-9])")
_CONTEXT = b"pbem mail identity 1"
_NUMBERS = b"pbem letter number 1"


class Purpose(IntEnum):
    """What a reply to a letter is taken for."""

    ORDERS = 1
    INVITATION = 2
    CONFIRMATION = 3
    NOTICE = 4
    RULING = 5
    """A command of the moderator's: the letter has no seat, and names account and game."""


class Mark(NamedTuple):
    """What a token says: the letter that it went out with, what an answer is for, and the seat's generation.

    `letter` is at most 2**63 - 1, `generation` at most 65,535 (0 for a letter that belongs to no seat).
    """

    letter: int
    purpose: Purpose
    generation: int


class Found(NamedTuple):
    """The mark of a mail, if it has one; `forged` where something had the shape of a token and none was ours."""

    mark: Mark | None
    forged: bool


class Identity(msgspec.Struct, frozen=True):
    """Makes and verifies tokens. The first key signs; all of them verify.

    `name` is what stands before the + in addresses. Where it is the name of an ordinary mailbox, bounces go there too.
    """

    domain: str
    keys: tuple[bytes, ...]
    name: str = REPLY

    def __post_init__(self) -> None:
        if not self.keys or not all(len(key) >= 16 for key in self.keys):
            raise ValueError("mail identity needs keys of at least 16 bytes")

    def number(self, key: str) -> int:
        """A number for the letter with that unique key, in 0..2**63-1. Another signing key makes another number of it.

        Every reader sees it in the token, and the key may hold what they are not to know, such as who writes.
        """
        said = _NUMBERS + key.encode()
        return int.from_bytes(hmac.new(self.keys[0], said, hashlib.sha256).digest()[:8], "big") >> 1

    def token(self, mark: Mark) -> str:
        """40 characters of lower-case base32."""
        return _token(self.keys[0], mark)

    def read(self, token: str) -> Mark | None:
        """What a token says, or None for one that no key of ours has made. Case does not matter."""
        try:
            raw = base64.b32decode(token.upper().encode("ascii"))
        except (binascii.Error, UnicodeEncodeError):
            return None
        if len(raw) != _HEAD + _MAC:
            return None
        head, mac = raw[:_HEAD], raw[_HEAD:]
        # No early exit: which of the keys has signed shall not show in the time taken.
        fits = [hmac.compare_digest(_mac(key, head), mac) for key in self.keys]
        if not any(fits) or head[0] >> 4 != _VERSION or head[0] & 15 not in Purpose.__members__.values():
            return None
        return Mark(int.from_bytes(head[1:9], "big"), Purpose(head[0] & 15), int.from_bytes(head[9:], "big"))

    def reply_address(self, mark: Mark) -> str:
        """Where an answer to the letter goes: `play+TOKEN@domain`."""
        return f"{self.name}+{self.token(mark)}@{self.domain}"

    def bounce_address(self, mark: Mark) -> str:
        """The envelope sender of the letter, so that a bounce names it: `bounce+TOKEN@domain`."""
        return f"{self.bounces}+{self.token(mark)}@{self.domain}"

    def returns_to(self, message_id: str) -> str:
        """The envelope sender for a letter of ours with that Message-ID; empty where it has no token."""
        token = _TOKEN.search(message_id)
        return f"{self.bounces}+{token[0]}@{self.domain}" if token else ""

    def message_id(self, mark: Mark) -> str:
        """The letter's Message-ID with its brackets; the same for all tries of sending it."""
        return f"<{REPLY}.{self.token(mark)}@{self.domain}>"

    def thread_id(self, thread: str) -> str:
        """The Message-ID that all letters of a thread refer to; it names no letter and proves nothing."""
        return f"<thread.{hashlib.sha256(thread.encode('utf-8', 'replace')).hexdigest()[:24]}@{self.domain}>"

    def find(self, addresses: Iterable[str], message_ids: Sequence[str]) -> Found:
        """The mark in the first address that has a good one, else in the first Message-ID answered."""
        shaped = False
        for text in [*addresses, *message_ids]:
            for token in _TOKEN.findall(text.lower()):
                shaped = True
                mark = self.read(token)
                if mark is not None:
                    return Found(mark, forged=False)
        return Found(None, forged=shaped)

    def is_ours(self, address: str) -> bool:
        """Whether the address is one that letters of this service come from or are answered to."""
        return self._is_of(address, {self.name, self.bounces})

    @property
    def address(self) -> str:
        """The service's own address, without a token."""
        return f"{self.name}@{self.domain}"

    @property
    def bounces(self) -> str:
        """What stands before the + in the envelope's sender."""
        return BOUNCE if self.name == REPLY else self.name

    def is_operators(self, address: str) -> bool:
        """Whether mail to the address is for whoever runs the service. A bare `postmaster` is one too."""
        return address.lower() in PEOPLES or self._is_of(address, PEOPLES)

    def takes(self, address: str) -> bool:
        """Whether mail to the address is taken."""
        return self.is_ours(address) or self.is_operators(address)

    def _is_of(self, address: str, names: Collection[str]) -> bool:
        local, at, domain = address.lower().rpartition("@")
        return bool(at) and domain == self.domain.lower() and local.partition("+")[0] in names


@lru_cache(maxsize=64)
def _token(key: bytes, mark: Mark) -> str:
    """Kept for a moment: a letter names itself in three of its headers."""
    head = bytes([_VERSION << 4 | mark.purpose]) + mark.letter.to_bytes(8, "big")
    head += mark.generation.to_bytes(2, "big")
    return base64.b32encode(head + _mac(key, head)).decode("ascii").lower()


def _mac(key: bytes, head: bytes) -> bytes:
    return hmac.new(key, _CONTEXT + head, hashlib.sha256).digest()[:_MAC]
