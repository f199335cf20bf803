"""A clock that goes a little at each look and else only when it is moved, and secrets that follow from a seed."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from unittest.mock import patch

from pbem import clock

TICK = timedelta(microseconds=100)
BEGIN = datetime(2026, 3, 2, 7, tzinfo=UTC)


@dataclass(frozen=True)
class Ticking(clock.Clock):
    """Each look is a little later than the one before, so that what happens in turn has moments in turn."""

    at: list[datetime] = field(default_factory=lambda: [BEGIN])

    def now(self) -> datetime:
        """The next moment."""
        self.at[0] += TICK
        return self.at[0]

    def move(self, to: datetime) -> None:
        """Put it ahead; never back."""
        self.at[0] = max(self.at[0], to)

    def put_back(self, by: timedelta) -> None:
        """Put it back."""
        self.at[0] -= by


@contextmanager
def fated(seed: str) -> Iterator[Ticking]:
    """While this lasts the time is the world's own, and what the service draws as secret follows from the seed."""
    random = Random(f"secrets/{seed}")
    made = Ticking()
    clock.use(made)
    try:
        with (
            patch.object(secrets, "token_bytes", lambda number=32: random.randbytes(number)),
            patch.object(secrets, "token_urlsafe", lambda number=32: random.randbytes(number).hex()),
            patch.object(secrets, "choice", random.choice),
        ):
            yield made
    finally:
        clock.use(None)
