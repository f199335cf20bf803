"""Games that take whoever comes, when they begin, and when guests were invited"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0011"
down_revision: Any = "0010"


def upgrade() -> None:
    """To this version. Games from before it take nobody who was not invited; their invitations do not expire."""
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("seating", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("starts_at", types.Utc(), nullable=True))
    with op.batch_alter_table("game") as batch:
        for name in ("seating", "listed"):
            batch.alter_column(name, server_default=None)
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("invited", types.Utc(), nullable=True))
