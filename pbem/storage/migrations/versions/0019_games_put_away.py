"""Games that are over and put away"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0019"
down_revision: Any = "0018"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("archived", types.Utc(), nullable=True))
