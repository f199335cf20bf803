"""Many games at once: a few are played for some turns, and the database makes the others of them, row by row.

A twin has a code, seats, letters and a deadline of its own; its secret and its journal are those of the game that it
was made of, so it is played on like any other. Each player has the same seat in some of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, text
from sqlmodel import SQLModel, col, func, select, update

from pbem import clock
from pbem.context import Service
from pbem.games.advance import advance
from pbem.storage.models import (
    Account,
    Game,
    JournalEntry,
    Letter,
    Report,
    Seat,
    Snapshot,
    Submission,
)
from pbem.storage.types import EPOCH
from tests.pbem.playing import Match, begun
from tests.pbem.turns import BRASS_EMPIRE, ROCKWELL

SEATS = 4
GAMES_EACH = 4
"""How many games a player is in."""
WARM = 16
"""Games that are played before the day begins."""
TURNS = 2
"""Of each kind a game is made that has been played for none, one … fewer turns than that."""
NEVER_HELD_UP = {"open_after": "0", "pause_after": "0", "ask_share": "100"}
"""Games go on whatever is not answered."""
ORDERS: Mapping[str, str] = {"rockwell": ROCKWELL, "brass_empire": f"corporation any{BRASS_EMPIRE}"}
PACE = "brisk"
"""A deadline that passes closes the stage, which is kept with both times."""


@dataclass(frozen=True)
class Many:
    """The games that were made: their numbers begin at `first`; `rules` are those of each, again and again."""

    first: int
    games: int
    rules: Sequence[str]

    def rules_of(self, number: int) -> str:
        """What the game of that number is."""
        return self.rules[(number - self.first) % len(self.rules)]


def make(service: Service, games: int, stage_hours: float) -> Many:
    """So many games, half of each kind. PostgreSQL alone."""
    matches = [_played(service, rules, turns, stage_hours) for turns in range(TURNS) for rules in ORDERS]
    with service.writing() as session:
        first = max(match.id for match in matches) + 1
        person = (session.exec(select(func.max(col(Account.id)))).one() or 0) + 1
        twins = _Twins(session.connection(), [match.id for match in matches], games, first, person)
        twins.write()
    with service.database.writer.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))
    return Many(first, games, [match.game.rules for match in matches])


def warm(service: Service, many: Many) -> list[int]:
    """Let the deadlines of a few games pass now, so that each process has done some work before it is watched."""
    numbers = list(range(many.first, many.first + min(WARM, many.games)))
    with service.writing() as session:
        session.connection().execute(update(Game).where(col(Game.id).in_(numbers)).values(deadline=clock.now()))
    return numbers


def due(service: Service, numbers: Sequence[int]) -> int:
    """How many of these games are still to go on from a deadline that has passed."""
    with service.reading() as session:
        query = select(func.count()).where(col(Game.id).in_(numbers), col(Game.deadline) <= clock.now())
        return session.exec(query).one()


def spread(service: Service, many: Many, stage_hours: float) -> None:
    """Spread the deadlines anew from now on: on whole minutes of the clock, as people set them."""
    start = (clock.now() - EPOCH) // timedelta(minutes=1) + 2
    given = {"start": start, "minutes": stage_hours * 60, "first": many.first, "games": many.games}
    with service.writing() as session:
        session.connection().execute(
            text(
                "UPDATE game SET deadline = (:start + floor((id - :first) * :minutes / :games)) * 60000000"
                " WHERE id >= :first"
            ),
            given,
        )


def player(many: Many, number: int, seat: int) -> str:
    """The address of who has that seat of the game of that number."""
    return _address((number - many.first) % _groups(many.games) * SEATS + seat)


def _address(number: object) -> str:
    return f"player{number}@players.example"


def _groups(games: int) -> int:
    return -(-games // GAMES_EACH)


def _played(service: Service, rules: str, turns: int, stage_hours: float) -> Match:
    match = begun(service, rules, SEATS, pace=PACE, stage_hours=stage_hours, settle_minutes=10, policy=NEVER_HELD_UP)
    for _ in range(turns):
        for seat in range(SEATS):
            match.say(seat, ORDERS[rules])
        with service.writing() as session:
            session.get_one(Game, match.id).settle_until = clock.now()
        assert advance(service, match.id)
    return match


class _Twins:
    """The statements that make them, each for all games at once."""

    def __init__(self, connection: Connection, matches: Sequence[int], games: int, first: int, person: int) -> None:
        self._connection = connection
        self._given = {"first": first, "person": person, "people": _groups(games) * SEATS}
        self._run(
            "CREATE TEMPORARY TABLE twin ON COMMIT DROP AS"
            " SELECT :first + n AS game_id, (CAST(:matches AS integer[]))[1 + n % :kinds] AS of_id, n"
            " FROM generate_series(0, :games - 1) AS n",
            matches=list(matches),
            kinds=len(matches),
            games=games,
        )

    def write(self) -> None:
        """Players first, then games, then what belongs to them."""
        now = (clock.now() - EPOCH) // timedelta(microseconds=1)
        people = "generate_series(0, :people - 1) AS n"
        self._run(
            "INSERT INTO account SELECT (jsonb_populate_record(one, jsonb_build_object('id', :person + n))).*"
            f" FROM account AS one, {people} WHERE one.id = :person - 1"
        )
        self._run(
            "INSERT INTO address (account_id, address, main, created)"
            f" SELECT :person + n, 'player' || n || '@players.example', true, :now FROM {people}",
            now=now,
        )
        mine = "(n % (:people / 4)) * 4"
        account, recipient = (f":person + {mine} + {{seat}}", f"'player' || ({mine} + {{seat}}) || '@players.example'")
        self._copy(Game, "id", {"id": "twin.game_id", "code": "'day' || n"})
        self._copy(Seat, "game_id", {"id": _NEXT, "account_id": account.format(seat="old.number")})
        self._copy(JournalEntry, "game_id", {"id": _NEXT})
        self._copy(Snapshot, "game_id", {"id": _NEXT})
        self._copy(Submission, "game_id", {"id": _NEXT, "key": "n || '/' || old.key", "inbound_id": "NULL"})
        self._copy(Report, "game_id", {"id": _NEXT}, _OF_THE_STAGE)
        letter = {
            "id": "CAST(floor(random() * 9e18) AS bigint)",
            "key": "n || '/' || old.key",
            "message_id": "n || '/' || old.message_id",
            "account_id": account.format(seat="old.seat"),
            "recipient": recipient.format(seat="old.seat"),
            "content": "CAST('' AS bytea)",  # it has been sent
            "fate": "'sent'",
        }
        self._copy(Letter, "game_id", letter, f"old.kind = 'report' AND {_OF_THE_STAGE}")
        for table in ("account", "game"):
            self._run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")

    def _copy(self, model: type[SQLModel], of: str, values: Mapping[str, str], where: str = "true") -> None:
        """A row for each row of the game that a twin is made of; `values` are what is other in it."""
        table: Any = model.__table__  # type: ignore[attr-defined]
        other = {"game_id": "twin.game_id", **values}
        names = [column.name for column in table.columns if other.get(column.name) != _NEXT]
        columns, made = (", ".join(f'"{name}"' for name in names), ", ".join(other.get(n, f'old."{n}"') for n in names))
        self._run(
            f"INSERT INTO {table.name} ({columns}) SELECT {made} FROM twin JOIN {table.name} AS old"
            f' ON old."{of}" = twin.of_id JOIN game AS was ON was.id = twin.of_id WHERE {where}'
        )

    def _run(self, statement: str, **given: object) -> None:
        self._connection.execute(text(statement), {**self._given, **given})


_NEXT = "the sequence's next"
_OF_THE_STAGE = "old.stage_key = was.stage_key"
