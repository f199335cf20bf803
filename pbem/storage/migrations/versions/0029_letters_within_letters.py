"""Letters within letters, which go out by themselves where that one is withdrawn; and from when on one should go"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0029"
down_revision: Any = "0028"


def upgrade() -> None:
    """To this version. Letters that are there, and those of the code before, have neither."""
    op.add_column("letter", sa.Column("carrier", sa.BigInteger(), nullable=True))
    op.add_column("letter", sa.Column("due", types.Utc(), nullable=True))
    op.create_index("ix_letter_carrier", "letter", ["carrier"])
