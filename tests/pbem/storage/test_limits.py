"""What a database that hangs, or has no connection free, does to us: an end, a word, and the work is still owed."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pbem import clock
from pbem.door import ADVANCE, READ
from pbem.mail.intake import Arrived, store
from pbem.settings import Settings
from pbem.storage import migrate
from pbem.storage.limits import Limits
from pbem.storage.sessions import Database
from pbem.sweep import owed, perform
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import Visit, app_on
from tests.servers import wait_until


@contextmanager
def opened(url: str, limits: Limits) -> Iterator[Database]:
    """The database with these limits."""
    database = Database(url, limits)
    yield database
    database.close()


@contextmanager
def holding(url: str, statement: str) -> Iterator[None]:
    """Somebody else's transaction, which has done this and stays open."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(text(statement))
        yield
        connection.rollback()
    engine.dispose()


NOBODY_WRITES_LETTERS = "LOCK TABLE letter IN EXCLUSIVE MODE"


def test_game_that_the_database_fails_is_not_set_aside(postgresql_url: str) -> None:
    """Its attempts begin and can't end, as on a full disk; whenever that is over, its stage is resolved."""
    with opened(postgresql_url, Limits(statement=0.5)) as database:
        match = begun(service_on(database), stage_hours=1)
        clock.shift(timedelta(hours=1, minutes=1))
        with holding(postgresql_url, NOBODY_WRITES_LETTERS):
            for _ in range(match.service.settings.attempts + 1):
                with pytest.raises(OperationalError):
                    perform(match.service, ADVANCE, match.id)
                clock.shift(timedelta(minutes=1))
        assert match.settle()
        assert (match.game.aside, match.game.failures) == (False, 0)
        assert len(match.reports(0)) == 2


def test_mail_that_the_database_fails_is_not_set_aside(postgresql_url: str) -> None:
    """Its attempts begin and can't end; whenever that is over, it is read and acknowledged."""
    with opened(postgresql_url, Limits(statement=0.5)) as database:
        match = begun(service_on(database))
        mail = reply(match.letters(0, "report")[0], "bid 1").as_bytes()
        [number] = store(match.service, [Arrived(mail, clock.now())])
        with holding(postgresql_url, NOBODY_WRITES_LETTERS):
            for _ in range(match.service.settings.attempts + 1):
                with pytest.raises(OperationalError):
                    perform(match.service, READ, number)
                clock.shift(timedelta(minutes=1))
        assert match.settle()
        assert len(match.letters(0, "acknowledgement")) == 1


def test_a_statement_that_hangs_is_ended_and_the_work_owed_again(postgresql_url: str) -> None:
    """A game whose row somebody holds is not played on; when it is free, its stage is resolved, once."""
    with opened(postgresql_url, Limits(statement=0.3)) as database:
        match = begun(service_on(database), stage_hours=1)
        entries = len(match.entries())
        clock.shift(timedelta(hours=1, minutes=1))
        with holding(postgresql_url, f"SELECT * FROM game WHERE id = {match.id} FOR UPDATE"):
            with pytest.raises(OperationalError):
                perform(match.service, ADVANCE, match.id)
            assert (ADVANCE, match.id) in owed(match.service)
        assert match.settle()
        assert match.game.failures == 0
        assert len(match.entries()) > entries
        assert len({report.entry for report in match.reports(0)}) == len(match.reports(0)) == 2


def _ask_twice(database: Database, pause: float) -> None:
    with database.reading() as session:
        session.execute(text("SELECT 1"))
        time.sleep(pause)
        session.execute(text("SELECT 1"))


def test_a_transaction_in_which_nothing_is_asked_is_ended(postgresql_url: str) -> None:
    """One that hangs holds no row for ever; the next one finds a connection that is good."""
    with opened(postgresql_url, Limits(idle=0.2)) as database:
        with pytest.raises(InternalError):
            _ask_twice(database, pause=1)
        with database.reading() as session:
            assert session.execute(text("SELECT 1")).scalar() == 1


