"""Observers"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0023"
down_revision: Any = "0022"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("observed", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("game") as table:
        table.alter_column("observed", server_default=None)
    op.create_table(
        "observer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("invited", sa.Boolean(), nullable=False),
        sa.Column("since", types.Utc(), nullable=True),
        sa.Column("barred", types.Utc(), nullable=True),
        sa.Column("letters", sa.Boolean(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("stage_number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_observer_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_observer_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_observer")),
        sa.UniqueConstraint("game_id", "account_id", name=op.f("uq_observer_game_id_account_id")),
    )
    op.create_index(op.f("ix_observer_account_id"), "observer", ["account_id"])
    op.create_index(op.f("ix_observer_game_id"), "observer", ["game_id"])
