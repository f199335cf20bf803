"""Returning to a line of the journal that was left: its entries are carried out again, on a new line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from engine.contract import Event
from engine.journal import Entry, canonical, decode, public_hash
from engine.table import Answered, Table
from pbem import clock
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.advance import untold
from pbem.games.earlier import position_after, sheets_left
from pbem.games.position import Played, Position, tried_orders
from pbem.rulings.authority import Actor
from pbem.rulings.goingback import Reached, Way, told_of, write
from pbem.rulings.record import TRIES, id_of, on_game, ruling_on
from pbem.storage.models import Game, JournalEntry, Ruling

RETURNED = "returned"


@dataclass(frozen=True)
class Left:
    """A line of the journal that was left: it has the present line's entries up to `fork`, and its own up to `last`."""

    line: int
    fork: int
    last: int


def lines_left(session: Session, game: Game) -> list[Left]:
    """The lines that play has left, the latest last."""
    rows = session.exec(
        select(JournalEntry.line, JournalEntry.number)
        .where(col(JournalEntry.game_id) == game.id)
        .order_by(col(JournalEntry.line), col(JournalEntry.number))
    ).all()
    now = {number: line for line, number in rows if number < game.next_entry}
    found = []
    for left in sorted({line for line, _ in rows if line < game.line}):
        own = {number: line for line, number in rows if line <= left}
        last = max(number for line, number in rows if line == left)
        fork = next((number - 1 for number in sorted(own) if own[number] != now.get(number)), last)
        if fork < last:
            found.append(Left(left, fork, last))
    return found


def return_to(service: Service, code: str, line: int, actor: Actor) -> Ruling:
    """Let the game stand as it did when play left that line, with the orders of then, for a whole stage's time.

    Raises Refused `no_line`, `no_lines`, and as `pbem.rulings.goingback.roll_back`; and Busy.
    """
    for _ in range(TRIES):
        with service.reading() as session:
            way, left, again = _way(session, code, line, actor)
            account, stands, moved, opened = way.account, way.stands, way.after, way.opened
            game = stands.game
            told = untold(session, id_of(game))
            old = {
                (each.line, each.entry): each
                for each in session.exec(select(Ruling).where(col(Ruling.game_id) == game.id))
            }
            session.expunge_all()
        copied = _copies(stands.game, old, again)
        made = [each.row for each in again]
        params = {"entry": left.last, "stage": moved.game.stage_key}
        ruling = ruling_on(stands.game, account, actor, RETURNED, params)
        gone = told_of(service, stands, Reached(moved, opened, left.fork + 1), (*told, ruling))
        if write(service, stands.game, replace(gone, made=made, copied=copied)):
            return ruling
    raise Busy


def _left(lines: Sequence[Left], wanted: int) -> Left:
    if not lines:
        raise Refused("no_lines")
    for each in lines:
        if each.line == wanted:
            return each
    raise Refused("no_line", given=wanted, known=", ".join(str(each.line) for each in lines))


def way_there(session: Session, code: str, line: int, actor: Actor) -> Way:
    """Where a return leads to. Nothing is changed. Raises as `return_to`."""
    return _way(session, code, line, actor)[0]


def _way(session: Session, code: str, line: int, actor: Actor) -> tuple[Way, Left, "list[_Again]"]:
    account, stands = on_game(session, code, actor, RETURNED)
    game = stands.game
    left = _left(lines_left(session, game), line)
    after = position_after(session, stands, left.fork)
    again = _again(after, _entries(session, game, left))
    moved = _caught_up(after, again)
    opened = sheets_left(session, game, left.line, left.last, moved.game.stage_key)
    return Way(account, stands, moved, opened), left, again


@dataclass(frozen=True)
class _Again:
    """An entry carried out again: the row of old, the new entry, and its row."""

    old: JournalEntry
    entry: Entry
    row: JournalEntry


def _entries(session: Session, game: Game, left: Left) -> list[JournalEntry]:
    """What that line has behind the fork, in order."""
    rows = session.exec(
        select(JournalEntry)
        .where(
            col(JournalEntry.game_id) == game.id,
            col(JournalEntry.line) <= left.line,
            col(JournalEntry.number) > left.fork,
            col(JournalEntry.number) <= left.last,
        )
        .order_by(col(JournalEntry.line), col(JournalEntry.number))
    )
    newest = {row.number: row for row in rows}  # of a number on two lines the later line's
    return [newest[number] for number in sorted(newest)]


def _again(after: Position, rows: Sequence[JournalEntry]) -> list[_Again]:
    """The entries on a new line; in another epoch yet another one begins. `after` moves on with them."""
    table, line = after.table, after.game.line
    made: list[_Again] = []
    for row in rows:
        entry = decode(after.rules, row.entry)
        if not made or entry.epoch != table.epoch:
            table.branch(line, entry.epoch)
            line += 1
        new, events = _carried_out(table, entry)
        assert (new.outcomes, new.digest) == (entry.outcomes, entry.digest)
        copy = JournalEntry(
            game_id=row.game_id,
            line=new.line,
            number=new.number,
            stage_key=row.stage_key,
            entry=canonical(new),
            events=canonical(events),
            tried=row.tried,
            opened=row.opened,
            public_hash=public_hash(after.game.secret, new),
            at=clock.now(),
        )
        made.append(_Again(row, new, copy))
    return made


def _carried_out(table: Table, entry: Entry) -> tuple[Entry, list[Event]]:
    if entry.note is not None and entry.change:
        return table.change(entry.note, entry.change, entry.stage)
    if entry.note is not None:
        return table.note(entry.note, entry.stage), []
    answers = {
        given.seat: Answered(given.choice, given.source, given.ref, given.alternative) for given in entry.answers
    }
    table.seals = entry.seals
    return table.decide(answers, entry.stage)


def _copies(game: Game, old: dict[tuple[int, int], Ruling], again: Sequence[_Again]) -> list[Ruling]:
    """The rulings among the entries, each once more with its place on the new line. They were told before."""
    copies = []
    for each in again:
        ruling = old.get((each.old.line, each.old.number))
        if ruling is not None:
            kept = ruling.model_dump(exclude={"id"})
            place = {"number": game.next_ruling, "line": each.entry.line, "entry": each.entry.number}
            copies.append(Ruling(**{**kept, **place, "told": ruling.told or game.stage_key}))
            game.next_ruling += 1
    return copies


def _caught_up(after: Position, again: Sequence[_Again]) -> Position:
    """The position where the line was left: what was told before is not told again."""
    table, game = after.table, after.game
    stage = after.rules.stage(table.state, game.pace)
    keys = [each.row.stage_key for each in again if each.entry.note is None]
    opened = sum(key != before for before, key in zip([game.stage_key, *keys], [*keys, stage.key], strict=False))
    played = [*after.played, *(Played(each.entry, tried_orders(each.row.tried), each.row.events) for each in again)]
    game.stage_number += opened
    game.stage_key, game.line = stage.key, table.line
    return replace(after, played=[each for each in played if each.entry.stage == stage.key], untold=[])
