"""Runs a program of the service (`MODULE ARGUMENTS…`) on a disk that is full while a file says so.

SQLite's own limit of pages is what makes it full, for a disk of the test's own can't be had on every machine.
"""

import os
import runpy
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

FULL = "STORM_DISK_IS_FULL"
"""The variable of the environment that names the file."""
LARGEST = 4294967294
"""Pages that SQLite can have at most."""


def begin(connection: Any) -> None:
    """SQLite never takes it to be less than the file has now."""
    most = 1 if Path(os.environ[FULL]).exists() else LARGEST
    connection.exec_driver_sql(f"PRAGMA max_page_count={most}")


if __name__ == "__main__":
    event.listen(Engine, "begin", begin)
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
