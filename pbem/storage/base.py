"""What all tables have in common: how they and their keys and indexes are named."""

from sqlalchemy.orm import declared_attr
from sqlmodel import SQLModel

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
SQLModel.metadata.naming_convention = NAMING


class Table(SQLModel):
    """The root of all tables, named for their class in lower case."""

    @declared_attr.directive
    @classmethod
    def __tablename__(cls) -> str:
        """The name of the class in lower case."""
        return cls.__name__.lower()
