"""What a submission changed, so that it can be taken back"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0003"
down_revision: Any = "0002"


def upgrade() -> None:
    """To this version. What was sent before it has entry 0, and can't be taken back."""
    with op.batch_alter_table("submission") as batch:
        batch.add_column(sa.Column("acted", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("entry", sa.Integer(), nullable=False, server_default="0"))
        batch.add_column(sa.Column("sheet_before", sa.LargeBinary(), nullable=False, server_default=sa.text("''")))
        batch.add_column(sa.Column("ready_before", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("sent_before", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("undone", types.Utc(), nullable=True))
    with op.batch_alter_table("submission") as batch:
        for name in ("acted", "entry", "sheet_before", "ready_before", "sent_before"):
            batch.alter_column(name, server_default=None)
