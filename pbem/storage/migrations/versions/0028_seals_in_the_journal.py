"""Seals in the journal: kept as they were told, bound into the chain, and the sheets that were used are opened"""

from hashlib import blake2b
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision: Any = "0027"
works_from = "0028"  # code before it would leave a seal behind that is not the sheet's, and make other hashes

EMPTY = b"\x81\xa6orders\x90"
"""The encoding of an empty sheet, which is kept as no bytes."""


def upgrade() -> None:
    """To this version. What was sealed before it is sealed by what is kept of it."""
    connection = op.get_bind()
    nothing = sa.text("X''" if connection.dialect.name == "sqlite" else "''")  # bytes, as the code writes them
    for table, name in (("seat", "seal"), ("journalentry", "opened")):
        with op.batch_alter_table(table) as changed:
            changed.add_column(sa.Column(name, sa.LargeBinary(), nullable=False, server_default=nothing))
    seat = sa.table("seat", *(sa.column(name) for name in ("id", "sheet", "nonce", "seal")))
    for number, sheet, nonce in connection.execute(sa.select(seat.c.id, seat.c.sheet, seat.c.nonce)).all():
        if nonce:
            made = blake2b(bytes(sheet) or EMPTY, key=bytes(nonce), digest_size=16, person=b"pbem seal").digest()
            connection.execute(sa.update(seat).where(seat.c.id == number).values(seal=made))
