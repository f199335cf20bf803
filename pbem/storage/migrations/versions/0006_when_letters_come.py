"""When letters come"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0006"
down_revision: Any = "0005"

_CHOICES: tuple[tuple[str, sa.types.TypeEngine[Any], Any], ...] = (
    ("mails", sa.String(), "each"),
    ("mails_at", sa.Integer(), "480"),
    ("quiet_from", sa.Integer(), "0"),
    ("quiet_to", sa.Integer(), "0"),
    ("remind_hours", sa.Integer(), "0"),
    ("calendar", sa.Boolean(), sa.false()),
    ("feed", sa.Integer(), "0"),
)


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("account") as batch:
        for name, kind, default in _CHOICES:
            batch.add_column(sa.Column(name, kind, nullable=False, server_default=default))
    with op.batch_alter_table("account") as batch:
        for name, _, _ in _CHOICES:
            batch.alter_column(name, server_default=None)
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("reminded", types.Utc(), nullable=True))
        batch.add_column(sa.Column("calendar_at", types.Utc(), nullable=True))
        batch.add_column(sa.Column("calendar_sequence", sa.Integer(), nullable=False, server_default="0"))
        batch.create_index(batch.f("ix_seat_calendar_at"), ["calendar_at"])
    with op.batch_alter_table("seat") as batch:
        batch.alter_column("calendar_sequence", server_default=None)
    with op.batch_alter_table("letter") as batch:
        batch.add_column(sa.Column("patience", types.Utc(), nullable=True))
