"""The service's figures on games for four: from the last order in to four reports in the outbox, and writes.

Of Rockwell that is a brisk turn of all, of Brass Empire a company's whole turn in one sheet.

The yardstick of a turn is a thousand decisions of catanatron's random players, about 30 ms of processor time on the
machine that the limits were set on.
"""

import contextlib
import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from catanatron import Color, Game, RandomPlayer  # type: ignore[import-untyped]
from sqlalchemy import event, insert
from sqlmodel import SQLModel, col, func, select

from pbem import clock, collector
from pbem.context import Service
from pbem.games.advance import advance
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage import models
from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database
from pbem.web import create_app
from pbem.web.pages import WHO
from tests.bench.figure import Figure, best, figure, seconds
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.turns import BRASS_EMPIRE, ROCKWELL

THEIRS = "1,000 random decisions of catanatron"
ROUNDS = 4
TURNS = 24
EARLY, LATE = 2, 20
FEW, MANY, MOST = 10, 1_000, 20_000
AT_ONCE = 500
"""Copies that are made in one transaction."""
GAMES_AT_ONCE = 75


def figures() -> list[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder, mock.patch("pbem.reports.board.svg", return_value=""):
        service = _service(Path(folder))
        found = [*turn_figures(service), _sheet_figure(service)]
        service.close()
        return found + _write_figures(Path(folder))


def _service(folder: Path, name: str = "bench") -> Service:
    database = Database(f"sqlite:///{folder / name}.sqlite3")
    migrate(database)
    return service_on(database, invitations_a_day=1_000_000)  # copies of games beside these count as invitations


def turn_figures(service: Service) -> list[Figure]:
    """Time, bytes and pages of a turn with few games and with many beside it, early and late."""
    theirs = _catanatron()
    collector.relax()  # as a worker does; the yardstick is taken in a process as it comes
    match = begun(service, "rockwell", 4, pace="brisk")
    _turn(match)
    kept = {EARLY: _bytes(match)}
    _turn(match)
    kept[EARLY] = _bytes(match) - kept[EARLY]
    early_page = _best_page(match)
    copied = {table: _rows_of(match, table) for table in COPIED}
    turns, added, pages = {}, {}, {}
    for games in (FEW, MANY, MOST):
        _fill(match, copied, games)
        before = _bytes(match)
        turns[games] = _best_turn(match)
        added[games] = (_bytes(match) - before) / ROUNDS
        pages[games] = _best_page(match)
    while int(match.game.stage_key.partition("-")[0]) < LATE:
        before = _bytes(match)
        _turn(match)
    kept[LATE] = _bytes(match) - before
    late, late_page = _best_turn(match), _best_page(match)
    name = "last order to four reports"
    return [
        figure(f"{name}, {FEW} games", turns[FEW] * 1000, "ms", theirs * 1000, THEIRS),
        *(_grown(f"{name}, {games:,} games", turns[games], turns[FEW]) for games in (MANY, MOST)),
        figure(f"{name}, turn {LATE}", late * 1000, "ms", turns[MOST] * 1000, "in the first turns"),
        *(_grown(f"pages of a seat, {games:,} games", pages[games], pages[FEW]) for games in (MANY, MOST)),
        figure(f"pages of a seat, turn {LATE}", late_page * 1000, "ms", early_page * 1000, f"at turn {EARLY}"),
        *(_larger(f"kept of a turn, {games:,} games", added[games], added[FEW]) for games in (MANY, MOST)),
        figure(f"kept of turn {LATE}", kept[LATE] / 1000, "KB", kept[EARLY] / 1000, f"of turn {EARLY}"),
    ]


def _grown(name: str, took: float, before: float) -> Figure:
    return figure(name, took * 1000, "ms", before * 1000, f"with {FEW} games")


def _larger(name: str, kept: float, before: float) -> Figure:
    return figure(name, kept / 1000, "KB", before / 1000, f"with {FEW} games")


def _best_page(match: Match) -> float:
    """The time of the page of a seat, and of the list of its player's games."""
    client = create_app(match.service).test_client()
    account = match.seats[0].account_id
    assert account is not None
    with match.service.reading() as session, client.session_transaction() as cookies:
        cookies[WHO] = [account, session.get_one(models.Account, account).generation]

    def look() -> None:
        for path in ("/", f"/games/{match.code}"):
            assert client.get(path).status_code == 200

    look()
    return best(look, ROUNDS)


def _bytes(match: Match) -> int:
    """What is kept of a game, without what the database needs itself."""
    rows = [row for table in COPIED for row in _rows_of(match, table)]
    return sum(len(value) for row in rows for value in row.values() if isinstance(value, bytes | str))


def _sheet_figure(service: Service) -> Figure:
    """The median of six rounds of turns, so that no turn in which little happens counts as the best."""
    theirs = _catanatron()
    match = begun(service, "brass_empire", 4, pace="strict")
    for seat in range(4):
        match.say(seat, "corporation any")
    advance(service, match.id)
    took = sorted(_sheet(match) for _ in range(TURNS))
    name = "Brass Empire: a whole turn's sheet to four reports"
    return figure(name, took[TURNS // 2] * 1000, "ms", theirs * 1000, THEIRS)


def _sheet(match: Match) -> float:
    """The time of the sheet of the company whose turn it is, and of all that follows from it."""
    game = match.game
    stage, number = game.stage_key, match.id
    post = Post(number, int(game.waiting), BRASS_EMPIRE, "mail", f"bench/{match.code}/{game.version}", clock.now())

    def sent() -> None:
        submit(match.service, post)
        assert advance(match.service, number)

    took = seconds(sent)
    assert match.game.stage_key != stage
    return took


def _turn(match: Match) -> float:
    """One stage: three seats are ready, then the time of the last order and of all that follows from it."""
    for seat in range(3):
        match.say(seat, ROCKWELL)
    number = match.id
    post = Post(number, 3, ROCKWELL, "mail", f"bench/{match.code}/{match.game.version}", clock.now())

    def last() -> None:
        submit(match.service, post)
        assert advance(match.service, number)

    return seconds(last)


def _best_turn(match: Match) -> float:
    return min(_turn(match) for _ in range(ROUNDS))


def _catanatron() -> float:
    """Processor seconds of a thousand decisions."""
    least = 1.0
    for seed in range(3):
        game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)], seed=seed)
        took = seconds(game.play)
        least = min(least, took * 1000 / len(game.state.actions))
    return least


