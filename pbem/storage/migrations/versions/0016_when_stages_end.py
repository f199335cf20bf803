"""When the stages of a game may end"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision: Any = "0015"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("schedule", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("grace_seconds", sa.Integer(), nullable=False, server_default="0"))
