"""A stand-in player, a process of its own: `python -m pbem.demo.standin MAILBOX ADDRESS PORT SEED`.

It reads its mailbox folder, answers each letter that asks for something, and sends the answer to the service's
listener at that port, until it is stopped.
"""

import mailbox
import random
import sys
import time
from pathlib import Path

from pbem.demo.answering import orders
from pbem.demo.replying import parsed, plain, post, reply

PAUSE = 0.1
"""Seconds between two looks into the mailbox."""


def main(folder: Path, me: str, port: int, seed: int) -> None:
    """Play until stopped."""
    mailbox.Maildir(folder)
    chance = random.Random(seed)
    while True:
        for path in sorted((folder / "new").iterdir()):
            _answer(path.read_bytes(), me, port, chance)
            path.rename(folder / "cur" / f"{path.name}:2,S")
        time.sleep(PAUSE)


def _answer(raw: bytes, me: str, port: int, chance: random.Random) -> None:
    letter = parsed(raw)
    lines = orders(plain(letter), chance.randrange)
    if lines:
        post(reply(letter, me, "\n".join(lines)), port)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
