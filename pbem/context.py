"""What every act of the service needs, made once in each process, after any fork."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlmodel import Session

from pbem import keys
from pbem.door import Closed, Door
from pbem.mail.identity import Identity
from pbem.settings import Settings
from pbem.storage.limits import Limits
from pbem.storage.sessions import Database
from pbem.storage.unwritten import Unwritten

_NUDGES = "nudges"


def _goes_on() -> bool:
    return False


@dataclass(frozen=True)
class Service:
    """The database and what is yet to be written to it, the settings, the keys and the door.

    The time comes from `pbem.clock`.
    """

    database: Database
    settings: Settings
    identity: Identity
    door: Door = field(default_factory=Closed)
    unwritten: Unwritten = field(default_factory=Unwritten)
    stopping: Callable[[], bool] = _goes_on
    """Whether the process was told to stop: what takes long looks now and then, and leaves the rest."""

    @classmethod
    def opened(cls, settings: Settings, door: Door | None = None) -> "Service":
        """The service that the settings name. Raises FileNotFoundError where there are no keys yet."""
        identity = Identity(settings.domain, keys.load(settings.keys), settings.mail_name)
        return cls(Database(settings.database, Limits.of(settings)), settings, identity, door or Closed())

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one moment and changes nothing."""
        with self.database.reading() as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A short session that is committed at its end; what was nudged in it is published after the commit."""
        with self.database.writing() as session:
            session.info[_NUDGES] = []
            yield session
        for task, number in dict.fromkeys(session.info[_NUDGES]):
            self.door.publish(task, number)

    def close(self) -> None:
        """Write what is yet to be written, if that can be now, and let go of the database."""
        self.unwritten.close()
        self.database.close()


def nudge(session: Session, task: str, number: int) -> None:
    """Publish a task once the session has committed, once for each number."""
    session.info[_NUDGES].append((task, number))
