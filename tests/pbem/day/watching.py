"""What is seen of a day: by how much deadlines were missed, what was done, and what each process holds in memory."""

import statistics
import time
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

import msgspec
import psutil  # type: ignore[import-untyped]
from sqlmodel import Session, col, func, select

from pbem import clock
from pbem.context import Service
from pbem.storage.models import Game, Inbound, Letter, StageTime
from tests.bench.usage import processor

MEGABYTE = 1_000_000
EARLY = 1 / 48
"""Half an hour of a day: by then a process has done everything that it does."""


class Seen(msgspec.Struct, frozen=True):
    """How a day went, or a part of it so far. Lags are in seconds on the wall, from a deadline to play going on.

    By process, `megabytes` is what it holds, `early` what it held once `EARLY` of the time had passed, and `grown` how
    much it holds in its last quarter, as a share of what it held in its second.
    `overtaken` is how many deadlines that passed a sweep later, or more, were gone on from before one: that of which
    there were most.
    """

    stages: int
    deadlines: int
    lag_half: float
    lag_most: float
    """At the 99th percentile."""
    lag_longest: float
    overtaken: int
    mails: int
    unread: int
    letters: int
    unsent: int
    aside: int
    processor: float
    """Seconds of the processor that programs and database have used for it."""
    megabytes: Mapping[str, float]
    early: Mapping[str, float]
    grown: Mapping[str, float]


class Left(msgspec.Struct, frozen=True):
    """What is still owed of what came until some moment: mails to read, letters to send, deadlines to go on from."""

    mails: int
    letters: int
    deadlines: int

    def __bool__(self) -> bool:
        return bool(self.mails or self.letters or self.deadlines)


class Watch:
    """Looks at a service whose programs and database run as the processes of these numbers."""

    def __init__(self, service: Service, programs: Mapping[str, int], database: int) -> None:
        self._service, self._programs = service, programs
        self._roots = (*programs.values(), database)
        self._used = processor(*self._roots)
        self._held: dict[str, list[tuple[float, int]]] = defaultdict(list)
        self._kept: dict[str, list[tuple[float, int]]] = defaultdict(list)
        self._start = time.monotonic()
        with service.reading() as session:
            self._before = {model: session.exec(select(func.count()).select_from(model)).one() for model in _COUNTED}
            self._last = session.exec(select(func.max(StageTime.id))).one() or 0

    def look(self) -> None:
        """Note what each process holds now."""
        at = time.monotonic() - self._start
        with self._service.reading() as session:
            read = (session.exec(select(func.max(Inbound.id))).one() or 0) - _stored(session)  # all, without counting
        for name, root in self._programs.items():
            for process in _tree(root):
                try:
                    held = process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue  # it ended while we looked
                self._held[f"{name} {process.pid}"].append((at, held))
                self._kept[f"{name} {process.pid}"].append((read, held))

    def seen(self) -> Seen:
        """All that has been seen so far."""
        times = self._times()
        lags = [_wall(closed - deadline) for deadline, closed in times]
        with self._service.reading() as session:
            counts = {
                model: session.exec(select(func.count()).select_from(model)).one() - before
                for model, before in self._before.items()
            }
            unread = _stored(session)
            unsent = session.exec(
                select(func.count()).where(col(Letter.fate).in_(("queued", "claimed", "begun")))
            ).one()
            aside = session.exec(select(func.count()).where(col(Game.aside).is_(True))).one()
        return Seen(
            stages=counts[StageTime],
            deadlines=len(lags),
            lag_half=_percentile(lags, 50),
            lag_most=_percentile(lags, 99),
            lag_longest=max(lags, default=0.0),
            overtaken=overtaken(times, clock.span(self._service.settings.sweep_seconds)),
            mails=counts[Inbound],
            unread=unread,
            letters=counts[Letter],
            unsent=unsent,
            aside=aside,
            processor=round(processor(*self._roots) - self._used, 1),
            megabytes={name: round(held[-1][1] / MEGABYTE, 1) for name, held in self._held.items()},
            early={name: round(_early(held) / MEGABYTE, 1) for name, held in self._held.items()},
            grown={name: round(grown, 3) for name, held in self._held.items() if (grown := _grown(held))},
        )

    def left(self, until: datetime) -> Left:
        """What of all that came until then is owed; letters that are put off are not."""
        with self._service.reading() as session:
            return Left(_unread(session, until), _unsent(session, until), _open(session, until))

    def leaked(self) -> dict[str, float]:
        """By program how many megabytes all of its processes together have come to hold for each mail that was read."""
        found: dict[str, float] = defaultdict(float)
        for name, seen in self._kept.items():
            found[name.partition(" ")[0]] += leaked(seen) / MEGABYTE
        return {name: round(each, 4) for name, each in found.items()}

    def _times(self) -> list[tuple[datetime, datetime]]:
        """The deadlines that passed, each with when play went on, or with now where it is still to."""
        ended = select(StageTime.deadline, StageTime.closed).where(
            col(StageTime.id) > self._last, col(StageTime.closed_by) == "deadline"
        )
        now = clock.now()
        open_ = select(Game.deadline).where(col(Game.status) == "playing", col(Game.deadline) <= now)
        with self._service.reading() as session:
            times = [(deadline, closed) for deadline, closed in session.exec(ended) if deadline is not None]
            times += [(deadline, now) for deadline in session.exec(open_) if deadline is not None]
        return times


