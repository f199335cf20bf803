"""The one clock. Nothing else in the service reads the time.

It may be ahead of the real time and run at another rate (settings `clock_offset`, `clock_rate`, `clock_origin`), the
same in every process, so that months can be played in minutes. Measuring how long something took, or how long a
process has been running, is not the time: that is `time.monotonic`.
"""

from datetime import datetime, timedelta

from pbem.clocks import Clock
from pbem.settings import settings

__all__ = ["Clock", "clock", "now", "seconds_until", "shift", "span", "use"]
_clock: list[Clock] = []


def clock() -> Clock:
    """The clock of this process, made from the settings when first asked for."""
    if not _clock:
        ours = settings()
        _clock.append(Clock(timedelta(seconds=ours.clock_offset), ours.clock_rate, ours.clock_origin))
    return _clock[0]


def use(new: Clock | None) -> None:
    """Go by another clock from now on in this process; None for the one that the settings name."""
    _clock[:] = [new] if new else []


def now() -> datetime:
    """The time by the clock of this process, in UTC."""
    return clock().now()


def seconds_until(moment: datetime) -> float:
    """Real seconds until the clock of this process shows `moment`; 0 where it has passed."""
    return clock().seconds_until(moment)


def span(seconds: float) -> timedelta:
    """How far the clock of this process runs in that many real seconds: the length of a lease or a grace."""
    return timedelta(seconds=seconds * clock().rate)


def shift(ahead: timedelta) -> None:
    """Put the clock of this process ahead (tests, simulations)."""
    old = clock()
    use(Clock(old.offset + ahead, old.rate, old.origin))
