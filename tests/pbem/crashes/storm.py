"""The storm: a load of games, and what befalls the service under it, in an order that follows from the seed."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random

from sqlalchemy.exc import OperationalError
from sqlmodel import col, func, select

from pbem import clock
from pbem.accounts import account_of
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game, invite
from pbem.habits import HABITS
from pbem.settings import Settings
from pbem.storage.models import Game, Inbound, Letter, StageTime
from pbem.storage.types import Utc
from pbem.supervisor.parent import bound_to_us
from pbem.sweep import settle, sweep
from pbem.tokens import PLAY, make_token
from tests.pbem.crashes.checking import Struck
from tests.pbem.crashes.databases import Base
from tests.pbem.crashes.house import House
from tests.pbem.crashes.orders import Orders
from tests.pbem.playing import AT_ANY_HOUR
from tests.servers import wait_until

SEATS = ("red", "green", "blue")
CALLER = "blue"
"""The side that plays by the API."""
TICK = 0.05
FAULT = 2.5
"""Real seconds that a disk or a broker is full."""
PATIENCE = 300.0
"""Real seconds that anything is waited for that has to come: a machine may be slow."""
MOST_STEPS = 200
"""How often the clock is put ahead at the end, each time to when the next letter may be tried again."""
NEVER_HELD_UP = {"open_after": "0", "pause_after": "0", "ask_share": "100", "gather_days": "0"}
"""Games go on whatever is not answered: a letter may be refused for good, and its reader never hear of it. None is
called off, so that nobody's mail can come too late for anything but a stage."""


@dataclass(frozen=True)
class Storming:
    """How big the storm is. `games` are played at a time; `gap` is about how many real seconds pass between two kills;
    for up to `lull` more something is waited for to be done; every other fault comes about each `often` kills."""

    games: int
    kills: int
    stages: int
    gap: float
    lull: float
    often: int
    seed: str


