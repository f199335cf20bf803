"""When a game's stages may end: on what days, at what hours, in its own time zone; and when they may be played.

A stage has its span of time at least, and ends at the first moment from there on that the schedule allows. Where the
span is half a day or more, that is moved by up to a day to a moment at which all who are waited for are awake.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from engine.numerals import whole_number
from pbem.errors import Refused
from pbem.habits import DAY
from pbem.storage.models import Account, Game

WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NIGHT = (23 * 60, 7 * 60)
"""When somebody who named no quiet hours is taken to be asleep: minutes after midnight in their zone."""
LONG = timedelta(hours=12)
"""From what span on a deadline is moved to where its players are awake."""
REACH = timedelta(days=1)
STEP = timedelta(minutes=15)
MOST_HOLIDAYS, MOST_TIMES, MOST_MINUTES, MOST_HOURS = 200, 24, 2880, 336
FURTHEST = 400
"""Days in which a moment is looked for."""


class Schedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`days` are those on which a stage may end, 0 for Monday, `at` the minutes after midnight at which it may (empty:
    at any), `holidays` days as YYYY-MM-DD on which none does, `quiet` hours from and to in which none does; all in
    `zone`. With `grace` (minutes) orders still count for so long after the deadline. A stage is not played before
    `earliest` (hours) after it opened, and without `early` not before its deadline even where all are ready. `waking`
    says whether a deadline is moved to where all are awake.
    """

    zone: str = "UTC"
    days: tuple[int, ...] = tuple(range(7))
    at: tuple[int, ...] = ()
    holidays: tuple[str, ...] = ()
    quiet: tuple[int, int] = (0, 0)
    grace: int = 0
    earliest: int = 0
    early: bool = True
    waking: bool = True

    def is_free(self, moment: datetime) -> bool:
        """Whether a stage may end then."""
        local = moment.astimezone(ZoneInfo(self.zone))
        minute = local.hour * 60 + local.minute
        if not self._is_open(local.date()) or _covers(self.quiet, minute):
            return False
        return not self.at or any(_local(self.zone, local.date(), each) == moment for each in self.at)

    def first(self, moment: datetime) -> datetime:
        """The first moment from that one on at which a stage may end."""
        zone = ZoneInfo(self.zone)
        start = moment.astimezone(zone).date()
        for day in (start + timedelta(days=number) for number in range(-1, FURTHEST)):
            if self._is_open(day):
                found = self._on(day, moment)
                if found is not None:
                    return found
        return moment

    def _is_open(self, day: date) -> bool:
        return day.weekday() in self.days and day.isoformat() not in self.holidays

    def _on(self, day: date, moment: datetime) -> datetime | None:
        """The first moment of that day that is not before the given one."""
        if self.at:
            candidates = [_local(self.zone, day, minute) for minute in sorted(self.at)]
        else:
            begins, ends = _local(self.zone, day, 0), _local(self.zone, day + timedelta(days=1), 0)
            if not moment < ends:
                return None
            candidates = [max(moment, begins), *(_local(self.zone, day, minute) for minute in (0, self.quiet[1]))]
        return next((each for each in candidates if each >= moment and self._allows(day, each)), None)

    def _allows(self, day: date, moment: datetime) -> bool:
        local = moment.astimezone(ZoneInfo(self.zone))
        return local.date() == day and not _covers(self.quiet, local.hour * 60 + local.minute)


NAMES = Schedule.__struct_fields__


def schedule_of(game: Game) -> Schedule:
    """What the game goes by."""
    return _read(game.schedule)


def set_schedule(game: Game, schedule: Schedule) -> None:
    """Let the game go by it from its next deadline on."""
    game.schedule, game.grace_seconds = encode(schedule), schedule.grace * 60


def stage_end(game: Game, opened: datetime, people: Iterable[Account] = ()) -> datetime:
    """When a stage that opens then ends; `people` are those whom it waits for."""
    schedule, span = schedule_of(game), timedelta(seconds=game.stage_seconds)
    proposed = schedule.first(opened + span)
    if not schedule.waking or span < LONG:
        return proposed
    sleeps = {_sleep(person) for person in people}
    found = proposed
    while found <= proposed + REACH:
        if not any(_covers(hours, _minute(found, zone)) for zone, hours in sleeps):
            return found
        found = schedule.first(found + (timedelta(minutes=1) if schedule.at else STEP))
    return proposed


def not_before(game: Game) -> datetime | None:
    """Before when the stage that is open is not played, whoever is ready; None where that is no matter."""
    schedule = schedule_of(game)
    if not schedule.early and game.deadline is not None:
        return game.deadline
    if not schedule.earliest or game.opened is None:
        return None
    return game.opened + timedelta(hours=schedule.earliest)


def _sleep(person: Account) -> tuple[str, tuple[int, int]]:
    own = person.quiet_from, person.quiet_to
    return person.zone, own if own[0] != own[1] else NIGHT


