"""Alembic's way in: the connection is given by `pbem.storage.migrate`, never read from a file."""

from alembic import context
from sqlmodel import SQLModel

from pbem.storage import models

assert models.Game.metadata is SQLModel.metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transactional_ddl=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
