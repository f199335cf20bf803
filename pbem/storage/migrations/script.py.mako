"""${message}"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = ${repr(up_revision)}
down_revision: Any = ${repr(down_revision)}
# One that takes away or changes something says `works_from = "…"`: the oldest version whose code works with the outcome.
# Without that a column is added nullable or with a server_default that stays: the code before goes on inserting rows.


def upgrade() -> None:
    """To this version."""
    ${upgrades if upgrades else "pass"}
