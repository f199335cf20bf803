"""How we use the driver of PostgreSQL: what is asked often is planned once, and nothing is asked for nothing."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from psycopg import Cursor
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from pbem.storage import sessions
from pbem.storage.cursors import BriefCursor
from pbem.storage.limits import Limits
from pbem.storage.models import Account
from pbem.storage.sessions import Database
from tests.pbem.storage.test_limits import opened

ONE = Limits(connections=1)
TIMES = 10
Opening = Callable[[Database], AbstractContextManager[Session]]
BOTH = pytest.mark.parametrize("opening", [Database.reading, Database.writing])
ALL = pytest.mark.parametrize("opening", [Database.reading, Database.writing, Database.asking])
NOW = text("SELECT now()")
"""When the transaction began."""


def _pid(session: Session | Connection) -> int:
    return int(session.execute(text("SELECT pg_backend_pid()")).scalar_one())


@BOTH
def test_what_is_asked_often_is_planned_once(postgresql_url: str, opening: Opening) -> None:
    """The plans outlive the transactions, those that only read too."""
    with opened(postgresql_url, ONE) as database:
        for _ in range(TIMES):
            with opening(database) as session:
                session.exec(select(Account)).all()
        with opening(database) as session:
            asked = "SELECT sum(generic_plans + custom_plans) FROM pg_prepared_statements WHERE statement LIKE :asked"
            found = session.execute(text(asked), {"asked": "%FROM account%"}).scalar_one()
    assert found >= TIMES - sessions.PREPARE_AFTER


@BOTH
def test_a_connection_in_use_is_not_asked_whether_it_is_there(
    postgresql_url: str, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that rested for long is, and nothing else is."""
    with opened(postgresql_url, ONE) as database:
        asked: list[object] = []
        for engine in (database.reader, database.writer):
            monkeypatch.setattr(engine.dialect, "do_ping", asked.append)
        monkeypatch.setattr(sessions, "TRUSTED_SECONDS", 3600.0)
        for _ in range(TIMES):
            with opening(database) as session:
                _pid(session)
        assert not asked
        monkeypatch.setattr(sessions, "TRUSTED_SECONDS", 0.0)
        with opening(database) as session:
            _pid(session)
        assert len(asked) == 1


@ALL
def test_a_connection_that_was_cut_while_it_rested_is_made_anew(
    postgresql_url: str, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a word; one that was cut right after its use fails once, as the database does, and never again."""
    with opened(postgresql_url, ONE) as database, opened(postgresql_url, ONE) as cutting:

        def cut(pid: int) -> None:
            with cutting.writing() as session:
                assert session.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid}).scalar_one()

        with opening(database) as session:
            first = _pid(session)
        cut(first)
        monkeypatch.setattr(sessions, "TRUSTED_SECONDS", 0.0)
        with opening(database) as session:
            second = _pid(session)
        assert second != first
        cut(second)
        monkeypatch.setattr(sessions, "TRUSTED_SECONDS", 3600.0)
        with pytest.raises(DBAPIError) as failed, opening(database) as session:
            _pid(session)
        assert isinstance(failed.value, sessions.AWAY)
        with opening(database) as session:
            assert _pid(session) not in {first, second}


@BOTH
def test_what_is_only_read_can_not_be_changed(postgresql_url: str, opening: Opening) -> None:
    """Whatever is asked in it, and one moment of the database is seen."""
    with opened(postgresql_url, ONE) as database, opening(database) as session:
        shown = [
            str(session.execute(text(f"SHOW transaction_{each}")).scalar_one()) for each in ("read_only", "isolation")
        ]
    assert shown == (["on", "repeatable read"] if opening is Database.reading else ["off", "read committed"])


def test_a_question_by_itself_is_no_transaction(postgresql_url: str) -> None:
    """And who has the connection next has one, also where the question failed."""
    with opened(postgresql_url, ONE) as database:
        with database.asking() as connection:
            assert connection.execute(NOW).scalar_one() != connection.execute(NOW).scalar_one()
        _sees_one_moment(database)
        with pytest.raises(DBAPIError), database.asking() as connection:
            connection.execute(text("SELECT 1 / 0"))
        _sees_one_moment(database)


def _sees_one_moment(database: Database) -> None:
    with database.reading() as session:
        assert session.execute(NOW).scalar_one() == session.execute(NOW).scalar_one()
        assert session.execute(text("SHOW transaction_isolation")).scalar_one() == "repeatable read"


def test_columns_are_described_as_the_driver_does_it(postgresql_url: str) -> None:
    """All of them or one, and none of what has no rows."""
    with opened(postgresql_url, ONE) as database, database.writing() as session:
        cursor = session.connection().exec_driver_sql("SELECT 1 AS one, 'x'::text AS two").cursor
        assert isinstance(cursor, BriefCursor)
        theirs = Cursor.description.__get__(cursor)
        assert [tuple(column) for column in cursor.description] == [tuple(column) for column in theirs]
        assert (len(cursor.description), cursor.description[1].name) == (2, "two")
        assert [column.name for column in cursor.description[:1]] == ["one"]
        nothing = cursor.connection.cursor().execute("SET LOCAL work_mem = '4MB'")
        assert nothing.description is None
