"""Games whose players learn only at the end who they were"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision: Any = "0014"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("anonymous", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("game") as batch:
        batch.alter_column("anonymous", server_default=None)
