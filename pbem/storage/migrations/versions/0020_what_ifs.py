"""Copies of games that one person plays alone"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0020"
down_revision: Any = "0019"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "whatif",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("setup", sa.LargeBinary(), nullable=False),
        sa.Column("pace", sa.String(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.Column("expires", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_whatif_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_whatif_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_whatif")),
        sa.UniqueConstraint("code", name=op.f("uq_whatif_code")),
    )
    op.create_index(op.f("ix_whatif_account_id"), "whatif", ["account_id"])
    op.create_index(op.f("ix_whatif_expires"), "whatif", ["expires"])
    op.create_table(
        "whatifmoment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("what_if_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("moment", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["what_if_id"], ["whatif.id"], name=op.f("fk_whatifmoment_what_if_id_whatif"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_whatifmoment")),
        sa.UniqueConstraint("what_if_id", "number", name=op.f("uq_whatifmoment_what_if_id_number")),
    )
