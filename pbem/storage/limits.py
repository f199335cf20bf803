"""How many connections a process has, how long it waits for one, and how long what it asks may take."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.engine import URL

from pbem.settings import Settings

KEPT = 5
"""Connections that are kept open when nobody needs them."""
CONNECT_SECONDS = 10
_NETWORK: dict[str, Any] = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
    "application_name": "pbem",
}
"""A server that went away without a word is noticed within a minute; words of the address go before these."""


@dataclass(frozen=True)
class Limits:
    """Times in seconds; 0 leaves a time to the server's own settings.

    `connections` are for reading and for writing each. `wait` is for a free connection, and on SQLite for its lock.
    """

    connections: int = 15
    wait: float = 30
    statement: float = 40
    idle: float = 60

    @classmethod
    def of(cls, settings: Settings) -> "Limits":
        """Those that the settings name."""
        return cls(
            settings.database_connections,
            settings.database_wait_seconds,
            settings.statement_seconds,
            settings.idle_transaction_seconds,
        )

    @property
    def pool(self) -> dict[str, Any]:
        """The words for SQLAlchemy's pool of connections to PostgreSQL."""
        kept = min(KEPT, self.connections)
        return {
            "pool_size": kept,
            "max_overflow": self.connections - kept,
            "pool_timeout": self.wait,
        }

    @property
    def session(self) -> dict[str, int]:
        """What a connection sets at PostgreSQL, in milliseconds."""
        found = {"statement_timeout": self.statement, "idle_in_transaction_session_timeout": self.idle}
        return {name: round(seconds * 1000) for name, seconds in found.items() if seconds}


USUAL = Limits()
"""For programs that look after the database."""


def network(url: URL) -> dict[str, Any]:
    """The words for the driver of PostgreSQL, without those that the address has."""
    return {name: value for name, value in _NETWORK.items() if name not in url.query}
