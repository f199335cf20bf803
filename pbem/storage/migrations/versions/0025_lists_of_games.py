"""Indexes for the lists of games on a player's home page"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision: Any = "0024"

SHOWN = sa.text("""(listed OR policy LIKE '%"observers":"anybody"%')""")


def upgrade() -> None:
    """To this version."""
    op.create_index("ix_game_shown", "game", ["status", "id"], sqlite_where=SHOWN, postgresql_where=SHOWN)
    op.create_index("ix_game_listed", "game", ["listed", "status", "id"])
    op.create_index("ix_game_led", "game", ["moderator_id", "id"])
    op.create_index("ix_game_archived", "game", ["archived", "id"])
