"""How a clock runs: which one goes by is for `pbem.clock` to say."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True)
class Clock:
    """A clock that is `offset` ahead and, from `origin` on, runs `rate` seconds in a second."""

    offset: timedelta = timedelta(0)
    rate: float = 1
    origin: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """The time, in UTC. Raises OverflowError where no calendar has it."""
        real = datetime.now(UTC)  # noqa: TID251 - the one place that reads it
        if self.rate != 1:
            real = self.origin + (real - self.origin) * self.rate
        return real + self.offset

    def seconds_until(self, moment: datetime) -> float:
        """Real seconds until the clock shows `moment`; 0 where it has passed."""
        return max(0.0, (moment - self.now()).total_seconds() / self.rate)
