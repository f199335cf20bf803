"""The cursor that we use on PostgreSQL. A process on SQLite does not import this, nor the driver."""

from collections.abc import Sequence
from typing import Any, Self, overload

from psycopg import Column, Cursor


class Columns(Sequence[Column]):
    """The columns of a cursor's rows, each described when it is asked for.

    SQLAlchemy asks once for each statement that it keeps and never again, and to describe all of a wide table each time
    took as long as to fetch its row.
    """

    def __init__(self, cursor: Cursor[Any], count: int) -> None:
        self._cursor = cursor
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Column: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> Any:
        places = range(self._count)[place]
        if isinstance(places, range):
            return [Column(self._cursor, each) for each in places]
        return Column(self._cursor, places)


class BriefCursor(Cursor[Any]):
    """The driver's, which describes the columns of its rows only when that is asked for."""

    @property
    def description(self) -> Any:
        """As the driver has it; None where there are no rows."""
        result = self.pgresult
        if result is None or not result.nfields:
            return super().description
        return Columns(self, result.nfields)
