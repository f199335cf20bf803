"""The sheets of a stage that was left are kept as well: it may end at the entry at which the one before it closed"""

from typing import Any

from alembic import op

revision = "0009"
down_revision: Any = "0008"


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("seals") as table:
        table.drop_constraint("uq_seals_game_id_line_entry", type_="unique")
        table.create_unique_constraint(
            "uq_seals_game_id_line_entry_stage_key", ["game_id", "line", "entry", "stage_key"]
        )
