"""Stages whose reports the moderator looks over before they are sent"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision: Any = "0012"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("review", sa.Boolean(), nullable=False, server_default=sa.false()))
