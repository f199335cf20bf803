"""Players who are away: from when to when, and what it does to a game's times.

A game's `absence` says it: `wait` puts a deadline that falls into an absence off to after it. Else the game does not
wait for who is away: with `standing` standing orders and defaults are used, and where it is a level of the rules'
stand-ins, such a one answers what the sheet does not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem import clock
from pbem.games.schedule import WEEK, schedule_of
from pbem.storage.models import Absence, Game, Seat
from pbem.storage.sessions import columns

WAIT, STANDING = "wait", "standing"
POLICIES = (WAIT, STANDING)
MOST_DAYS = 92
FURTHEST = 366
"""In how many days an absence can begin at the latest: one of other years is a slip."""

_AWAY = (
    select(Seat.number, Absence.begins, Absence.ends)
    .join(Absence, col(Absence.account_id) == col(Seat.account_id))
    .where(col(Seat.game_id) == bindparam("game"), col(Absence.ends) > bindparam("now"))
    .order_by(col(Absence.begins))
)


@dataclass(frozen=True)
class Away:
    """An absence: from `begins` on, and no longer at `ends`."""

    begins: datetime
    ends: datetime

    def covers(self, moment: datetime) -> bool:
        """Whether it falls into the absence."""
        return self.begins <= moment < self.ends


Absences = Mapping[int, tuple[Away, ...]]
"""By seat what is not over yet, the earliest first."""


def absences(session: Session, game_id: int) -> Absences:
    """Of the players of a game's seats."""
    found: dict[int, tuple[Away, ...]] = {}
    for number, begins, ends in columns(session, _AWAY, {"game": game_id, "now": clock.now()}):
        found[number] = (*found.get(number, ()), Away(begins, ends))
    return found


def away_now(away: Absences) -> dict[int, datetime]:
    """The seats whose players are away, with until when."""
    now = clock.now()
    return {seat: each.ends for seat, some in away.items() for each in some if each.covers(now)}


def put_off(game: Game, deadline: datetime | None, waiting: Iterable[int], away: Absences) -> datetime | None:
    """The deadline, or, where it falls into an absence of somebody whom the game waits for, a later one.

    Who comes back then has half of a stage's time.
    """
    if deadline is None or game.absence != WAIT:
        return deadline
    for each in sorted((each for seat in waiting for each in away.get(seat, ())), key=lambda each: each.begins):
        if each.covers(deadline):
            deadline = schedule_of(game).first(each.ends + timedelta(seconds=game.stage_seconds // 2))
    return deadline


class NoAbsence(ValueError):
    """Dates that make no absence: a code of `templates/game/reasons.j2` with its parameters."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def absence_from(first: str, last: str, zone: ZoneInfo) -> Away:
    """The absence that a player's dates name, the last day included; from now on where `first` is empty.

    A date is YYYY-MM-DD, or MM-DD: then the first day is the nearest such one, and the last the next one after it; or
    `today`, `tomorrow`, or a day of the week such as `mon`, the next one. Raises NoAbsence.
    """
    now = clock.now()
    today = now.astimezone(zone).date()
    begins = (_named(first, today) or _nearest(first, today)) if first else today
    if begins - today > timedelta(days=FURTHEST):
        raise NoAbsence("absence_too_far", days=FURTHEST)
    ends = _named(last, max(begins, today)) or _next(last, begins)
    if ends < begins or ends < today:
        raise NoAbsence("absence_over")
    if ends - max(begins, today) > timedelta(days=MOST_DAYS):
        if _nearest(last, begins) < begins:
            raise NoAbsence("absence_over")  # `10 dec to 3 dec`: not the 3rd of the year after
        raise NoAbsence("absence_too_long", days=MOST_DAYS)
    return Away(
        max(now, _midnight(max(begins, today), zone)) if first else now, _midnight(ends + timedelta(days=1), zone)
    )


def _named(said: str, today: date) -> date | None:
    """The day of that name, today or the next; None for a date in figures."""
    if said in WEEK:
        return today + timedelta(days=(WEEK.index(said) - today.weekday()) % 7)
    return {"today": today, "tomorrow": today + timedelta(days=1)}.get(said)


def _nearest(said: str, today: date) -> date:
    days = _days(said, today.year)
    return min(days, key=lambda day: abs(day - today))


def _next(said: str, after: date) -> date:
    days = _days(said, after.year)
    return next((day for day in days if day >= after), days[-1])


def _days(said: str, year: int) -> list[date]:
    """The days that may be meant, in order."""
    whole = len(said.split("-")) == 3
    written = [said] if whole else [f"{each:04}-{said}" for each in (year - 1, year, year + 1)]
    found = []
    for each in written:
        try:
            found.append(date.fromisoformat(each))
        except ValueError:
            continue  # 29 February of another year
    if not found:
        raise NoAbsence("no_such_day", day=said)
    return found


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(clock.now().tzinfo)
