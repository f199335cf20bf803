"""How often the outbox is looked into: a busy one a few times a second, for many letters at once.

Each look costs a connection to the mail server and several commits, whether it is for one letter or for fifty.
"""

import time

GATHERING = 0.25
"""Real seconds between two looks. The first after a quiet time is at once."""

_last = [-GATHERING]


def gather() -> None:
    """Wait until it is time to look again."""
    time.sleep(max(0.0, _last[0] + GATHERING - time.monotonic()))
    _last[0] = time.monotonic()
