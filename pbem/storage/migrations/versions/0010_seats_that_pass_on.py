"""Who waits for a seat or is asked to take one, and who held it before"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0010"
down_revision: Any = "0009"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "standby",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("wish", sa.Integer(), nullable=True),
        sa.Column("waits", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("asked", types.Utc(), nullable=True),
        sa.Column("letter_id", sa.BigInteger(), nullable=True),
        sa.Column("created", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_standby_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_standby_game_id_game")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_standby_letter_id_letter")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standby")),
        sa.UniqueConstraint("game_id", "account_id", name=op.f("uq_standby_game_id_account_id")),
    )
    op.create_table(
        "tenure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("joined", types.Utc(), nullable=False),
        sa.Column("left", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_tenure_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_tenure_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenure")),
    )
    for table in ("standby", "tenure"):
        for column in ("game_id", "account_id"):
            op.create_index(op.f(f"ix_{table}_{column}"), table, [column])
