"""Engines and session makers: one pair for reading, one for writing, made after any fork.

On SQLite a write begins with BEGIN IMMEDIATE, so nothing read in it can be outdated when it commits; reading is
query-only. On PostgreSQL a write locks the row that it is about (`locked_game`).
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Executable, bindparam, create_engine, event, make_url
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import InternalError, InvalidatePoolError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, col, select

from pbem import crashing, private
from pbem.storage.limits import USUAL, Limits, network
from pbem.storage.models import Game

_LOCKED = (
    select(Game).where(col(Game.id) == bindparam("game")).with_for_update().execution_options(populate_existing=True)
)
AWAY = OperationalError, InternalError, NoConnection
"""What is raised while the database is away, hangs or is full: it is no fault of what was at work."""
AWAY_SECONDS = 5.0
"""Real seconds after which that is tried again. It is not counted, or an hour without a disk would set aside all."""
TRUSTED_SECONDS = 1.0
"""For how long a connection that nobody used is taken to be whole without asking PostgreSQL."""
RESTS_SINCE = "rests since"
FEATURE_NOT_SUPPORTED = "0A000"
"""A code of PostgreSQL's, in whose words: that its driver has an exception for it is not asked on SQLite."""
PREPARE_AFTER, PREPARED = 2, 300
"""How often PostgreSQL is asked the same before it keeps the plan, and how many plans a connection keeps at most."""


class Database:
    """Both engines of one database. `url` is a SQLAlchemy URL: `sqlite:////path` or `postgresql+psycopg://…`.

    What takes longer than the limits, or finds no connection free, raises one of AWAY.
    """

    def __init__(self, url: str, limits: Limits = USUAL) -> None:
        self.url = normal_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        if self.sqlite and self.url.database not in (None, "", ":memory:"):
            file = Path(self.url.database)
            private.folder(file.parent)
            private.touch(file)  # the files beside it get its mode
        self.writer = _engine(self.url, limits)
        self.reader = _engine(self.url, limits)
        if self.sqlite:
            _prepare_sqlite(self.writer, begin="BEGIN IMMEDIATE", query_only=False)
            _prepare_sqlite(self.reader, begin="BEGIN", query_only=True)
        else:
            _prepare_postgresql(self.writer, limits)
            _prepare_postgresql(self.reader, limits)
            event.listen(self.reader, "connect", _read_only)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one moment of the database and can change nothing."""
        with Session(self.reader, expire_on_commit=False) as session:
            yield session
            session.expunge_all()
            session.commit()  # a rollback would make the driver of PostgreSQL forget all that is prepared

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose work is committed at the end, whole or, on any exception, not at all.

        Keep it short: never render, draw, play or talk to a network in it.
        """
        with Session(self.writer, expire_on_commit=False) as session, session.begin():
            yield session
            crashing.at("before-commit")
        crashing.at("after-commit")

    @contextmanager
    def asking(self) -> Iterator[Connection]:
        """For one question by itself, for which PostgreSQL need not be told of a transaction's begin and end."""
        with self.reader.connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            try:
                if not self.sqlite:
                    driver.autocommit = True
                yield connection
                connection.commit()
                if not self.sqlite:
                    driver.autocommit = False
            except BaseException:
                connection.invalidate()  # nobody is to get it as it may be now
                raise

    def close(self) -> None:
        """Close all connections."""
        self.writer.dispose()
        self.reader.dispose()


def normal_url(url: str) -> URL:
    """The URL with the driver that we use for PostgreSQL."""
    made = make_url(url)
    if made.get_backend_name() == "postgresql":
        return made.set(drivername="postgresql+psycopg")
    return made


def locked_game(session: Session, game_id: int) -> Game:
    """The game, locked to the end of the transaction. Raises NoResultFound."""
    return session.exec(_LOCKED, params={"game": game_id}).one()


def columns(session: Session, statement: Executable, params: Mapping[str, Any]) -> Any:
    """The rows of a statement that asks for columns and for no objects, in half the time that `exec` takes for it.

    What the session has changed and not yet written is not seen.
    """
    return session.connection().execute(statement, params)


def _engine(url: URL, limits: Limits) -> Engine:
    if url.get_backend_name() == "sqlite":
        waiting = {"timeout": limits.wait, "check_same_thread": False}  # the timeout is SQLite's busy timeout
        return create_engine(url, hide_parameters=True, connect_args=waiting)
    return create_engine(url, hide_parameters=True, connect_args=network(url), **limits.pool)


def _prepare_postgresql(engine: Engine, limits: Limits) -> None:
    from pbem.storage.cursors import BriefCursor  # noqa: PLC0415 - a process on SQLite need not wait for the driver

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        # Not by `options` of the address, where the operator may have some already.
        connection.autocommit = True
        for name, milliseconds in limits.session.items():
            connection.execute(f"SET {name} = {milliseconds}")
        connection.autocommit = False
        connection.prepare_threshold, connection.prepared_max = PREPARE_AFTER, PREPARED
        connection.cursor_factory = BriefCursor

    @event.listens_for(engine, "handle_error", retval=True)
    def outlived(context: ExceptionContext) -> BaseException | None:
        """A plan that was kept and that a migration has outdated says nothing of what was at work: as if the connection
        had been cut, and the pool connects anew.
        """
        cause = context.original_exception
        if getattr(cause, "sqlstate", None) != FEATURE_NOT_SUPPORTED:
            return None
        context.is_disconnect = True
        return OperationalError(None, None, cause, hide_parameters=True, connection_invalidated=True)

    @event.listens_for(engine, "checkin")
    def rests(_connection: object, record: ConnectionPoolEntry) -> None:
        record.info[RESTS_SINCE] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def taken(connection: Any, record: ConnectionPoolEntry, _fairy: object) -> None:
        # SQLAlchemy's own question at each taking was a tenth of what a sender does.
        since = record.info.get(RESTS_SINCE)
        if since is not None and time.monotonic() - since > TRUSTED_SECONDS:
            _ask(engine, connection)


def _ask(engine: Engine, connection: Any) -> None:
    """Raises InvalidatePoolError, upon which the pool connects anew, for a connection that was cut."""
    try:
        engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error as cut:
        raise InvalidatePoolError from cut


def _prepare_sqlite(engine: Engine, *, begin: str, query_only: bool) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        # The driver's own transactions lose updates in WAL mode; ours begin explicitly.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        if query_only:
            cursor.execute("PRAGMA query_only=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)


def _read_only(connection: Any, _record: object) -> None:
    """Said when a transaction begins, with no statement of its own."""
    from psycopg import IsolationLevel  # noqa: PLC0415 - a process on SQLite need not wait for the driver

    connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