COPIED: tuple[type[SQLModel], ...] = (
    models.Seat,
    models.Submission,
    models.JournalEntry,
    models.Snapshot,
    models.Report,
    models.Letter,
)


def _fill(match: Match, rows: Mapping[Any, list[dict[str, Any]]], games: int) -> None:
    """Put copies of a game with what belonged to it in its first turns beside it, until there are so many."""
    service, game = match.service, match.game.model_dump()
    with service.reading() as session:
        there = session.exec(select(func.count()).select_from(models.Game)).one()
    for first in range(there, games, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, games))
        with service.writing() as session:
            copies = [models.Game(**{**game, "id": None, "code": f"copy{number}"}) for number in numbers]
            session.add_all(copies)
            session.flush()
            for table, found in rows.items():
                made = [_copied(each, copy.id, first + place) for place, copy in enumerate(copies) for each in found]
                session.connection().execute(insert(table), made)


def _rows_of(match: Match, table: Any) -> list[dict[str, Any]]:
    with match.service.reading() as session:
        return [row.model_dump() for row in session.exec(select(table).where(col(table.game_id) == match.id))]


def _copied(row: dict[str, Any], game_id: int | None, number: int) -> dict[str, Any]:
    """The row for another game; what is long in it is cut, for only the number of rows matters."""
    made = {**row, "game_id": game_id}
    made |= {name: value[:100] for name, value in row.items() if isinstance(value, bytes | str)}
    if "account_id" in made:
        made["account_id"] = None  # games of others: a player's own list is as long as it was
    if "message_id" in made:
        made |= {"id": Random(f"{row['id']}/{number}").getrandbits(62), "message_id": f"{number}/{row['message_id']}"}
    else:
        del made["id"]
    if "key" in made:
        made["key"] = f"{number}/{row['key']}"
    return made


def _write_figures(folder: Path) -> list[Figure]:
    """The longest write while many games resolve, and how long a mail waits to be stored meanwhile."""
    service = _service(folder, "writes")
    matches = [begun(service, "rockwell", 4, pace="brisk") for _ in range(GAMES_AT_ONCE)]
    for match in matches:
        for seat in range(4):
            match.say(seat, ROCKWELL)
    numbers = [match.id for match in matches]
    empty = _longest_store(str(folder), 0.5)
    with multiprocessing.get_context("spawn").Pool(1) as pool, _timed(service.database) as held:
        pool.apply(_longest_store, (str(folder), 0.01))  # it has imported what it needs before games resolve
        waits = pool.apply_async(_longest_store, (str(folder), 0.0))
        for number in numbers:
            advance(service, number)
        (folder / "done").touch()
        longest_wait = waits.get(60)
    service.close()
    return [
        figure("longest write while 75 games resolve", max(held) * 1000, "ms", empty * 1000, "a mail stored alone"),
        figure("longest wait of a mail meanwhile", longest_wait * 1000, "ms", empty * 1000, "a mail stored alone"),
    ]


@contextlib.contextmanager
def _timed(database: Database) -> Iterator[list[float]]:
    """How long each write transaction held the database, in seconds of the clock on the wall."""
    held: list[float] = []
    begun_at = [0.0]

    def begin(_connection: Any) -> None:
        begun_at[0] = time.perf_counter()

    def commit(_connection: Any) -> None:
        held.append(time.perf_counter() - begun_at[0])

    # Listens after the BEGIN IMMEDIATE was had, so that waiting for the lock does not count.
    event.listen(database.writer, "begin", begin)
    event.listen(database.writer, "commit", commit)
    yield held
    event.remove(database.writer, "begin", begin)
    event.remove(database.writer, "commit", commit)


def _longest_store(folder: str, for_seconds: float) -> float:
    """Store mails one after another, for that long or until the others are done; the longest that one waited."""
    database = Database(f"sqlite:///{folder}/writes.sqlite3")
    done = Path(folder) / "done"
    end = time.perf_counter() + for_seconds
    longest, number = 0.0, 0
    while not done.exists() and (not for_seconds or time.perf_counter() < end):
        number += 1
        start = time.perf_counter()
        now = clock.now()
        with database.writing() as session:
            session.add(models.Inbound(raw=b"x" * 5000, digest=str(number).encode(), received=now, next_try=now))
        longest = max(longest, time.perf_counter() - start)
        time.sleep(0.005)
    database.close()
    return longest
