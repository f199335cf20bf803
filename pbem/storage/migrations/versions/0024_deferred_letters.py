"""Deferred letters"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision: Any = "0023"


def upgrade() -> None:
    """To this version. A letter that waits begins anew with its pauses: until now deaths of ours were counted too."""
    with op.batch_alter_table("letter") as table:
        table.add_column(sa.Column("deferred", sa.Integer(), nullable=False, server_default="0"))
