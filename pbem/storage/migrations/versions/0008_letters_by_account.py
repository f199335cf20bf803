"""Letters found by account: those that wait, and those of a day"""

from typing import Any

from alembic import op

revision = "0008"
down_revision: Any = "0007"


def upgrade() -> None:
    """To this version."""
    op.create_index("ix_letter_account_waiting", "letter", ["account_id", "game_id", "fate", "next_try"])
    op.create_index("ix_letter_account_day", "letter", ["account_id", "kind", "queued"])
