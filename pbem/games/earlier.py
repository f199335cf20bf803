"""How a game stood after an earlier entry of its journal's present line: table, position, the points to go to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec
import structlog
from sqlmodel import Session, col, select

from engine.errors import BadJournal, BadSnapshot
from engine.journal import Entry, decode
from engine.orders.sheet import Sheet
from engine.table import Table, follow, replay
from pbem import clock
from pbem.games.position import Position, stand, words_of
from pbem.games.recording import present_line, present_rows
from pbem.sheets.stored import Opened, decode_sheet, opened_now, opened_sheets
from pbem.storage.models import Game, JournalEntry, Seals, Seat, Snapshot, Submission

log = structlog.get_logger()


@dataclass(frozen=True)
class Point:
    """The opening of a stage: `entry` is the last journal entry before it, `at` when that was written."""

    entry: int
    stage_key: str
    at: datetime


def points(session: Session, game: Game) -> list[Point]:
    """Where each stage that has closed, or has seen play, opened: oldest first. It tells nothing that is hidden."""
    present = present_rows(session, game, (JournalEntry.stage_key, JournalEntry.at))
    found = []
    for number in list(present)[1:]:
        key = present[number][0]
        before, at = present[number - 1]
        if key not in (before, ""):
            found.append(Point(number - 1, key, at))
    return found


def latest_epoch(session: Session, game: Game) -> int:
    """The latest epoch of any line: what is drawn in a later one nobody has seen."""
    rows = session.exec(select(JournalEntry.entry).where(col(JournalEntry.game_id) == game.id))
    return max((msgspec.msgpack.decode(stored, type=Entry).epoch for stored in rows), default=0)


def table_after(session: Session, stands: Position, number: int) -> Table:
    """The table after that entry of the present line, from the newest good snapshot or from the journal alone."""
    game, rules, words = stands.game, stands.rules, words_of(stands.seats)
    line = present_line(session, game)
    kept = session.exec(
        select(Snapshot)
        .where(col(Snapshot.game_id) == game.id, col(Snapshot.number) <= number)
        .order_by(col(Snapshot.number).desc())
    )
    upto = [(at, entry) for at, (_, entry) in line.items() if at <= number]
    for each in kept:
        if line[each.number][0] != each.line:
            continue
        try:
            table = Table.restore(rules, game.secret, words, each.table)
            follow(table, (decode(rules, entry) for at, entry in upto if at > each.number))
        except (BadSnapshot, BadJournal) as error:
            log.warning("snapshot_passed_over", game=game.id, number=each.number, problem=str(error))
            continue
        return table
    return replay(rules, game.secret, words, (decode(rules, entry) for _, entry in upto))


def position_after(session: Session, stands: Position, number: int) -> Position:
    """The position after that entry, with a row of its game as it would be on a new line: nobody ready or asked yet.

    Sheets are the standing orders of then. The rows are copies that no session keeps.
    """
    table = table_after(session, stands, number)
    stage = stands.rules.stage(table.state, stands.game.pace)
    game = Game(
        **{
            **stands.game.model_dump(),
            "line": stands.game.line + 1,
            "head": table.head,
            "next_entry": number + 1,
            "stage_key": stage.key,
            "stage_number": _stage_number(session, stands.game, number, stage.key),
            "opened": clock.now(),
            "waiting": "",
            "settle_until": None,
            "forced": False,
            "status": "playing",
        }
    )
    sheets = standing_then(session, stands, number)
    seats = [
        Seat(
            **{
                **seat.model_dump(),
                "told": min(seat.told, number),
                "ready": False,
                "passes": False,
                "silent": False,
                "sent": False,
            }
        )
        for seat in stands.seats
    ]
    return stand(session, game, seats, table, sheets)


def _stage_number(session: Session, game: Game, number: int, key: str) -> int:
    """Which stage of the game, counted from 1, is open after that entry."""
    opened = [point for point in points(session, game) if point.entry < number]
    last = opened[-1].stage_key if opened else ""
    return len(opened) + (last != key)


def standing_then(session: Session, stands: Position, number: int) -> dict[int, Sheet]:
    """By seat the standing orders that it had after that entry: what its next act found, or what it has now."""
    found = {seat: sheet.standing() for seat, sheet in stands.sheets.items()}
    rows = session.exec(
        select(Submission.seat, Submission.sheet_before)
        .where(
            col(Submission.game_id) == stands.game.id,
            col(Submission.acted).is_(True),
            col(Submission.entry) > number,
        )
        .order_by(col(Submission.number).desc())
    )
    for seat, sheet in rows:
        found[seat] = decode_sheet(stands.rules, sheet).standing()
    return found


def sheets_of_stage(session: Session, stands: Position, key: str) -> Mapping[int, Opened]:
    """By seat the last sheet that it had in a stage of the present line, with its salt, if it sent one.

    That of the stage that is open is on its row, those of earlier ones were opened when they closed.
    """
    if key == stands.game.stage_key:
        return {each.seat: each for each in opened_now(stands.seats)}
    line = present_line(session, stands.game)
    rows = session.exec(
        select(Seals)
        .where(col(Seals.game_id) == stands.game.id, col(Seals.stage_key) == key)
        .order_by(col(Seals.line).desc())
    )
    for row in rows:
        if row.entry in line and line[row.entry][0] == row.line:
            return {each.seat: each for each in opened_sheets(row.opened)}
    return {}


def sheets_left(session: Session, game: Game, line: int, entry: int, key: str) -> Mapping[int, Opened]:
    """By seat the sheet that it had in the stage that was open when play left a line at that entry."""
    row = session.exec(
        select(Seals).where(
            col(Seals.game_id) == game.id,
            col(Seals.line) == line,
            col(Seals.entry) == entry,
            col(Seals.stage_key) == key,
        )
    ).first()
    return {each.seat: each for each in opened_sheets(row.opened)} if row is not None else {}
