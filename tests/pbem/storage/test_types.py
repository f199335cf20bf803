"""What the columns keep comes out as it went in, or does not go in."""

from datetime import datetime

import pytest
from sqlalchemy.dialects import sqlite

from pbem.storage.types import Utc


def test_a_moment_that_could_not_be_read_again_is_not_stored() -> None:
    """One row of the year 10000 would keep every list of games from being shown."""
    column, dialect = Utc(), sqlite.dialect()
    last = datetime.fromisoformat("9999-12-31T23:59+00:00")
    assert column.process_result_value(column.process_bind_param(last, dialect), dialect) == last
    with pytest.raises(OverflowError):
        column.process_bind_param(datetime.fromisoformat("9999-12-31T23:59-12:00"), dialect)
