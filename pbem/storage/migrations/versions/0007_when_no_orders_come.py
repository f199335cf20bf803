"""What a game does when no orders come, and how long its stages took"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0007"
down_revision: Any = "0006"


def upgrade() -> None:
    """To this version. Games that were begun before it have the default policy."""
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("policy", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("held", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("held_since", types.Utc(), nullable=True))
        batch.add_column(sa.Column("quiet", sa.Integer(), nullable=False, server_default="0"))
        batch.add_column(sa.Column("tend_at", types.Utc(), nullable=True))
        batch.create_index(op.f("ix_game_tend_at"), ["tend_at"])
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("extensions", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("game") as batch:
        for name in ("policy", "held", "quiet"):
            batch.alter_column(name, server_default=None)
    with op.batch_alter_table("seat") as batch:
        batch.alter_column("extensions", server_default=None)
    op.create_table(
        "stagetime",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("opened", types.Utc(), nullable=False),
        sa.Column("deadline", types.Utc(), nullable=True),
        sa.Column("closed", types.Utc(), nullable=False),
        sa.Column("closed_by", sa.String(), nullable=False),
        sa.Column("awaited", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_stagetime_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stagetime")),
        sa.UniqueConstraint("game_id", "line", "number", name=op.f("uq_stagetime_game_id_line_number")),
    )
