"""Many rows in one statement: several times faster than one object at a time."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel


def insert_new(session: Session, table: type[SQLModel], rows: Sequence[SQLModel]) -> None:
    """Insert the rows that are not there yet by any of their unique keys; the others are left as they are."""
    if not rows:
        return
    dialect: Any = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    columns = [column.name for column in table.__table__.columns]  # type: ignore[attr-defined]
    made = [{name: getattr(row, name) for name in columns} for row in rows]
    if made[0].get("id", 0) is None:
        made = [{name: value for name, value in each.items() if name != "id"} for each in made]
    session.connection().execute(dialect.insert(table).on_conflict_do_nothing(), made)