class Storm:
    """One storm over a house."""

    def __init__(self, plan: Storming, house: House, base: Base, service: Service, folder: Path) -> None:
        self.plan, self.log = plan, list[Struck]()
        self.counted: Counter[str] = Counter()
        self.orders: Orders | None = None
        self._house, self._base, self._service, self._folder = house, base, service, folder
        self._random = Random(f"storm/{plan.seed}")
        self._begun: list[str] = []
        self._looked = self._ticked = 0.0

    def order_deaths(self) -> None:
        """From now on each program dies once at each of its points that it passes, until `blow` ends."""
        self.orders, self._ticked = Orders(self._house), time.monotonic()

    def blow(self) -> None:
        """Kills and faults as planned, and on until all points that have to be hit have been, and as many stages as
        wanted are resolved. Raises TimeoutError where a point is not passed any more."""
        for what in self._course():
            self._work(self._random.uniform(0.5, 1.5) * self.plan.gap)
            self._strike(what)
        if self.orders is not None:
            self._hit_the_rest(self.orders)
        while self._resolved() < self.plan.stages:
            self._tick()

    def end(self) -> None:
        """The town goes to sleep and the house is closed; what is still owed is done here, with the clock put ahead."""
        for word in ("calm", "quiet"):
            (self._folder / word).touch()
        self._until((self._folder / "still").exists, PATIENCE)
        self._house.close()
        for _ in range(MOST_STEPS):
            sweep(self._service)
            settle(self._service, 1_000_000)
            unsettled = self._unsettled()
            if not unsettled:
                return
            clock.shift(max(clock.span(1), min(unsettled) - clock.now() + clock.span(1)))
        raise TimeoutError("mails or letters are never done with")

    def _hit_the_rest(self, orders: Orders) -> None:
        wanted, end = len(orders.wanted), time.monotonic() + PATIENCE
        while orders.wanted:
            self._tick()
            if len(orders.wanted) < wanted:
                wanted, end = len(orders.wanted), time.monotonic() + PATIENCE
            if time.monotonic() > end:
                raise TimeoutError(f"never passed: {sorted(orders.wanted)}")
        orders.withdraw()

    def _course(self) -> Iterator[str]:
        faults = ["broker emptied", "broker forgot", "broker full", *self._base.faults]
        faults += ["disk full"] if self._base.disk_full is not None else []
        rest: list[str] = []
        for number in range(self.plan.kills):
            if number % self.plan.often == self.plan.often // 2:
                rest += self._random.sample(faults, len(faults))
            yield "kill"
            if rest and self._random.random() < 2 * len(faults) / self.plan.often:
                yield rest.pop()
        yield from rest

    def _strike(self, what: str) -> None:
        begun = time.monotonic()
        if what == "kill":
            name = self._house.kill(self._random)
            self._note(name, begun)
            self.counted[f"killed {name}"] += 1
            self.counted["kills"] += 1
            return
        self._faults()[what]()
        self._note(what, begun)
        self.counted[what] += 1

    def _faults(self) -> Mapping[str, Callable[[], object]]:
        return {
            "broker emptied": self._house.empty_broker,
            "broker forgot": self._house.forget,
            "broker full": self._fill_broker,
            "disk full": self._fill_disk,
            **self._base.faults,
        }

    def _fill_broker(self) -> None:
        self._house.fill_broker(full=True)
        self._work(FAULT)
        self._house.fill_broker(full=False)

    def _fill_disk(self) -> None:
        assert self._base.disk_full is not None
        self._base.disk_full()
        try:
            self._for(FAULT)
        finally:
            self._base.disk_free()

    def _note(self, what: str, begun: float) -> None:
        struck = Struck(what, begun, time.monotonic())
        self.log.append(struck)
        with (self._folder / "storm.log").open("a") as file:
            file.write(f"{struck.begun:.3f} {struck.ended:.3f} {what}\n")

    def _work(self, seconds: float) -> None:
        """So long at least, and until letters went out or mails came in: where nothing is done, nothing is proved."""
        before, end = self._books(), time.monotonic() + seconds
        while time.monotonic() < end or (self._books() == before and time.monotonic() < end + self.plan.lull):
            self._tick()

    def _for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._tick()

    def _until(self, true: Callable[[], bool], seconds: float) -> None:
        def look() -> bool:
            self._tick()
            return true()

        wait_until(look, seconds)

    def _books(self) -> Sequence[int]:
        books = [self._folder / name for name in ("letters", "mails")]
        return [book.stat().st_size if book.exists() else 0 for book in books]

    def _tick(self) -> None:
        """Start again what has ended, and see to it that enough games are being played."""
        begun, self._ticked = self._ticked, time.monotonic()
        for program in self.orders.look() if self.orders is not None else ():
            self._note(program, begun)
        self._house.revive()
        if time.monotonic() > self._looked + 1 and not (self._folder / "quiet").exists():
            self._looked = time.monotonic()
            try:
                self._keep_busy()
            except OperationalError:
                self.counted["looks at a database that was away"] += 1
        time.sleep(TICK)

    def _keep_busy(self) -> None:
        with self._service.reading() as session:
            over = session.exec(select(func.count()).where(col(Game.status) == "over")).one()
        while len(self._begun) - over < self.plan.games:
            number = len(self._begun)
            self._begin(f"storm{number}", "strict" if number % 2 else "brisk")
            self._begun.append(f"storm{number}")

    def _begin(self, code: str, pace: str) -> None:
        """Each step may be the second try."""
        guests = [Guest(f"{code}{side}@players.demo", side.title()) for side in SEATS]
        options = {"lives": 3, "turns": 20}
        plan = Plan("tinygame", guests, pace, 48, 0, options, code=code, policy=NEVER_HELD_UP, schedule=AT_ANY_HOUR)
        try:
            create_game(self._service, plan)
        except Refused as refused:
            if refused.code != "bad_code":
                raise
        self._give_token(f"{code}{CALLER}@players.demo", code)
        invite(self._service, code)

    def _give_token(self, address: str, code: str) -> None:
        with self._service.reading() as session:
            account = account_of(session, address)
        assert account is not None
        assert account.id is not None
        file = self._folder / "tokens" / address
        if not file.exists():
            name = f"board {time.monotonic()}"
            file.write_text(f"{make_token(self._service, account.id, name, PLAY)} {code}")

    def _resolved(self) -> int:
        try:
            with self._service.reading() as session:
                return session.exec(select(func.count()).select_from(StageTime)).one()
        except OperationalError:
            return 0

    def _unsettled(self) -> list[datetime]:
        """When letters that are on their way, and mails that are not read, may be tried again. One that was given back
        untried, its server being away, waits with no attempt counted."""
        on_their_way = col(Letter.fate).in_(("claimed", "begun"))
        again = (col(Letter.fate) == "queued") & col(Letter.problem).not_in(HABITS)
        queries = (
            select(Letter.lease).where(on_their_way),
            select(Letter.next_try).where(again),
            select(func.coalesce(Inbound.lease, Inbound.next_try, type_=Utc)).where(col(Inbound.status) == "stored"),
        )
        with self._service.reading() as session:
            return [moment for query in queries for moment in session.exec(query) if moment is not None]


@contextmanager
def town(folder: Path, settings: Settings, seed: str) -> Iterator[None]:
    """The mail server and the players, for the time of a block."""
    (folder / "tokens").mkdir()
    ports = map(str, (settings.smtp_port, settings.mail_port, settings.web_port))
    command = [sys.executable, "-m", "tests.pbem.crashes.town", str(folder), *ports, seed]
    with (folder / "town.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=bound_to_us())  # noqa: PLW1509
    try:
        yield
    finally:
        process.kill()
        process.wait()
