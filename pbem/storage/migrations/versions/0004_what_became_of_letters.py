"""What became of letters"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0004"
down_revision: Any = "0003"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "unwanted",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_unwanted")),
    )
    with op.batch_alter_table("letter") as batch:
        batch.add_column(sa.Column("answer", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("bounced", types.Utc(), nullable=True))
    with op.batch_alter_table("letter") as batch:
        batch.alter_column("answer", server_default=None)
