"""A game as it stands, read in one moment: its row, its seats and who holds them, its table, its sheets."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec
import structlog
from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from engine.contract import Bot, Event, Rules, RulesModule
from engine.errors import BadJournal, BadSnapshot
from engine.journal import Entry, Seals, decode, used_orders
from engine.orders.shape import Order
from engine.orders.sheet import Kept, Sheet, Tried
from engine.table import Table, follow, replay
from pbem.errors import Refused
from pbem.games.away import STANDING, WAIT, Absences, absences, away_now
from pbem.games.recording import present_line
from pbem.games.rules import module_of, rules_of
from pbem.sheets.stored import decode_reading, decode_sheet
from pbem.storage.models import Account, Address, Game, JournalEntry, Observer, Seat, Snapshot, Submission
from pbem.storage.sessions import columns

log = structlog.get_logger()

Ref = tuple[int, int]
FINISHED = ("over", "cancelled")
"""States of a game that is played no more."""
MOVED = "moved"
"""The state of one that is played on at another house: all that it hides stays hidden here."""
LEFT = (*FINISHED, MOVED)
"""States of a game that is not played here any more."""

# Statements that every submission and every advance need are built once: building takes longer than carrying out.
_GAME = select(Game).where(col(Game.id) == bindparam("game"))
_SEATS = select(Seat).where(col(Seat.game_id) == bindparam("game")).order_by(col(Seat.number))
_SEAT = select(Seat).where(col(Seat.game_id) == bindparam("game"), col(Seat.number) == bindparam("number"))
_PLAYERS = (
    select(Seat.number, Seat.generation, Seat.resigned, Account, Address.address)  # type: ignore[call-overload]
    .join(Account, col(Account.id) == col(Seat.account_id))
    .join(Address, col(Address.account_id) == col(Account.id))
    .where(col(Seat.game_id) == bindparam("game"))
    .order_by(col(Seat.number), col(Address.main), col(Address.id).desc())
)
_WATCHERS = (
    select(Account.name)
    .join(Observer, col(Observer.account_id) == col(Account.id))
    .where(col(Observer.game_id) == bindparam("game"), col(Observer.since).is_not(None))
    .order_by(col(Observer.since), col(Observer.id))
)
_SNAPSHOT = (
    select(Snapshot.table)
    .where(col(Snapshot.game_id) == bindparam("game"), col(Snapshot.line) == bindparam("line"))
    .order_by(col(Snapshot.number).desc())
    .limit(1)
)
_ENTRIES = (
    select(JournalEntry.entry, JournalEntry.tried, JournalEntry.events)
    .where(
        col(JournalEntry.game_id) == bindparam("game"),
        col(JournalEntry.line) == bindparam("line"),
        col(JournalEntry.stage_key) == bindparam("stage"),
    )
    .order_by(col(JournalEntry.number))
)


@dataclass(frozen=True)
class Player:
    """Who holds a seat, or held it last (`left`), and where letters go; `generation` is the seat's, for their reply
    addresses."""

    account: Account
    address: str
    generation: int = 0
    left: bool = False


@dataclass(frozen=True)
class Played:
    """A journal entry of the present stage with what is kept beside it. Its choices are plain values."""

    entry: Entry
    tried: dict[int, tuple[Tried, ...]]
    stored_events: bytes = b""

    @property
    def events(self) -> list[Event]:
        """What happened at it, its data as plain values."""
        return stored_events(self.stored_events) if self.stored_events else []


@dataclass(frozen=True)
class Position:
    """Everything that play, acknowledgement and report are made from. `sheets` are by seat."""

    game: Game
    seats: list[Seat]
    players: Mapping[int, Player]
    module: RulesModule
    rules: Rules
    table: Table
    sheets: dict[int, Sheet]
    played: list[Played]
    untold: list[tuple[int, list[Event]]]
    """The events of entries that some seat's reports have not told of yet, with the entry's number."""
    replaced: dict[Ref, Order]
    """Orders that this stage has used and that no longer stand on a sheet."""
    away: Absences = field(default_factory=dict)
    observers: tuple[str, ...] = ()
    """Who observes the game, as its players are told: names, empty ones where it is anonymous."""

    @property
    def used(self) -> frozenset[Ref]:
        """The orders that this stage has used on the present line."""
        return used_orders(each.entry for each in self.played)

    @property
    def seals(self) -> Seals:
        """What commits to the sheets as their players were told."""
        return tuple((seat.number, seat.seal) for seat in self.seats if seat.nonce)

    def open_orders(self, sheet: Sheet) -> tuple[Kept, ...]:
        """The orders of a sheet of this game that can still be used: the standing ones, and what was not used yet."""
        used = self.used
        return tuple(kept for kept in sheet.orders if kept.order.always or kept.ref not in used)

    @property
    def held(self) -> frozenset[int]:
        """The seats that have a player, who gets the reports."""
        return frozenset(seat.number for seat in self.seats if holds(seat))

    @property
    def expected(self) -> frozenset[int]:
        """The seats whose orders play may wait for."""
        return frozenset(seat.number for seat in self.seats if expected(seat))

    @property
    def standins(self) -> dict[int, Bot]:
        """The stand-ins, by the seat that they play: for good, or as long as its player is away."""
        levels = {seat.number: seat.standin for seat in self.seats if seat.standin}
        if self.game.absence not in (WAIT, STANDING):
            levels |= dict.fromkeys(self.excused, self.game.absence)
        return {number: self.module.bots[level](self.rules) for number, level in levels.items()}

    @property
    def excused(self) -> frozenset[int]:
        """Those of them that are not waited for because their players are away; none where all of them are."""
        if self.game.absence == WAIT:
            return frozenset()
        gone = self.expected & away_now(self.away).keys()
        return gone if self.expected - gone else frozenset()


def stored_events(stored: bytes) -> list[Event]:
    """Events as the journal keeps them, their data as plain values."""
    return _events.decode(stored)


def tried_orders(stored: bytes) -> dict[int, tuple[Tried, ...]]:
    """By seat the orders that were looked at and not used, as the journal keeps them."""
    return _tried.decode(stored) if stored else {}


def holds(seat: Seat) -> bool:
    """Whether the seat has a player."""
    return seat.account_id is not None and seat.joined is not None and seat.resigned is None


def expected(seat: Seat) -> bool:
    """Whether play may wait for the seat's orders: never where a stand-in plays it, or nobody does."""
    return holds(seat) and not seat.standin


