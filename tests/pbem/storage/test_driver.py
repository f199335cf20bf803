"""How we use the driver of PostgreSQL: what is asked often is planned once, and nothing is asked for nothing."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from pbem.storage import sessions
from pbem.storage.limits import Limits
from pbem.storage.models import Account
from pbem.storage.sessions import Database
from tests.pbem.storage.test_limits import opened

ONE = Limits(connections=1)
TIMES = 10
Opening = Callable[[Database], AbstractContextManager[Session]]
BOTH = pytest.mark.parametrize("opening", [Database.reading, Database.writing])


def _pid(session: Session) -> int:
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


@BOTH
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
