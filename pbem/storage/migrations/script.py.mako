"""${message}"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = ${repr(up_revision)}
down_revision: Any = ${repr(down_revision)}


def upgrade() -> None:
    """To this version."""
    ${upgrades if upgrades else "pass"}
