"""Answer the newest letter of a mailbox folder: `python -m pbem.demo.reply MAILBOX ADDRESS PORT < orders.txt`.

For a person who has no mail program at hand that reads a folder.
"""

import mailbox
import sys
from email.message import EmailMessage
from pathlib import Path

from pbem.demo.replying import parsed, post, reply


def newest(folder: Path) -> EmailMessage | None:
    """The letter that came last, or None, also where there is no mailbox yet: the first letter makes it."""
    if not folder.is_dir():
        return None
    box = mailbox.Maildir(folder, create=False)
    last = max(box.iteritems(), key=lambda each: each[1].get_date(), default=None)
    return None if last is None else parsed(last[1].as_bytes())


def main(folder: Path, me: str, port: int) -> int:
    """Send what stands on the standard input."""
    letter = newest(folder)
    if letter is None:
        print("There is no letter to answer yet.", file=sys.stderr)
        return 1
    post(reply(letter, me, sys.stdin.read()), port)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
