"""A game as the service holds it, but in no database: rows in memory, moved on by the service's own pure parts."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self, cast

from sqlmodel import Session

from engine import registry
from engine.contract import Setup
from engine.journal import canonical, commitment, used_orders
from engine.orders.shape import Order
from pbem import clock
from pbem.context import Service
from pbem.games import writing
from pbem.games.position import Played, Player, Position, Ref
from pbem.games.resolve import Outcome, begin
from pbem.games.telling import asks_of
from pbem.mail.identity import Identity
from pbem.reports.data import Acknowledgement
from pbem.settings import Settings
from pbem.sheets import keeping, submitting
from pbem.sheets.received import Post, Received
from pbem.sheets.stored import encode_sheet
from pbem.storage.models import Account, Game, Seat
from pbem.storage.sessions import Database

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECRET = b"a secret of the test"
HEAD = bytes(32)
"""In place of the chain's head, which differs from world to world: salted with the secret, it tells nothing."""


@dataclass(frozen=True)
class Still(clock.Clock):
    """A clock that stands still, so that letters can be compared to the byte."""

    def now(self) -> datetime:
        """Always noon."""
        return NOON


class _Rows(list[Any]):
    def all(self) -> list[Any]:
        return self

    def one(self) -> int:
        """What is counted is none."""
        return 0

    def first(self) -> None:
        """Nothing is found."""


class _Nothing:
    """A session in which nothing is found: no late submissions, none that are newer."""

    def exec(self, *_: object, **__: object) -> _Rows:
        return _Rows()

    def connection(self) -> Self:
        """Where `columns` asks."""
        return self

    def execute(self, *_: object) -> _Rows:
        """Nothing is found."""
        return _Rows()


NOTHING = cast(Session, _Nothing())


def service() -> Service:
    """Settings and keys, and no database."""
    settings = Settings(data_dir=Path("/nonexistent"), domain="play.example", smtp_port=1)
    return Service(cast(Database, None), settings, Identity("play.example", (b"k" * 32,)))


def begun(name: str, seats: int, pace: str) -> Position:
    """A game whose players have joined, its first stage open."""
    game = Game(
        code="leak",
        title="Leak",
        rules=name,
        rules_version=1,
        setup=canonical(Setup(seats)),
        pace=pace,
        stage_seconds=3600,
        settling_seconds=0,
        secret=SECRET,
        secret_hash=commitment(SECRET),
        created=NOON,
        id=1,
        status="playing",
    )
    names = registry.load(name).seat_names
    rows = [Seat(id=n + 1, game_id=1, number=n, name=names[n], account_id=n + 1, joined=NOON) for n in range(seats)]
    players = {n: Player(Account(id=n + 1, name=f"P{n}", created=NOON), f"p{n}@x.example") for n in range(seats)}
    return after(begin(game, rows, players), {})


def opened(position: Position) -> Position:
    """The position with its rows as they are when a stage opens where the table stands now."""
    rules, table, game = position.rules, position.table, position.game
    stage = rules.stage(table.state, game.pace)
    waiting = ",".join(map(str, asks_of(position)))
    return replace(position, game=_game(game, stage_key=stage.key, waiting=waiting, next_entry=table.number + 1))


def post_of(position: Position, seat: int, text: str) -> Post:
    """A mail that has just come."""
    return Post(1, seat, text, "mail", f"mail/{seat}/{position.game.next_submission}", NOON)


def read(position: Position, post: Post) -> Received:
    """What a post comes to."""
    return submitting._read_post(service(), NOTHING, position, post)


def acknowledged(position: Position, post: Post, found: Received, outcome: str = "") -> Acknowledgement:
    """What its sender is told."""
    return submitting._acknowledgement(found, post, submitting._settling(position, post.seat, found), outcome)


def submitted(position: Position, seat: int, text: str, written: dict[int, tuple[Order, ...]]) -> Position:
    """The position after a submission, as if stored and read again; `written` keeps the orders by submission."""
    post = post_of(position, seat, text)
    found = read(position, post)
    if not found.kept:
        return position
    game, sheet = position.game, found.folded.after
    before = position.seats[seat]
    row = Seat(**{**before.model_dump(), **keeping.seat_after(before, found, encode_sheet(sheet))})
    written[game.next_submission] = found.reading.orders
    return replace(
        position,
        game=_game(game, version=game.version + 1, next_submission=game.next_submission + 1),
        seats=[row if each.number == seat else each for each in position.seats],
        sheets={**position.sheets, seat: sheet},
        replaced=_replaced(position.used, {**position.sheets, seat: sheet}, written),
    )


def after(outcome: Outcome, written: dict[int, tuple[Order, ...]]) -> Position:
    """The position once an outcome is written and read again."""
    position, outlook = outcome.position, outcome.outlook
    position.table.head = HEAD
    seats = []
    for seat in position.seats:
        row = writing._seat(outcome, seat)
        del row["row"]
        seats.append(Seat(**{**seat.model_dump(), **row}))
    now = [Played(record.entry, dict(record.tried), canonical(record.events)) for record in outcome.records]
    played = [] if outlook.closed else position.played + now
    fresh = position.untold + [(record.entry.number, list(record.events)) for record in outcome.records]
    told = min(seat.told for seat in seats)
    sheets = dict(outlook.sheets)
    return replace(
        position,
        game=_game(position.game, **writing._game(outcome)),
        seats=seats,
        sheets=sheets,
        played=played,
        untold=[(number, events) for number, events in fresh if number > told],
        replaced=_replaced(used_orders(each.entry for each in played), sheets, written),
    )


def forced(position: Position) -> Position:
    """The position when the deadline has passed."""
    return replace(position, game=_game(position.game, deadline=NOON - timedelta(minutes=1)))


def _game(game: Game, **changes: Any) -> Game:
    return Game(**{**game.model_dump(), **changes})


def _replaced(used: frozenset[Ref], sheets: Any, written: dict[int, tuple[Order, ...]]) -> dict[Ref, Order]:
    standing = {kept.ref for sheet in sheets.values() for kept in sheet.orders}
    return {ref: written[ref[0]][ref[1]] for ref in used - standing if ref[0] in written}
