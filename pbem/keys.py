"""The keys that tokens, links and sessions are signed with: a file of one key a line, the newest first.

What is signed now is signed with the first; every key that is listed still proves what was signed with it. To change
keys, put a new line on top; to make everything signed with an old one void, take its line out.
"""

import os
import secrets
from pathlib import Path

from pbem import private

LEAST = 16
"""Bytes of a key."""


class BadKeys(Exception):
    """The file can't be used as it is. `code` says why: `open` where others may read it, `form` with the line that is
    no key, `empty`."""

    def __init__(self, code: str, file: Path, line: int = 0) -> None:
        super().__init__(code, str(file), line)
        self.code = code
        self.file = file
        self.line = line


def ensure(path: Path) -> None:
    """Make the file with one new key where there is none. Two that do so at once agree on one file.

    Raises OSError with the name of the file, or of its folder.
    """
    if path.exists():
        return
    private.folder(path.parent)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with private.new_file(draft) as file:
            file.write(f"{secrets.token_hex(32)}\n".encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # the other one was first: its key counts
    finally:
        draft.unlink()


def load(path: Path) -> tuple[bytes, ...]:
    """The keys, newest first.

    Raises BadKeys, and OSError where the file can't be read.
    """
    if path.stat().st_mode & 0o077:
        raise BadKeys("open", path)
    lines = [line.split(b"#")[0].strip() for line in path.read_bytes().splitlines()]
    keys = tuple(_key(path, number, line) for number, line in enumerate(lines, 1) if line)
    if not keys:
        raise BadKeys("empty", path)
    return keys


def _key(path: Path, number: int, line: bytes) -> bytes:
    try:
        key = bytes.fromhex(line.decode("ascii"))
    except ValueError:
        raise BadKeys("form", path, number) from None  # what it says may hold a part of the key
    if len(key) < LEAST:
        raise BadKeys("form", path, number)
    return key
