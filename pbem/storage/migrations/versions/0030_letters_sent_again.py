"""An index for the letters that may have gone out twice: to count them, all letters were to be read"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision: Any = "0029"

MARKED = sa.text("substr(problem, 1, 10) = 'sent-again'")


def upgrade() -> None:
    """To this version."""
    op.create_index("ix_letter_again", "letter", ["fate"], sqlite_where=MARKED, postgresql_where=MARKED)
