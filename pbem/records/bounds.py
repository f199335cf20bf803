"""What a line of a record may be at most, looked at before anything is made of it."""

import re
from collections.abc import Iterable
from itertools import accumulate

import msgspec

MOST_DEPTH = 64
"""Values that lie in one another in a line."""
MOST_DIGITS = 18
"""Of a number: what has no more fits the 64 bits of each form in which it is kept."""
MOST_NUMBER = 2**31 - 1
"""Of what counts or names something of the record itself: as the database keeps it."""
MOST_SALT = 64
"""Bytes."""

_STAGE = re.compile(r"(?:\d{1,9}-.{1,80})?", re.ASCII | re.DOTALL)
"""As `engine.contract.Stage.key` is; empty before there is one."""
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""To the line's end where it has none of its own: so each byte is looked at once."""
_LONG = re.compile(rb"(?<![\d.])\d{%d}" % (MOST_DIGITS + 1))
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes({*range(256)} - {*_STEPS})


class Unfit(ValueError):
    """A line beyond bounds; `code` as `pbem.records.problems` has it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def check_bytes(raw: bytes) -> None:
    """Look at a line before it is parsed: it need not be JSON. Raises Unfit `deep`, `digits`, `nul`."""
    bare = _STRING.sub(b'""', raw)
    brackets = bare.translate(None, delete=_NO_BRACKETS)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > MOST_DEPTH:
        raise Unfit("deep")
    if _LONG.search(bare):
        raise Unfit("digits")
    if b"\\u0000" in raw and _NUL.search(raw):
        raise Unfit("nul")


def check_numbers(*structs: msgspec.Struct) -> None:
    """Raises Unfit `number` for one among their own fields that the database can't keep."""
    for each in structs:
        if any(isinstance(value, int) and abs(value) > MOST_NUMBER for value in msgspec.structs.astuple(each)):
            raise Unfit("number")


def check_stage(key: str) -> None:
    """Raises Unfit `stage` for what is the key of none."""
    if not _STAGE.fullmatch(key):
        raise Unfit("stage")


def check_salts(salts: Iterable[str]) -> None:
    """Raises Unfit `salt` for one, in hexadecimal, that is longer than a seal can be made with."""
    if any(len(salt) > 2 * MOST_SALT for salt in salts):
        raise Unfit("salt")
