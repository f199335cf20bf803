"""How a person wants letters to come: each at once, one a day, or when asked for; quiet hours; reminders; invitations.

A letter that is held back is a row in the outbox like any other, due when its time comes: nothing is kept in memory,
nothing is lost by a restart, and each goes out once.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from engine.numerals import whole_number
from pbem.errors import Refused
from pbem.storage.models import Account

EACH, DAILY, ASKED = "each", "daily", "asked"
WHEN = (EACH, DAILY, ASKED)
DAY = 24 * 60
"""Minutes."""
LONGEST_LEAD = 168
"""Hours by which a reminder comes before its deadline, at most."""

FOR_THE_DAY, FOR_THE_ASKING, FOR_THE_MORNING = "daily-mail", "when-asked", "quiet-hours"
"""Problems of a queued letter that waits for its player's time."""
HABITS = (FOR_THE_DAY, FOR_THE_ASKING, FOR_THE_MORNING)

ACKNOWLEDGEMENT = "acknowledgement"
OBSERVED = "observed"
"""The kind of letter that tells an observer of a turn."""
GATHERED = frozenset(
    {ACKNOWLEDGEMENT, OBSERVED, "report", "press", "ruling", "absence", "resigned", "undone", "joined", "fault"}
)
"""Kinds of letters to a seat, or an observer, that one a day is made of. All others were asked for just now, or are
about security."""
CAN_WAIT = (GATHERED - {ACKNOWLEDGEMENT}) | {
    "invitation",
    "offer",
    "reminder",
    "calendar",
    "course",
    "observer-invited",
}
"""Kinds that quiet hours hold back; an acknowledgement answers somebody who is awake."""
TIME_TO_ANSWER = timedelta(hours=12)
"""What the daily letter leaves before a deadline that its player has to meet; with less, letters go at once."""
TIME_TO_WAKE = timedelta(hours=2)
"""The same for the end of quiet hours."""
WHENEVER = datetime(9000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Delay:
    """Until when a letter waits, and why. It goes at once where its player has to meet a deadline before `patience`."""

    until: datetime
    patience: datetime | None
    why: str


@dataclass(frozen=True)
class Habits:
    """One person's choices. Times are minutes after midnight in their zone; quiet hours that end as they begin are
    none, and those that end earlier end the next day."""

    zone: ZoneInfo
    mails: str = EACH
    mails_at: int = 8 * 60
    quiet_from: int = 0
    quiet_to: int = 0

    @classmethod
    def of(cls, account: Account) -> "Habits":
        """Those of an account."""
        return _habits(account.zone, account.mails, account.mails_at, account.quiet_from, account.quiet_to)

    def delay(self, kind: str, seat: int | None, now: datetime) -> Delay | None:
        """How long a letter of that kind waits; None where it goes at once."""
        if self.mails == EACH and self.quiet_from == self.quiet_to:
            return None
        gathered = kind in GATHERED and (seat is not None or kind == OBSERVED)
        if self.mails == ASKED and gathered and kind != ACKNOWLEDGEMENT:
            return Delay(WHENEVER, None, FOR_THE_ASKING)
        if self.mails == DAILY and gathered:
            at = self.next_mail(now)
            return Delay(at, at + TIME_TO_ANSWER, FOR_THE_DAY)
        ends = self.quiet_until(now) if kind in CAN_WAIT else None
        return Delay(ends, ends + TIME_TO_WAKE, FOR_THE_MORNING) if ends is not None else None

    def next_mail(self, now: datetime) -> datetime:
        """When the next daily letter goes."""
        return next(at for at in self._around(now, self.mails_at) if at > now)

    def quiet_until(self, now: datetime) -> datetime | None:
        """When the quiet hours that run now end; None where none do."""
        begun = self.quiet_at(now)
        return begun[1] if begun is not None else None

    def quiet_at(self, moment: datetime) -> tuple[datetime, datetime] | None:
        """Begin and end of the quiet hours that hold a moment. A night in which clocks change is longer or shorter."""
        if self.quiet_from == self.quiet_to:
            return None
        overnight = timedelta(days=self.quiet_to < self.quiet_from)
        for shift in (-1, 0, 1):
            begins = self._local(moment, timedelta(days=shift), self.quiet_from)
            ends = self._local(moment, timedelta(days=shift) + overnight, self.quiet_to)
            if begins <= moment < ends:
                return begins, ends
        return None

    def reminder_at(self, deadline: datetime, hours: int) -> datetime:
        """When a reminder is due: that long before the deadline, or else as soon as quiet hours end; and where that
        leaves too little time, before they begin."""
        at = deadline - timedelta(hours=hours)
        quiet = self.quiet_at(at)
        if quiet is None:
            return at
        return quiet[1] if quiet[1] + TIME_TO_WAKE <= deadline else quiet[0] - timedelta(minutes=1)

    def _around(self, moment: datetime, minutes: int) -> list[datetime]:
        """That time of day, yesterday, today, tomorrow and the day after."""
        return [self._local(moment, timedelta(days=shift), minutes) for shift in (-1, 0, 1, 2)]

    def _local(self, moment: datetime, shift: timedelta, minutes: int) -> datetime:
        day = moment.astimezone(self.zone).date() + shift
        return datetime.combine(day, time(minutes // 60, minutes % 60), self.zone).astimezone(UTC)


@lru_cache(maxsize=1024)
def _habits(zone: str, mails: str, mails_at: int, quiet_from: int, quiet_to: int) -> Habits:
    return Habits(ZoneInfo(zone), mails, mails_at, quiet_from, quiet_to)


@dataclass(frozen=True)
class Choice:
    """What a person changes; None leaves a thing as it is. `quiet` is begin and end; `remind` hours, 0 for never."""

    mails: str | None = None
    mails_at: int | None = None
    quiet: tuple[int, int] | None = None
    remind: int | None = None
    calendar: bool | None = None

    def check(self) -> None:
        """Raises Refused `bad_mails`, `bad_clock`, `bad_lead`."""
        if self.mails is not None and self.mails not in WHEN:
            raise Refused("bad_mails", given=self.mails, known=", ".join(WHEN))
        times = [each for each in (self.mails_at, *(self.quiet or ())) if each is not None]
        if not all(0 <= each < DAY for each in times):
            raise Refused("bad_clock", given=", ".join(map(str, times)))
        if self.remind is not None and not 0 <= self.remind <= LONGEST_LEAD:
            raise Refused("bad_lead", most=LONGEST_LEAD)

    def apply(self, account: Account) -> None:
        """Change the account's row."""
        account.mails = account.mails if self.mails is None else self.mails
        account.mails_at = account.mails_at if self.mails_at is None else self.mails_at
        account.quiet_from, account.quiet_to = self.quiet or (account.quiet_from, account.quiet_to)
        account.remind_hours = account.remind_hours if self.remind is None else self.remind
        account.calendar = account.calendar if self.calendar is None else self.calendar


def time_of(text: str) -> int:
    """Minutes after midnight of `8:00` or `22:30`. Raises Refused `bad_clock`."""
    given, _, after = text.strip().partition(":")
    hour, minute = whole_number(given, 2), whole_number(after, 2)
    if hour is None or hour > 23 or minute is None or minute > 59 or len(after) != 2:
        raise Refused("bad_clock", given=text[:20])
    return hour * 60 + minute


def written(minutes: int) -> str:
    """`08:00`."""
    return f"{minutes // 60:02}:{minutes % 60:02}"
