"""The keys that tokens, links and sessions are signed with: a file of one key a line, the newest first.

What is signed now is signed with the first; every key that is listed still proves what was signed with it. To change
keys, put a new line on top; to make everything signed with an old one void, take its line out.
"""

import os
import secrets
from pathlib import Path

from pbem import private


def ensure(path: Path) -> None:
    """Make the file with one new key where there is none. Two that do so at once agree on one file."""
    if path.exists():
        return
    private.folder(path.parent)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with private.new_file(draft) as file:
        file.write(f"{secrets.token_hex(32)}\n".encode())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # the other one was first: its key counts
    finally:
        draft.unlink()


def load(path: Path) -> tuple[bytes, ...]:
    """The keys, newest first.

    Raises FileNotFoundError, PermissionError where others may read the file, ValueError where a line is no key.
    """
    if path.stat().st_mode & 0o077:
        raise PermissionError(f"{path} must be readable by its owner only (chmod 600)")
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="ascii").splitlines()]
    keys = tuple(bytes.fromhex(line) for line in lines if line)
    if not keys or min(map(len, keys)) < 16:
        raise ValueError(f"{path} must hold keys of at least 16 bytes in hexadecimal, one a line")
    return keys