def numbers(stored: str) -> tuple[int, ...]:
    """Seats as they are stored in one text."""
    return tuple(int(number) for number in stored.split(",") if number)


def game_row(session: Session, code: str) -> Game:
    """The game of that code. Raises Refused `no_game`."""
    game = session.exec(select(Game).where(col(Game.code) == code.strip().lower())).one_or_none()
    if game is None:
        raise Refused("no_game", game=code)
    return game


def game_of(session: Session, game_id: int) -> Game | None:
    """The game of that number, if there is one."""
    return session.exec(_GAME, params={"game": game_id}).one_or_none()


def seat_rows(session: Session, game_id: int) -> list[Seat]:
    """The seats in order."""
    return list(session.exec(_SEATS, params={"game": game_id}))


def seat_row(session: Session, game_id: int, number: int) -> Seat | None:
    """The seat of that number, if there is one."""
    return session.exec(_SEAT, params={"game": game_id, "number": number}).one_or_none()


def players_of(session: Session, game_id: int) -> dict[int, Player]:
    """The player of each seat that has one, or had one who left, with the main address."""
    rows = session.exec(_PLAYERS, params={"game": game_id})
    return {
        number: Player(account, address, generation, resigned is not None)
        for number, generation, resigned, account, address in rows
    }


def name_shown(game: Game, player: Player | None) -> str:
    """A player's name as the others see it: empty for nobody, and in an anonymous game until its end."""
    if player is None or (game.anonymous and game.status not in FINISHED):
        return ""
    return player.account.name


def watchers(session: Session, game: Game) -> tuple[str, ...]:
    """Who observes the game as its players are told: names, empty ones where it is anonymous, before its end."""
    if not game.observed:
        return ()
    is_masked = game.anonymous and game.status not in FINISHED
    return tuple("" if is_masked else name for name in session.exec(_WATCHERS, params={"game": game.id}))


def words_of(seats: list[Seat]) -> list[str]:
    """The players' public words, by seat."""
    return [seat.public_word for seat in seats]


def position(session: Session, game_id: int, to_come: int | None = None) -> Position:
    """The position of a game that has begun; `to_come` is a seat that is about to get a player, who is to be told too.

    Raises Refused `no_game`, UnknownVersion, UnknownRules, BadJournal."""
    game = session.get(Game, game_id)
    if game is None:
        raise Refused("no_game", game=str(game_id))
    seats = seat_rows(session, game_id)
    found = position_of(session, game, seats)
    if to_come is None:
        return found
    return replace(found, untold=_untold(session, game, [*(seat for seat in seats if holds(seat)), seats[to_come]]))


def position_of(session: Session, game: Game, seats: list[Seat]) -> Position:
    """The position of a game whose row and seats are at hand. Raises as `position` does, but for `no_game`."""
    if not game.next_entry:
        raise Refused("wrong_status", status=game.status)
    rules = rules_of(game)
    table = _table(session, game, rules, words_of(seats))
    return stand(session, game, seats, table, {seat.number: decode_sheet(rules, seat.sheet) for seat in seats})


