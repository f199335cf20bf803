"""How commands show what they report: a table for people, JSON for programs."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from pbem.cli.words import WORDS, _
from pbem.persontext import escaped_line

Row = Mapping[str, Any]

_UNESCAPED = re.compile(r"[\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Characters that JSON leaves as they are, though some terminal follows them."""

as_json = click.option("--json", "as_json", is_flag=True, help=_("Print JSON instead of a table."))


def show(rows: Sequence[Row], columns: Mapping[str, str], form: bool) -> None:
    """Print rows: with `form`, all that is in them as a JSON list; else the columns named, under their headings."""
    if form:
        print_json([dict(row) for row in rows])
    elif not rows:
        click.echo(_("Nothing to show."))
    else:
        cells = [list(columns.values()), *([_cell(row[name]) for name in columns] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for line in cells:
            click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def show_one(row: Row, columns: Mapping[str, str], form: bool) -> None:
    """Print one thing: JSON, or a line for each of the fields named."""
    if form:
        print_json(dict(row))
    else:
        width = max(map(len, columns.values()))
        for name, heading in columns.items():
            click.echo(f"{heading.ljust(width)}  {_cell(row[name])}".rstrip())


def print_json(data: Any) -> None:
    """Print as JSON, moments in ISO form."""
    written = json.dumps(data, ensure_ascii=False, indent=1, default=_plain)
    click.echo(_UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", written))


def _plain(value: object) -> object:
    known: dict[type, Callable[[Any], object]] = {datetime: datetime.isoformat, bytes: bytes.hex, tuple: list}
    return known[type(value)](value)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return WORDS.moment(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_cell, value))
    return escaped_line(str(value))
