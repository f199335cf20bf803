"""What was done to accounts"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0012"
down_revision: Any = "0011"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("account") as batch:
        batch.add_column(sa.Column("blocked", types.Utc(), nullable=True))
        batch.add_column(sa.Column("deleted", types.Utc(), nullable=True))
    op.create_table(
        "siterecord",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subject_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("params", sa.String(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_siterecord_account_id_account")),
        sa.ForeignKeyConstraint(["subject_id"], ["account.id"], name=op.f("fk_siterecord_subject_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_siterecord")),
    )
    op.create_index(op.f("ix_siterecord_subject_id"), "siterecord", ["subject_id"])
