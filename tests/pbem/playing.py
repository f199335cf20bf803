"""A service in one process for tests: games created, joined, played, moved on by the clock; nobody behind the door."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.door import Closed
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.games.position import game_row, seat_rows
from pbem.mail.identity import Identity
from pbem.settings import Settings
from pbem.sheets.received import Post
from pbem.sheets.submitting import Taken, submit
from pbem.storage.models import Game, JournalEntry, Letter, Report, Seat
from pbem.storage.sessions import Database
from pbem.sweep import settle
from tests.pbem import beginnings

AT_ANY_HOUR = {"waking": "no"}
"""Deadlines as long after the opening as the stage is, whatever the time of day."""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def service_on(database: Database, **settings: object) -> Service:
    """The service on a database, with a key of its own, and a mail server that is never there, which harms nobody."""
    made = _usual() if not settings else Settings(**{**_USUAL, **settings})  # type: ignore[arg-type]
    return Service(database, made, Identity("play.example", (b"k" * 32,)))


def misset(service: Service, **settings: object) -> Service:
    """The service with settings that are refused where they are read."""
    return replace(service, settings=service.settings.model_copy(update=settings))


_USUAL: dict[str, object] = {
    "data_dir": Path("/nonexistent"),
    "domain": "play.example",
    "smtp_port": 1,
    "mail_port": 0,
    "undelivered_hours": 0,
}


def _usual() -> Settings:
    return Settings(**_USUAL)  # type: ignore[arg-type]


def _is_usual(service: Service) -> bool:
    usual = service_on(service.database)
    return (service.settings, service.identity) == (usual.settings, usual.identity) and isinstance(service.door, Closed)


class Match:
    """One game and what its players and its time do."""

    def __init__(self, service: Service, code: str) -> None:
        self.service = service
        self.code = code
        self.posted = 0

    @property
    def game(self) -> Game:
        """Its row as it is now."""
        with self.service.reading() as session:
            return game_row(session, self.code)

    @property
    def id(self) -> int:
        """The number of its row."""
        number = self.game.id
        assert number is not None
        return number

    @property
    def seats(self) -> list[Seat]:
        """Its seats as they are now."""
        with self.service.reading() as session:
            return seat_rows(session, self.id)

    def say(self, seat: int, text: str, source: str = "mail", *, asked: tuple[int, str] | None = None) -> Taken:
        """A player sends a text now."""
        self.posted += 1
        post = Post(self.id, seat, text, source, f"test/{self.code}/{self.posted}", clock.now(), asked)
        return submit(self.service, post)

    def settle(self) -> int:
        """Do all that is owed."""
        return settle(self.service)

    def pass_deadline(self) -> None:
        """Put the clock behind the deadline and do what is owed then."""
        deadline = self.game.deadline
        assert deadline is not None
        clock.shift(deadline - clock.now() + timedelta(seconds=3))
        self.settle()

    def entries(self) -> list[JournalEntry]:
        """Its journal."""
        with self.service.reading() as session:
            return list(
                session.exec(
                    select(JournalEntry).where(col(JournalEntry.game_id) == self.id).order_by(col(JournalEntry.number))
                )
            )

    def letters(self, seat: int | None = None, kind: str = "") -> list[Letter]:
        """Its letters, oldest first."""
        query = select(Letter).where(col(Letter.game_id) == self.id).order_by(col(Letter.queued), col(Letter.key))
        with self.service.reading() as session:
            found = list(session.exec(query))
        return [each for each in found if seat in (None, each.seat) and kind in ("", each.kind)]

    def reports(self, seat: int) -> list[Report]:
        """What a seat was told, oldest first."""
        query = select(Report).where(col(Report.game_id) == self.id, col(Report.seat) == seat)
        with self.service.reading() as session:
            return list(session.exec(query.order_by(col(Report.entry), col(Report.id))))


def created(service: Service, rules: str = "tinygame", seats: int = 3, **plan: object) -> Match:
    """A game whose players are invited."""
    guests = [Guest(f"{name.lower()}@players.example", name) for name in NAMES[:seats]]
    given = {"settle_minutes": 0, "stage_hours": 24, "schedule": AT_ANY_HOUR, **plan}
    code = create_game(service, Plan(rules, guests, **given))  # type: ignore[arg-type]
    invite(service, code)
    return Match(service, code)


def begun(service: Service, rules: str = "tinygame", seats: int = 3, **plan: object) -> Match:
    """A game whose players have joined, and whose first stage is open."""

    def play() -> str:
        match = created(service, rules, seats, **plan)
        for seat in range(seats):
            join(service, match.id, seat, NAMES[seat].lower())
        match.settle()
        return match.code

    plain = all(isinstance(value, str | int | float | dict | None) for value in plan.values())
    if not plain or not _is_usual(service):
        return Match(service, play())
    return Match(service, beginnings.again(service, (rules, seats, repr(sorted(plan.items()))), play))


def placing(database: Database) -> tuple[Match, int]:
    """A strict game of Rockwell in which that seat is asked to place, and the others' letters have not gone out."""
    match = begun(service_on(database, mail_port=0), "rockwell", 4)
    for seat in range(4):
        match.say(seat, f"bid {100 * seat}" if seat else "bid nothing")
    match.settle()
    assert match.game.stage_key == "1-placing"
    return match, int(match.game.waiting)