def test_who_finds_no_connection_free_waits_for_one(postgresql_url: str) -> None:
    """And has it as soon as it is given back; who waits in vain is told so."""
    with opened(postgresql_url, Limits(connections=1, wait=0.2)) as database, database.reading() as first:
        first.execute(text("SELECT 1"))
        with pytest.raises(PoolTimeout), database.reading() as second:
            second.execute(text("SELECT 1"))
    with opened(postgresql_url, Limits(connections=1, wait=60)) as database:
        found: list[object] = []

        def ask() -> None:
            with database.reading() as session:
                found.append(session.execute(text("SELECT 1")).scalar())

        waiting = threading.Thread(target=ask)
        with database.reading() as first:
            first.execute(text("SELECT 1"))
            waiting.start()
            waiting.join(0.2)
            assert not found
        waiting.join(60)
        assert found == [1]


def test_pages_say_that_the_service_is_busy(postgresql_url: str) -> None:
    """While no connection is free a page answers 503 and when to come again, `/readyz` no, and `/healthz` yes."""
    with opened(postgresql_url, Limits(connections=1, wait=0.1)) as database:
        service = service_on(database)
        begun(service)
        client = Visit(app_on(service), service, "ann@players.example").client
        with database.reading() as session:
            session.execute(text("SELECT 1"))
            page = client.get("/")
            call = client.get("/api/v1/games", headers={"Authorization": "Bearer pbem_" + "a" * 43})
            assert [page.status_code, call.status_code] == [503, 503]
            assert page.headers["Retry-After"]
            assert call.headers["Retry-After"]
            assert "The service is busy" in page.text
            assert client.get("/readyz").status_code == 503
            assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 200


def test_who_writes_to_sqlite_waits_for_another_writer(sqlite_url: str) -> None:
    """As long as the settings say, and then says so; nothing is half done."""
    with opened(sqlite_url, Limits(wait=0.2)) as database, opened(sqlite_url, Limits(wait=60)) as patient:
        done = threading.Event()

        def write() -> None:
            with patient.writing() as session:
                session.execute(text("INSERT INTO heartbeat (name, at, detail) VALUES ('patient', 0, '')"))
            done.set()

        with database.writing() as first:
            first.execute(text("INSERT INTO heartbeat (name, at, detail) VALUES ('first', 0, '')"))
            threading.Thread(target=write).start()
            with pytest.raises(OperationalError), database.writing() as session:
                session.execute(text("SELECT 1"))
            assert not done.is_set()
        wait_until(done.is_set)
        with database.reading() as session:
            assert set(session.execute(text("SELECT name FROM heartbeat")).scalars()) == {"first", "patient"}


def test_a_migration_does_not_wait_for_ever_for_a_table(
    empty_postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others would wait behind it: it is given up whole, and can be tried again, however long its statements take."""
    monkeypatch.setattr(migrate, "LOCK_SECONDS", 1)
    with opened(empty_postgresql_url, Limits(statement=0.05)) as database:
        statement = "CREATE TABLE alembic_version (version_num varchar(32) PRIMARY KEY)"
        with database.writing() as session:
            session.execute(text(statement))
        with (
            holding(empty_postgresql_url, "LOCK alembic_version IN ACCESS EXCLUSIVE MODE"),
            pytest.raises(OperationalError),
        ):
            migrate.migrate(database)
        assert migrate.version(database) is None
        migrate.migrate(database)
        assert migrate.version(database) == migrate.newest()


def test_limits_come_from_the_settings() -> None:
    """0 leaves a time to the server."""
    limits = Limits.of(Settings(database_connections=3, statement_seconds=0, idle_transaction_seconds=1.5))
    assert limits.pool["pool_size"] + limits.pool["max_overflow"] == 3
    assert limits.session == {"idle_in_transaction_session_timeout": 1500}
