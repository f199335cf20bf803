"""What a migration does to the code before it: what it takes away, and whether that code's rows still go in."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, inspect

from pbem.storage import migrate
from pbem.storage.sessions import Database

OURS = ("alembic_version", "setting")
"""Tables that the migration itself writes to."""
Shape = dict[str, set[tuple[Any, ...]]]


def later_than(revision: str) -> list[tuple[str, str]]:
    """Each migration after that one with the one before it, but those that say that they take something away."""
    scripts = list(migrate._scripts(migrate.MIGRATIONS).walk_revisions())[::-1]
    order = [script.revision for script in scripts]
    first = order.index(revision) + 1
    expanding = [script for script in scripts[first:] if not hasattr(script.module, migrate.WORKS_FROM)]
    return [(order[order.index(script.revision) - 1], script.revision) for script in expanding]


def faults(database: Database, before: str, after: str) -> list[str]:
    """What the code of version `before` can't do after the migration. None where all is well.

    The database is empty before and after.
    """
    migrate.migrate(database, before)
    old = sa.MetaData()
    old.reflect(database.writer)
    had = _shape(database.writer)
    with database.writing() as session:
        _insert(session.connection(), old, 1)
    migrate.migrate(database, after)
    has = _shape(database.writer)
    found = list(_lost(had, has, _added(database.writer, old)))
    for table in old.sorted_tables:
        if table.name not in OURS:
            found += _works(database, table)
    with database.writing() as session:
        for table in reversed(old.sorted_tables):
            if table.name not in OURS and table.name in has:
                session.execute(sa.delete(table))
    return found


def _shape(engine: Engine) -> Shape:
    """What each table has that code may rely on, or that may stand in its way."""
    look = inspect(engine)
    found: Shape = {}
    for name in look.get_table_names():
        unique = {("unique", *sorted(each["column_names"])) for each in look.get_unique_constraints(name)}
        unique |= {
            ("unique", *sorted(map(str, each["column_names"]))) for each in look.get_indexes(name) if each["unique"]
        }
        foreign = {
            ("refers", *each["constrained_columns"], each["referred_table"]) for each in look.get_foreign_keys(name)
        }
        checks = {("check", str(each["sqltext"])) for each in look.get_check_constraints(name)}
        key = {("key", *look.get_pk_constraint(name)["constrained_columns"])}
        columns = {("column", each["name"], str(each["type"]), each["nullable"]) for each in look.get_columns(name)}
        found[name] = unique | foreign | checks | key | columns
    return found


def _added(engine: Engine, old: sa.MetaData) -> dict[str, list[Any]]:
    """The new columns of tables that were there."""
    look = inspect(engine)
    there = [name for name in old.tables if look.has_table(name)]
    return {name: [each for each in look.get_columns(name) if each["name"] not in old.tables[name].c] for name in there}


def _lost(had: Shape, has: Shape, added: dict[str, list[Any]]) -> Iterator[str]:
    for name, before in had.items():
        if name not in has:
            yield f"{name}: gone"
            continue
        yield from (f"{name}: {each} is no more" for each in sorted(before - has[name], key=str))
        new = {column["name"] for column in added[name]}
        for each in sorted(has[name] - before, key=str):
            if each[0] != "column":
                yield f"{name}: {each} stands in the way"
            elif each[1] not in new:
                yield f"{name}: {each} is another"
        for column in added[name]:
            if not column["nullable"] and column["default"] is None:
                yield f"{name}: {column['name']} is new and has to be given"


def _works(database: Database, table: sa.Table) -> Iterator[str]:
    """Each thing that the code before does with a table, as it does it."""
    tried = {
        "insert": sa.insert(table).values(_row(table, 2)),
        "select": sa.select(table),
        "update": sa.update(table).values(_row(table, 2, keys=False)).where(*_is(table, 2)),
    }
    for name, statement in tried.items():
        try:
            with database.writing() as session:
                session.execute(statement)
        except sa.exc.DBAPIError as error:
            yield f"{table.name}: {name} fails ({type(error).__name__})"


def _insert(connection: Connection, old: sa.MetaData, number: int) -> None:
    for table in old.sorted_tables:
        if table.name not in OURS:
            connection.execute(sa.insert(table).values(_row(table, number)))


def _is(table: sa.Table, number: int) -> list[Any]:
    row = _row(table, number)
    return [column == row[column.name] for column in table.primary_key]


def _row(table: sa.Table, number: int, *, keys: bool = True) -> dict[str, Any]:
    """A row of the table with all columns given, as our models do; a reference leads to the row of the same number."""
    return {
        column.name: None if column.nullable and column.foreign_keys else _value(column, number)
        for column in table.c
        if keys or not column.primary_key
    }


def _value(column: "sa.Column[Any]", number: int) -> Any:
    match column.type:
        case sa.Boolean():
            return False
        case sa.LargeBinary():
            return b"%d" % number
        case sa.Integer() | sa.Numeric():
            return number
        case _:
            return f"{number}"
