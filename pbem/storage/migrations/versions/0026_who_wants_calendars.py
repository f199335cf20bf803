"""An index for the sweep, which looks each second whose calendars are to be told"""

from typing import Any

from alembic import op

revision = "0026"
down_revision: Any = "0025"


def upgrade() -> None:
    """To this version."""
    op.create_index("ix_account_calendar", "account", ["calendar"])
