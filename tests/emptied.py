"""A PostgreSQL database that serves one test after the other: it is emptied after each, and connections stay open.

To make and drop one takes twenty times as long, and a connection that is new has to read what tables there are.
"""

from collections.abc import Iterator

from sqlalchemy import Connection

from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database

PATIENCE = 20
"""Seconds until a transaction that was left open is an error: what a killed process began needs a moment to end."""


class Emptied:
    """`database` has the present version and, between tests, what the migrations leave in it and nothing else."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.database = Database(url)
        migrate(self.database)
        with self.database.writer.begin() as connection:
            self._script = ";\n".join(_script(connection))
            self._columns = connection.exec_driver_sql(_COLUMNS).scalar()

    def empty(self) -> None:
        """Take out all that was written, and count from the beginning again; whoever still writes is waited for."""
        with self.database.writer.begin() as connection:
            found = connection.exec_driver_sql(_COLUMNS).scalar()
            assert found == self._columns, "a test that changes tables needs a database of its own"
            connection.exec_driver_sql(self._script)

    def close(self) -> None:
        """Let go of it."""
        self.database.close()


def _script(connection: Connection) -> Iterator[str]:
    tables = [str(row[0]) for row in connection.exec_driver_sql(_TABLES)]
    filled = [each for each in tables if connection.exec_driver_sql(f"SELECT EXISTS (SELECT FROM {each})").scalar()]
    connection.exec_driver_sql("CREATE SCHEMA kept")
    for each in filled:
        connection.exec_driver_sql(f"CREATE TABLE kept.{each} AS TABLE public.{each}")
    yield f"SET LOCAL lock_timeout = '{PATIENCE}s'"
    yield "SET LOCAL session_replication_role = replica"  # rows go in any order, whatever refers to them
    yield f"LOCK TABLE {', '.join(tables)} IN EXCLUSIVE MODE"
    for each in tables:
        yield f"DELETE FROM {each}"
    for each in filled:
        yield f"INSERT INTO {each} SELECT * FROM kept.{each}"
    for name, begun, value in connection.exec_driver_sql(_SEQUENCES):
        yield f"SELECT setval('{name}', {begun if value is None else value}, {value is not None})"


_TABLES = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
_SEQUENCES = """SELECT quote_ident(sequencename), start_value, last_value FROM pg_sequences
    WHERE schemaname = 'public' ORDER BY 1"""
_COLUMNS = """SELECT count(*) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace"""
