"""What players note to themselves"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0022"
down_revision: Any = "0021"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("changed", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_note_game_id_game")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_note_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
        sa.UniqueConstraint("game_id", "seat", "account_id", name=op.f("uq_note_game_id_seat_account_id")),
    )
    op.create_index(op.f("ix_note_account_id"), "note", ["account_id"])
