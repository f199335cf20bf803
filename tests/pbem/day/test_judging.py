"""The judging of a small day finds what is wrong with it, whatever else the machine does."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from tests.pbem.day.judging import Result, large, small
from tests.pbem.day.watching import Left, Seen, leaked, overtaken

START = datetime(2026, 12, 1, tzinfo=UTC)
SWEEP = timedelta(minutes=5)
DAY = Seen(
    stages=40,
    deadlines=40,
    lag_half=1.0,
    lag_most=2.0,
    lag_longest=2.5,
    overtaken=2,
    mails=160,
    unread=3,
    letters=300,
    unsent=4,
    aside=0,
    processor=15.0,
    megabytes={"worker 1": 168.0},
    early={"worker 1": 160.0},
    grown={"worker 1": 1.01},
)
GOOD = Result(DAY, {"worker": 0.04, "mail": 0.005}, 160, 400, 0.1, Left(0, 0, 0), 2.0)


def with_seen(**values: object) -> Result:
    """The good day but for that."""
    return msgspec.structs.replace(GOOD, seen=msgspec.structs.replace(DAY, **values))


def with_result(**values: object) -> Result:
    """The good day but for that."""
    return msgspec.structs.replace(GOOD, **values)


def test_good_day_is_good_in_small_and_in_large() -> None:
    """Nothing is found."""
    assert small(GOOD) == large(GOOD) == []


@pytest.mark.parametrize(
    "bad",
    [
        with_result(left=Left(0, 0, 1)),
        with_result(left=Left(1, 0, 0)),
        with_result(left=Left(0, 1, 0)),
        with_result(leaked={"worker": 0.3, "mail": 0.005}),
        with_result(leaked={"worker": 0.04, "mail": 0.1}),
        with_result(leaked={}),
        with_result(taken=10),
        with_seen(overtaken=15),
        with_seen(deadlines=5, overtaken=0),
        with_seen(aside=1),
    ],
)
def test_bad_day_is_found_in_small(bad: Result) -> None:
    """Each is one thing."""
    assert len(small(bad)) == 1


def test_small_day_on_a_busy_machine_is_good() -> None:
    """All took longer, and processes had not done all when nobody wrote any more."""
    assert small(with_seen(lag_half=60.0, lag_most=200.0, lag_longest=250.0, unread=100, unsent=50, stages=2)) == []


def passed(*lags: int) -> list[tuple[datetime, datetime]]:
    """Deadlines three minutes apart, and when play went on so many minutes after each."""
    deadlines = [START + timedelta(minutes=3 * number) for number in range(len(lags))]
    return [(deadline, deadline + timedelta(minutes=lag)) for deadline, lag in zip(deadlines, lags, strict=True)]


def test_forgotten_deadline_is_overtaken_and_slow_ones_are_not() -> None:
    """Where all are late alike, or later and later, none is; one that was found again by chance is."""
    assert overtaken(passed(*[1] * 40), SWEEP) == 0
    assert overtaken(passed(*[500] * 40), SWEEP) == 0
    assert overtaken(passed(*range(40)), SWEEP) == 0
    assert overtaken(passed(*[1] * 10, 90, *[1] * 29), SWEEP) == 28
    assert overtaken([], SWEEP) == 0


def test_a_tenth_of_a_megabyte_for_each_mail_is_told_from_work_that_comes_and_goes() -> None:
    """Peaks are no leak, nor is what was there from the beginning."""
    base = 160_000_000
    work = [(mails, base + (15_000_000 if mails % 3 else 0)) for mails in range(160)]
    assert leaked(work) == 0
    assert leaked([(mails, held + 100_000 * mails) for mails, held in work]) == pytest.approx(100_000, rel=0.05)
    assert leaked(work[120:]) == 0
