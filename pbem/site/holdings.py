"""What the database holds of a person: every column that names an account, and what becomes of it when that goes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from sqlalchemy import Column, Table, delete, update
from sqlmodel import Session, SQLModel, col, select

from pbem import clock
from pbem.storage.models import Game, Observer, Proposal, Seat, Standby, Tenure
from pbem.voting.proposals import CARRYING, FAILED, OPEN


class Fate(Enum):
    """What deleting an account does to the rows that name it. Merging hands all of them over to the other account."""

    DROP = "the row goes"
    CLEAR = "the row stays and names nobody"
    KEEP = "the row stays and names an account without a person"


HOLDINGS: Mapping[str, Fate] = {
    "address.account_id": Fate.DROP,
    "absence.account_id": Fate.DROP,
    "note.account_id": Fate.DROP,
    "signinlink.account_id": Fate.DROP,
    "apitoken.account_id": Fate.DROP,
    "standby.account_id": Fate.DROP,
    "whatif.account_id": Fate.DROP,
    "observer.account_id": Fate.DROP,
    "seat.account_id": Fate.CLEAR,
    "game.moderator_id": Fate.CLEAR,
    "letter.account_id": Fate.CLEAR,
    "ruling.account_id": Fate.KEEP,
    "tenure.account_id": Fate.KEEP,
    "proposal.account_id": Fate.KEEP,
    "siterecord.account_id": Fate.KEEP,
    "siterecord.subject_id": Fate.KEEP,
}
"""Every foreign key to an account; a test finds one that is missing."""

KEYS = ("signinlink.account_id", "apitoken.account_id")
"""Which of them let somebody in."""


def columns() -> Mapping[str, Column[int]]:
    """Every column of the database that names an account, as `table.column`."""
    found = {}
    for table in SQLModel.metadata.tables.values():
        for key in table.foreign_keys:
            if key.column.table.name == "account":
                found[f"{table.name}.{key.parent.name}"] = key.parent
    return found


@dataclass(frozen=True)
class Held:
    """A seat that the account has (`until` None), or had; `since` None where it has not joined yet."""

    game_id: int
    seat: int
    since: datetime | None
    until: datetime | None = None


def held(session: Session, account_id: int) -> list[Held]:
    """The seats that an account has and had."""
    seats = session.exec(select(Seat).where(col(Seat.account_id) == account_id).order_by(col(Seat.id)))
    tenures = session.exec(select(Tenure).where(col(Tenure.account_id) == account_id).order_by(col(Tenure.id)))
    found = [Held(row.game_id, row.number, row.joined) for row in seats]
    return found + [Held(row.game_id, row.seat, row.joined, row.left) for row in tenures]


def hand_over(session: Session, account_id: int, to: int) -> None:
    """Everything that names the one account names the other.

    Keys to the one account alone go, tokens and links by mail; so does a place in a line where the other is in it, or
    in the game.
    """
    theirs = {each.game_id for each in held(session, to)}
    theirs |= set(session.exec(select(Standby.game_id).where(col(Standby.account_id) == to)))
    _leave_lines(session, account_id, theirs)
    plays = {each.game_id for number in (account_id, to) for each in held(session, number)}
    watches = set(session.exec(select(Observer.game_id).where(col(Observer.account_id) == to)))
    _observe_no_longer(session, to, plays)
    _observe_no_longer(session, account_id, plays | watches)
    for name, column in columns().items():
        table = column.table
        assert isinstance(table, Table)
        if name in KEYS:
            session.connection().execute(delete(table).where(column == account_id))
        elif not name.startswith("siterecord."):
            session.connection().execute(update(table).where(column == account_id).values({column.name: to}))


def _leave_lines(session: Session, account_id: int, games: set[int]) -> None:
    """Wait for no seat of these games any more, and be offered none: who waits next is looked for."""
    lines = select(Standby).where(col(Standby.account_id) == account_id, col(Standby.game_id).in_(games))
    for row in session.exec(lines).all():
        session.delete(row)
        session.connection().execute(update(Game).where(col(Game.id) == row.game_id).values(tend_at=clock.now()))
    session.flush()


def _observe_no_longer(session: Session, account_id: int, games: set[int]) -> None:
    """Observe none of these games: who plays in one does not, and nobody does twice."""
    mine = col(Observer.account_id) == account_id, col(Observer.game_id).in_(games)
    session.connection().execute(delete(Observer).where(*mine))


def _end_proposals(session: Session, account_id: int) -> None:
    """What the account has proposed as a moderator is not done any more, however the votes go."""
    ends = col(Proposal.account_id) == account_id, col(Proposal.outcome).in_((OPEN, CARRYING))
    session.connection().execute(update(Proposal).where(*ends).values(outcome=FAILED))


def let_go(session: Session, account_id: int) -> None:
    """What is the account's alone goes, and what others need names nobody."""
    _leave_lines(session, account_id, set(session.exec(select(Standby.game_id))))
    _end_proposals(session, account_id)
    for name, column in columns().items():
        table = column.table
        assert isinstance(table, Table)
        if HOLDINGS[name] is Fate.DROP:
            session.connection().execute(delete(table).where(column == account_id))
        elif HOLDINGS[name] is Fate.CLEAR:
            session.connection().execute(update(table).where(column == account_id).values({column.name: None}))
