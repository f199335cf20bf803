"""A world: one service on one database, its post, its clock, and what went wrong in it."""

from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import structlog
from sqlmodel import col, func, select

from pbem import clock
from pbem.games.due import GRACE_SECONDS, SWEEPING
from pbem.mail.intake import Arrived, store
from pbem.reports import board
from pbem.storage.models import Game, Heartbeat, Inbound, Letter
from pbem.storage.sessions import Database
from pbem.sweep import settle
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import service_on
from tests.pbem.world.postman import Postman
from tests.pbem.world.ticking import Ticking, fated

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f80f00010501012718e366"
    "0000000049454e44ae426082"
)
"""In place of the drawn board, which takes most of the time of a turn and has tests of its own."""
FAILED = frozenset({"task_failed", "advance_failed", "game_set_aside", "game_left_alone", "table_replayed"})
"""What the service logs where something went wrong that never should."""
MOST = 2000
"""Tasks that are done at once: many more than all games together ever owe."""
SWEEPS = timedelta(hours=24)
"""How long the clock is moved at once at most."""


class Broken(AssertionError):
    """Something that never happens has happened."""


class World:
    """What goes on between the service and the people. Use `opened`."""

    def __init__(self, database: Database, ticking: Ticking, postman: Postman, **settings: object) -> None:
        self.clock = ticking
        self.postman = postman
        self.settings = settings
        self.mails = 0
        self.failures: list[str] = []
        self.service = service_on(database, **settings)

    def settle(self) -> None:
        """Let the service do all that is owed. Raises Broken where a task of it fails, or where it never ends."""
        if settle(self.service, MOST) >= MOST:
            raise Broken(f"there is no end to what is owed: {self._busiest()}")
        if self.failures:
            raise Broken(f"the service failed: {self.failures}")

    def mail(self, letter: Letter, text: str, sender: str = "") -> int:
        """An answer to a letter arrives, unread yet; the number of its row."""
        self.mails += 1
        made = reply(letter, text, sender, Message_ID=f"<{self.mails}.world@players.example>")
        sent_by = sender or letter.recipient
        [number] = store(self.service, [Arrived(made.as_bytes(), clock.now(), sent_by, (str(made["To"]),))])
        return number

    def pass_time(self, until: datetime) -> None:
        """Let time pass, with the service at work all the while."""
        while clock.now() < until:
            self.go_on(until)
        self.settle()

    def go_on(self, until: datetime) -> None:
        """Let time pass to the next moment at which the service may have something to do before then, and let it."""
        now = clock.now()
        moment = min((now + SWEEPS, *self._moments(now)))
        self.clock.move(min(moment, until))
        self.beat()
        if moment < until:
            self.settle()

    def _busiest(self) -> str:
        """The game that has played most, and what it did."""
        with self.service.reading() as session:
            game = session.exec(select(Game).order_by(col(Game.next_entry).desc()).limit(1)).first()
        return f"{game.code} is in stage {game.stage_number}, entry {game.next_entry}" if game is not None else ""

    def beat(self) -> None:
        """The service was at work all the while up to now."""
        with self.service.writing() as session:
            session.merge(Heartbeat(name=SWEEPING, at=clock.now()))

    def _moments(self, now: datetime) -> Sequence[datetime]:
        """When something may be due next."""
        grace = clock.span(GRACE_SECONDS)
        with self.service.reading() as session:
            alive = col(Game.status).in_(("starting", "playing")), col(Game.aside).is_(False)
            deadline = session.exec(select(func.min(Game.deadline)).where(*alive, col(Game.deadline) > now - grace))
            queued = col(Letter.fate) == "queued", col(Letter.next_try) > now
            unread = col(Inbound.status) == "stored"
            found = [
                *(end + grace for end in deadline if end is not None),
                session.exec(select(func.min(Game.settle_until)).where(*alive, col(Game.settle_until) > now)).one(),
                session.exec(select(func.min(Game.tend_at)).where(*alive, col(Game.tend_at) > now)).one(),
                session.exec(select(func.min(Game.not_before)).where(*alive, col(Game.not_before) > now)).one(),
                session.exec(select(func.min(Letter.next_try)).where(*queued)).one(),
                session.exec(select(func.min(Letter.lease)).where(col(Letter.lease) > now)).one(),
                session.exec(select(func.min(Inbound.lease)).where(unread, col(Inbound.lease) > now)).one(),
                session.exec(select(func.min(Inbound.next_try)).where(unread, col(Inbound.next_try) > now)).one(),
            ]
        return [moment for moment in found if moment is not None and moment > now]


@contextmanager
def opened(database: Database, seed: str, **settings: object) -> Iterator[World]:
    """A world on a database that is empty. Its clock and its secrets are those of the process while it lasts."""
    with ExitStack() as stack:
        ticking = stack.enter_context(fated(seed))
        postman = Postman()
        stack.enter_context(postman.at_work())
        stack.enter_context(patch.object(board, "png", lambda _: PIXEL))
        world = World(database, ticking, postman, **settings)
        stack.enter_context(_heard(world.failures))
        yield world


@contextmanager
def _heard(failures: list[str]) -> Iterator[None]:
    """Keep what the service logs of failures, and nothing else."""

    def hear(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if event["event"] in FAILED:
            failures.append(" ".join(f"{name}={value}" for name, value in event.items()))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[hear], cache_logger_on_first_use=False)
    try:
        yield
    finally:
        structlog.configure(**before)