_COUNTED = (StageTime, Inbound, Letter)


def overtaken(times: Sequence[tuple[datetime, datetime]], sweep: timedelta) -> int:
    """Of these deadlines, each with when play went on: how many later ones went before the one of which most did."""
    most = 0
    before: list[datetime] = []  # in order
    for _, together in groupby(sorted(times, key=itemgetter(1)), itemgetter(1)):
        deadlines = [deadline for deadline, _ in together]
        most = max(most, *(len(before) - bisect_right(before, deadline + sweep) for deadline in deadlines))
        for deadline in deadlines:
            insort(before, deadline)
    return most


def leaked(seen: Sequence[tuple[float, int]]) -> float:
    """How much more a process holds for each mail, seen at these numbers of mails, in the last quarter of them than in
    the second, at its least: what it needs at work comes and goes. 0 for a process that was not there all the time."""
    early, late = _quarters(seen)
    return (min(late) - min(early)) / (seen[-1][0] / 2) if early and late else 0.0


def _stored(session: Session) -> int:
    return session.exec(select(func.count()).where(col(Inbound.status) == "stored")).one()


def _unread(session: Session, until: datetime) -> int:
    came = col(Inbound.status) == "stored", col(Inbound.received) <= until
    return session.exec(select(func.count()).where(*came)).one()


def _unsent(session: Session, until: datetime) -> int:
    on_their_way = col(Letter.fate).in_(("claimed", "begun"))
    due = (col(Letter.fate) == "queued") & (col(Letter.next_try) <= until)
    return session.exec(select(func.count()).where(on_their_way | due, col(Letter.queued) <= until)).one()


def _open(session: Session, until: datetime) -> int:
    passed = col(Game.status) == "playing", col(Game.deadline) <= until
    return session.exec(select(func.count()).where(*passed)).one()


def line(seen: Seen, since: datetime) -> str:
    """The figures of that moment on one line, `since` being when the day began."""
    hours = (clock.now() - since) / timedelta(hours=1)
    held: defaultdict[str, list[float]] = defaultdict(list)
    for name, megabytes in seen.megabytes.items():
        held[name.partition(" ")[0]].append(megabytes)
    memory = ", ".join(f"{name} {'+'.join(f'{each:.0f}' for each in all_)}" for name, all_ in held.items())
    return (
        f"{hours:.1f} h: {seen.stages} stages, {seen.deadlines} deadlines missed by {seen.lag_half:.1f} s (half),"
        f" {seen.lag_most:.1f} s (99 %), {seen.lag_longest:.1f} s (all); {seen.mails} mails, {seen.unread} unread;"
        f" {seen.letters} letters, {seen.unsent} unsent; {seen.aside} aside; {seen.processor:.0f} s of the"
        f" processor; MB: {memory}"
    )


def _wall(span: timedelta) -> float:
    return span.total_seconds() / clock.clock().rate


def _percentile(values: Sequence[float], percent: int) -> float:
    if len(values) < 2:
        return max(values, default=0.0)
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def _early(held: Sequence[tuple[float, int]]) -> int:
    """What a process that came later held when it was first seen."""
    return next(size for at, size in held if at >= held[-1][0] * EARLY)


def _grown(held: Sequence[tuple[float, int]]) -> float:
    """0 for a process that was not there all the time."""
    early, late = _quarters(held)
    return statistics.median(late) / statistics.median(early) if early and late else 0.0


def _quarters(seen: Sequence[tuple[float, int]]) -> tuple[list[int], list[int]]:
    """What was seen in the second quarter and in the last."""
    length = seen[-1][0]
    early = [size for at, size in seen if length / 4 <= at < length / 2]
    return early, [size for at, size in seen if at >= length * 3 / 4]


def _tree(root: int) -> list[psutil.Process]:
    try:
        leader = psutil.Process(root)
        return [leader, *leader.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
