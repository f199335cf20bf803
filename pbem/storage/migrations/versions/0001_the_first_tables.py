"""The first tables"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.storage import types

revision = "0001"
down_revision: Any = None


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("moderator", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "picture",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("svg", sa.String(), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_picture")),
    )
    op.create_table(
        "setting",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_setting")),
    )
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("main", sa.Boolean(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_address_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address")),
        sa.UniqueConstraint("address", name=op.f("uq_address_address")),
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_account_id"), ["account_id"], unique=False)

    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("setup", sa.LargeBinary(), nullable=False),
        sa.Column("pace", sa.String(), nullable=False),
        sa.Column("stage_seconds", sa.Integer(), nullable=False),
        sa.Column("settling_seconds", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("moderator_id", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("next_entry", sa.Integer(), nullable=False),
        sa.Column("next_submission", sa.Integer(), nullable=False),
        sa.Column("next_ruling", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("stage_number", sa.Integer(), nullable=False),
        sa.Column("opened", types.Utc(), nullable=True),
        sa.Column("deadline", types.Utc(), nullable=True),
        sa.Column("settle_until", types.Utc(), nullable=True),
        sa.Column("waiting", sa.String(), nullable=False),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("not_before", types.Utc(), nullable=True),
        sa.Column("aside", sa.Boolean(), nullable=False),
        sa.Column("problem", sa.String(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.Column("started", types.Utc(), nullable=True),
        sa.Column("ended", types.Utc(), nullable=True),
        sa.ForeignKeyConstraint(["moderator_id"], ["account.id"], name=op.f("fk_game_moderator_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("code", name=op.f("uq_game_code")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index("ix_game_due_deadline", ["status", "aside", "deadline"], unique=False)
        batch_op.create_index("ix_game_due_settle", ["status", "aside", "settle_until"], unique=False)

    op.create_table(
        "signinlink",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("created", types.Utc(), nullable=False),
        sa.Column("expires", types.Utc(), nullable=False),
        sa.Column("used", types.Utc(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_signinlink_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signinlink")),
        sa.UniqueConstraint("digest", name=op.f("uq_signinlink_digest")),
    )
    with op.batch_alter_table("signinlink", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_signinlink_account_id"), ["account_id"], unique=False)

    op.create_table(
        "journalentry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("entry", sa.LargeBinary(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.Column("tried", sa.LargeBinary(), nullable=False),
        sa.Column("public_hash", sa.LargeBinary(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_journalentry_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_journalentry")),
        sa.UniqueConstraint("game_id", "line", "number", name=op.f("uq_journalentry_game_id_line_number")),
    )
    with op.batch_alter_table("journalentry", schema=None) as batch_op:
        batch_op.create_index("ix_journalentry_stage", ["game_id", "line", "stage_key"], unique=False)

    op.create_table(
        "letter",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("references", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("fate", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease", types.Utc(), nullable=True),
        sa.Column("next_try", types.Utc(), nullable=False),
        sa.Column("queued", types.Utc(), nullable=False),
        sa.Column("sent", types.Utc(), nullable=True),
        sa.Column("problem", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_letter_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_letter_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("key", name=op.f("uq_letter_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_letter_message_id")),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_account_id"), ["account_id"], unique=False)
        batch_op.create_index("ix_letter_due", ["fate", "next_try"], unique=False)
        batch_op.create_index("ix_letter_lease", ["fate", "lease"], unique=False)
        batch_op.create_index("ix_letter_seat", ["game_id", "seat"], unique=False)

    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("sender", sa.Integer(), nullable=False),
        sa.Column("seats", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_press_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
    )
    with op.batch_alter_table("press", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_press_game_id"), ["game_id"], unique=False)

    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("stage_number", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("picture", sa.String(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_report_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint(
            "game_id", "line", "seat", "entry", "kind", name=op.f("uq_report_game_id_line_seat_entry_kind")
        ),
    )
    op.create_table(
        "ruling",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("params", sa.String(), nullable=False),
        sa.Column("secret", sa.Boolean(), nullable=False),
        sa.Column("told", sa.String(), nullable=False),
        sa.Column("at", types.Utc(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_ruling_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_ruling_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ruling")),
        sa.UniqueConstraint("game_id", "number", name=op.f("uq_ruling_game_id_number")),
    )
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("standin", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("public_word", sa.String(), nullable=False),
        sa.Column("joined", types.Utc(), nullable=True),
        sa.Column("resigned", types.Utc(), nullable=True),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("passes", sa.Boolean(), nullable=False),
        sa.Column("sent", sa.Boolean(), nullable=False),
        sa.Column("silent", sa.Boolean(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("sheet", sa.LargeBinary(), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_seat_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("game_id", "number", name=op.f("uq_seat_game_id_number")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_game_id"), ["game_id"], unique=False)

    op.create_table(
        "snapshot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("closes", sa.Boolean(), nullable=False),
        sa.Column("table", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_snapshot_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot")),
        sa.UniqueConstraint("game_id", "line", "number", name=op.f("uq_snapshot_game_id_line_number")),
    )
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("received", types.Utc(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("mail_from", sa.String(), nullable=False),
        sa.Column("rcpt_to", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("letter_id", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease", types.Utc(), nullable=True),
        sa.Column("next_try", types.Utc(), nullable=False),
        sa.Column("problem", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_inbound_game_id_game")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_inbound_letter_id_letter")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
    )
    with op.batch_alter_table("inbound", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inbound_digest"), ["digest"], unique=False)
        batch_op.create_index("ix_inbound_due", ["status", "next_try"], unique=False)
        batch_op.create_index("ix_inbound_seat", ["game_id", "status", "received"], unique=False)

    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("stage_key", sa.String(), nullable=False),
        sa.Column("received", types.Utc(), nullable=False),
        sa.Column("stored", types.Utc(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("reading", sa.LargeBinary(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("used_late", types.Utc(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_submission_game_id_game")),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name=op.f("fk_submission_inbound_id_inbound")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("game_id", "number", name=op.f("uq_submission_game_id_number")),
        sa.UniqueConstraint("key", name=op.f("uq_submission_key")),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submission_inbound_id"), ["inbound_id"], unique=False)
        batch_op.create_index("ix_submission_stage", ["game_id", "stage_key", "seat"], unique=False)
