"""What players propose and vote on, and games that end by it"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0017"
down_revision: Any = "0016"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("agreed", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("voting", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("game") as batch:
        for name in ("agreed", "voting"):
            batch.alter_column(name, server_default=None)
    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("params", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("stage_number", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("ruling", sa.Integer(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_proposal_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_proposal_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposal")),
    )
    op.create_index(op.f("ix_proposal_game_id"), "proposal", ["game_id"])
    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("proposal_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("yes", sa.Boolean(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["proposal_id"], ["proposal.id"], name=op.f("fk_vote_proposal_id_proposal")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vote")),
        sa.UniqueConstraint("proposal_id", "seat", name=op.f("uq_vote_proposal_id_seat")),
    )
