"""Seals opened"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision: Any = "0004"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "seals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("opened", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seals_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seals")),
        sa.UniqueConstraint("game_id", "line", "entry", name=op.f("uq_seals_game_id_line_entry")),
    )
