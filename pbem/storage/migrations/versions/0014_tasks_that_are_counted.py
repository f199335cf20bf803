"""Tasks without a row of their own whose attempts are counted"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0014"
down_revision: Any = "0013"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "chore",
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try", types.Utc(), nullable=False),
        sa.Column("aside", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("task", "number", name=op.f("pk_chore")),
    )
    op.create_index(op.f("ix_chore_next_try"), "chore", ["next_try"])
