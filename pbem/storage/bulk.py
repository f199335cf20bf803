"""Many rows in one statement: several times faster than one object at a time."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel


def insert_new(session: Session, table: type[SQLModel], objects: Sequence[SQLModel]) -> None:
    """Insert the rows that are not there yet by any of their unique keys; the others are left as they are."""
    insert_rows(session, table, rows(table, objects))


def rows(table: type[SQLModel], objects: Sequence[SQLModel]) -> list[dict[str, Any]]:
    """The objects as values, without the number that the database gives."""
    columns = [column.name for column in table.__table__.columns]  # type: ignore[attr-defined]
    made = [{name: getattr(each, name) for name in columns} for each in objects]
    return [{name: value for name, value in row.items() if name != "id" or value is not None} for row in made]


def insert_rows(session: Session, table: type[SQLModel], values: Sequence[dict[str, Any]]) -> None:
    """The same as `insert_new` for rows made ready before."""
    if values:
        dialect: Any = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
        session.connection().execute(dialect.insert(table).on_conflict_do_nothing(), list(values))
