"""Absences"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0002"
down_revision: Any = "0001"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("begins", types.Utc(), nullable=False),
        sa.Column("ends", types.Utc(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_absence_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absence")),
    )
    with op.batch_alter_table("absence") as batch:
        batch.create_index(batch.f("ix_absence_account_id"), ["account_id"])
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("absence", sa.String(), nullable=False, server_default="wait"))
    with op.batch_alter_table("game") as batch:
        batch.alter_column("absence", server_default=None)