def stand(session: Session, game: Game, seats: list[Seat], table: Table, sheets: dict[int, Sheet]) -> Position:
    """The position with that table and these sheets; what was played in the stage and is untold is read to its entry.

    `game` and `seats` may be copies of the rows as they were earlier.
    """
    assert game.id is not None
    now = {"game": game.id, "line": game.line, "stage": game.stage_key}
    rows = columns(session, _ENTRIES, now).all() if not game.line else _of_stage(session, game)
    played = [Played(_entry.decode(entry), tried_orders(tried), events) for entry, tried, events in rows]
    return Position(
        game=game,
        seats=seats,
        players=players_of(session, game.id),
        module=module_of(game),
        rules=table.rules,
        table=table,
        sheets=sheets,
        played=played,
        untold=_untold(session, game, [seat for seat in seats if holds(seat)]),
        replaced=_replaced(session, game, table.rules, played, sheets),
        away=absences(session, game.id),
        observers=watchers(session, game),
    )


def _table(session: Session, game: Game, rules: Rules, words: list[str]) -> Table:
    """From the newest snapshot and what the journal has since then; without a good one from the journal alone."""
    snapshot = columns(session, _SNAPSHOT, {"game": game.id, "line": game.line}).scalar() or b""
    try:
        return _caught_up(session, game, Table.restore(rules, game.secret, words, snapshot))
    except (BadSnapshot, BadJournal) as error:
        # Whatever is wrong with a snapshot, the journal has the last word; where that is wrong too, it says so itself.
        log.warning("table_replayed", game=game.id, problem=str(error))
    line = present_line(session, game).values()
    return _agreed(game, replay(rules, game.secret, words, (decode(rules, entry) for _, entry in line)))


def _caught_up(session: Session, game: Game, table: Table) -> Table:
    """The table of a snapshot after the rulings that followed it."""
    if table.number + 1 < game.next_entry:
        later = present_line(session, game, table.number).values()
        follow(table, (decode(table.rules, entry) for _, entry in later))
    return _agreed(game, table)


def _agreed(game: Game, table: Table) -> Table:
    """The table, if it stands where the game's row says. Raises BadJournal."""
    if (table.number + 1, table.head) != (game.next_entry, game.head):
        raise BadJournal("head", table.number)
    return table


def _untold(session: Session, game: Game, readers: list[Seat]) -> list[tuple[int, list[Event]]]:
    last = game.next_entry - 1
    told = min((seat.told for seat in readers), default=last)
    if told >= last:
        return []
    rows = session.exec(
        select(JournalEntry.number, JournalEntry.events)
        .where(
            col(JournalEntry.game_id) == game.id,
            col(JournalEntry.number) > told,
            col(JournalEntry.number) < game.next_entry,
        )
        .order_by(col(JournalEntry.line), col(JournalEntry.number))
    )
    present = dict(iter(rows))  # of a number on two lines the later line's
    return [(number, _events.decode(present[number])) for number in sorted(present)]


def _of_stage(session: Session, game: Game) -> list[tuple[bytes, bytes, bytes]]:
    """The entries of the present line in the stage that is open, where earlier lines may have some in it as well."""
    mine = col(JournalEntry.game_id) == game.id
    first = select(func.min(JournalEntry.number)).where(mine, col(JournalEntry.stage_key) == game.stage_key)
    rows = session.exec(
        select(JournalEntry)
        .where(mine, col(JournalEntry.number) >= first.scalar_subquery(), col(JournalEntry.number) < game.next_entry)
        .order_by(col(JournalEntry.line), col(JournalEntry.number))
    )
    present = {row.number: row for row in rows}  # of a number on two lines the later line's
    found = (present[number] for number in sorted(present))
    return [(row.entry, row.tried, row.events) for row in found if row.stage_key == game.stage_key]


def _replaced(
    session: Session, game: Game, rules: Rules, played: list[Played], sheets: dict[int, Sheet]
) -> dict[Ref, Order]:
    standing = {kept.ref for sheet in sheets.values() for kept in sheet.orders}
    gone = used_orders(each.entry for each in played) - standing
    if not gone:
        return {}
    rows = session.exec(
        select(Submission.number, Submission.reading).where(
            col(Submission.game_id) == game.id, col(Submission.number).in_({number for number, _ in gone})
        )
    )
    # A game that was imported after its end has no submissions: the record does not tell them.
    orders = {number: decode_reading(rules, reading).orders for number, reading in rows}
    return {ref: orders[ref[0]][ref[1]] for ref in gone if ref[0] in orders}


_entry = msgspec.msgpack.Decoder(Entry)
_events = msgspec.msgpack.Decoder(list[Event])
_tried = msgspec.msgpack.Decoder(dict[int, tuple[Tried, ...]])
