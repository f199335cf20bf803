"""Press that is muted, unsigned, or an answer; messages of the moderator"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision: Any = "0017"


def upgrade() -> None:
    """To this version. A message that went to no seat was one to the moderator."""
    with op.batch_alter_table("press") as table:
        table.alter_column("sender", existing_type=sa.Integer(), nullable=True)
        table.add_column(sa.Column("key", sa.String(), nullable=True))
        for name in ("everyone", "to_moderator", "anonymous", "veiled"):
            table.add_column(sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("answers", sa.String(), nullable=False, server_default=""))
        table.create_unique_constraint(op.f("uq_press_key"), ["key"])
    op.execute(sa.text("UPDATE press SET to_moderator = (1 = 1) WHERE seats = ''"))
    with op.batch_alter_table("seat") as table:
        table.add_column(sa.Column("mutes", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("press_muted", sa.Boolean(), nullable=False, server_default=sa.false()))
