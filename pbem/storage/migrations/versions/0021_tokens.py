"""Keys for people's own programs"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0021"
down_revision: Any = "0020"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "apitoken",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.Column("used", types.Utc(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_apitoken_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_apitoken")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_apitoken_account_id_name")),
        sa.UniqueConstraint("digest", name=op.f("uq_apitoken_digest")),
    )
    op.create_index(op.f("ix_apitoken_account_id"), "apitoken", ["account_id"])
