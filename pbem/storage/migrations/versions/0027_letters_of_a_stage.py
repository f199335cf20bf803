"""An index for the letters of a stage: without it a seat's page read all that the seat was ever sent"""

from typing import Any

from alembic import op

revision = "0027"
down_revision: Any = "0026"


def upgrade() -> None:
    """To this version."""
    op.create_index("ix_letter_stage", "letter", ["game_id", "stage_key", "seat"])
