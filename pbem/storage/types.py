"""Column types that behave the same on SQLite and PostgreSQL."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, bindparam
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Utc(TypeDecorator[datetime]):
    """A moment: an aware datetime in Python, whole microseconds since 1970 in the database.

    Compared and ordered as a number by any database. Raises ValueError for a datetime without a zone, OverflowError for
    one that there is not in UTC: stored, it could never be read again.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Microseconds, from a moment in any zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a zone")
        return (value.astimezone(UTC) - EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """A moment in UTC."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


NOW = bindparam("now", type_=Utc)
"""The moment in a query that is made once and asked often."""
