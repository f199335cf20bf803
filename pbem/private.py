"""Files and folders with hidden things: their owner's alone from the moment they are there, whoever makes them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def folder(path: Path) -> None:
    """Make the folder where there is none; one that is there is left as it is."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def touch(path: Path) -> None:
    """Make an empty file where there is none. One that is there is not opened, which could end a lock on it."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A new file to write, which is on the disk at the end; where that fails there is none. Raises FileExistsError."""
    with open(path, "xb", opener=opener) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink()
            raise


def opener(path: str, flags: int) -> int:
    """What `open` opens a file with that is to be its owner's alone where there is none yet."""
    return os.open(path, flags, 0o600)