def _minute(moment: datetime, zone: str) -> int:
    local = moment.astimezone(ZoneInfo(zone))
    return local.hour * 60 + local.minute


def _covers(hours: tuple[int, int], minute: int) -> bool:
    """Whether hours from and to, over midnight where they end before they begin, hold that minute of the day."""
    begins, ends = hours
    return begins <= minute < ends if begins <= ends else minute >= begins or minute < ends


def _local(zone: str, day: date, minute: int) -> datetime:
    """That minute of a day in a zone, in UTC. One that the clock skips is as late as the clock then shows; one that it
    shows twice is the first."""
    wall = datetime.combine(day, time(minute // 60, minute % 60), tzinfo=ZoneInfo(zone))
    return wall.astimezone(UTC)


def changed(schedule: Schedule, given: Mapping[str, str]) -> Schedule:
    """The schedule with other values, from their written form.

    Raises Refused `unknown_schedule`, `schedule_value`, `bad_zone`, `no_moment` where no stage could ever end.
    """
    values = msgspec.structs.asdict(schedule)
    for name, text in given.items():
        if name not in _READ:
            raise Refused("unknown_schedule", given=name, known=", ".join(NAMES))
        read, legal = _READ[name]
        try:
            values[name] = read(text.strip())
        except ValueError as error:
            raise Refused("schedule_value", name=name, given=text[:40], legal=legal) from error
    made = Schedule(**values)
    _check(made)
    return made


def _check(schedule: Schedule) -> None:
    try:
        ZoneInfo(schedule.zone)
    except (KeyError, ValueError, OSError) as error:
        raise Refused("bad_zone") from error
    if not schedule.days or (schedule.at and all(_covers(schedule.quiet, each) for each in schedule.at)):
        raise Refused("no_moment")


def encode(schedule: Schedule) -> str:
    """As the game's row keeps it: what is at its default is left out."""
    return msgspec.json.encode(schedule).decode()


def written(schedule: Schedule) -> dict[str, str]:
    """Each setting in its written form, as `changed` reads it."""
    at = ",".join(_clock(each) for each in schedule.at)
    quiet = "-".join(_clock(each) for each in schedule.quiet)
    return {
        "zone": schedule.zone,
        "days": ",".join(WEEK[day] for day in schedule.days),
        "at": at or "any",
        "holidays": ",".join(schedule.holidays) or "none",
        "quiet": quiet if schedule.quiet[0] != schedule.quiet[1] else "none",
        "grace": str(schedule.grace),
        "earliest": str(schedule.earliest),
        "early": "yes" if schedule.early else "no",
        "waking": "yes" if schedule.waking else "no",
    }


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def _days(text: str) -> tuple[int, ...]:
    """`mon,wed`, `mon-fri`, `all`."""
    if text.lower() == "all":
        return tuple(range(7))
    found: set[int] = set()
    for part in text.lower().split(","):
        first, _, last = (each.strip()[:3] for each in part.partition("-"))
        begins = WEEK.index(first)
        ends = WEEK.index(last) if last else begins
        found |= {(begins + step) % 7 for step in range((ends - begins) % 7 + 1)}
    return tuple(sorted(found))


def _times(text: str) -> tuple[int, ...]:
    if text.lower() in ("any", ""):
        return ()
    found = tuple(sorted({_time(part) for part in text.split(",")}))
    if len(found) > MOST_TIMES:
        raise ValueError("too many")
    return found


def _time(text: str) -> int:
    at = time.fromisoformat(text.strip().zfill(5))
    return at.hour * 60 + at.minute


def _holidays(text: str) -> tuple[str, ...]:
    if text.lower() in ("none", ""):
        return ()
    found = tuple(sorted({date.fromisoformat(part.strip()).isoformat() for part in text.split(",")}))
    if len(found) > MOST_HOLIDAYS:
        raise ValueError("too many")
    return found


def _quiet(text: str) -> tuple[int, int]:
    if text.lower() in ("none", ""):
        return 0, 0
    begins, ends = text.split("-")
    return _time(begins), _time(ends) % DAY


def _number(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = whole_number(text, 5)
        if number is None or number > most:
            raise ValueError(text)
        return number

    return read


def _word(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise ValueError(text)
    return text.lower() == "yes"


_READ: Mapping[str, tuple[Callable[[str], object], str]] = {
    "zone": (str, "Europe/Berlin"),
    "days": (_days, "mon-fri, mon,wed,sat, all"),
    "at": (_times, "18:00, 08:00,20:00, any"),
    "holidays": (_holidays, "2026-12-25,2026-12-26, none"),
    "quiet": (_quiet, "22:00-07:00, none"),
    "grace": (_number(MOST_MINUTES), f"0–{MOST_MINUTES}"),
    "earliest": (_number(MOST_HOURS), f"0–{MOST_HOURS}"),
    "early": (_word, "yes, no"),
    "waking": (_word, "yes, no"),
}


@lru_cache(maxsize=256)
def _read(stored: str) -> Schedule:
    return msgspec.json.decode(stored or "{}", type=Schedule)
