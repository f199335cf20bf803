"""A process that dies at a commit: what it held stays held, what it had not committed was never done."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlmodel import Session

from pbem.storage.sessions import Database


class Died(BaseException):
    """The process is gone: nothing that would catch an error of its own catches this."""


@dataclass
class Life:
    """How many commits a process still makes, None for as many as it likes.

    At the last one it dies before it is made or, `after`, once it is made.
    """

    left: int | None = None
    after: bool = False
    dead: bool = False

    def spend(self) -> bool:
        """Whether this is the last commit. Raises Died for one that is dead already."""
        if self.dead:
            raise Died
        if self.left is None:
            return False
        self.left -= 1
        self.dead = self.left <= 0
        return self.dead


class MortalDatabase(Database):
    """A database whose user has a `life`."""

    def __init__(self, url: str, life: Life) -> None:
        super().__init__(url)
        self.life = life

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """As ever, as long as the process lives."""
        last = self.life.spend()
        with super().writing() as session:
            yield session
            if last and not self.life.after:
                raise Died
        if last:
            raise Died
