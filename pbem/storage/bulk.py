"""Many rows in one statement: several times faster than one object at a time."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import configure_mappers
from sqlmodel import Session, SQLModel

Row = TypeVar("Row", bound=SQLModel)


def made(table: type[Row], **values: Any) -> Row:
    """A new row with these values, made as one that is read is made: for those of which there are many.

    The table's own constructor tells of each value that is set, which takes ten times as long as all the rest.
    """
    defaults = _defaults(table)
    row: Row = inspect(table).class_manager.new_instance()
    row.__dict__.update(defaults)
    row.__dict__.update(values)
    return row


@cache
def _defaults(table: type[SQLModel]) -> Mapping[str, Any]:
    configure_mappers()
    return {name: field.get_default() for name, field in table.model_fields.items() if not field.is_required()}


def insert_new(session: Session, table: type[SQLModel], objects: Sequence[SQLModel]) -> None:
    """Insert the rows that are not there yet by any of their unique keys; the others are left as they are."""
    insert_rows(session, table, rows(table, objects))


def rows(table: type[SQLModel], objects: Sequence[SQLModel]) -> list[dict[str, Any]]:
    """The objects as values, without the number that the database gives."""
    columns = [column.name for column in table.__table__.columns]  # type: ignore[attr-defined]
    found = [{name: getattr(each, name) for name in columns} for each in objects]
    return [{name: value for name, value in row.items() if name != "id" or value is not None} for row in found]


def insert_rows(session: Session, table: type[SQLModel], values: Sequence[dict[str, Any]]) -> None:
    """The same as `insert_new` for rows made ready before."""
    if values:
        session.connection().execute(_insertion(table, session.get_bind().dialect.name), list(values))


@cache
def _insertion(table: type[SQLModel], dialect: str) -> Any:
    """Built once: building a statement takes longer than carrying it out."""
    made_by: Any = sqlite if dialect == "sqlite" else postgresql
    return made_by.insert(table).on_conflict_do_nothing()
