"""The one short write transaction in which play becomes true: entries, snapshot, reports, letters, deadline."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import delete, insert, update
from sqlmodel import Session, col

from engine.journal import canonical, public_hash
from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE
from pbem.games.due import unread_in_time
from pbem.games.position import holds
from pbem.games.posting import Posted
from pbem.games.resolve import Outcome
from pbem.letters import put
from pbem.sheets.stored import encode_sheet
from pbem.storage.bulk import insert_new
from pbem.storage.models import Game, JournalEntry, Picture, Report, Ruling, Seat, Snapshot
from pbem.storage.sessions import locked_game


def write(service: Service, version: int, outcome: Outcome, posted: Posted, rulings: Sequence[Ruling]) -> bool:
    """Write all of it or, where the game has changed since it was read or a mail in time has come, nothing."""
    entries = _entries(outcome)
    table = outcome.position.table.snapshot()
    seats = [_seat(outcome, seat) for seat in outcome.position.seats]
    game_id = outcome.position.game.id
    assert game_id is not None
    with service.writing() as session:
        game = locked_game(session, game_id)
        if game.version != version or game.aside or unread_in_time(session, game):
            return False
        if entries:
            session.execute(insert(JournalEntry), entries)
            _snapshot(session, outcome, table)
        session.execute(update(Seat), seats)
        _game(game, outcome)
        session.add(game)
        insert_new(session, Report, posted.reports)
        insert_new(session, Picture, posted.pictures)
        put(session, *posted.letters)
        if outcome.outlook.closed and rulings:
            told = [{"id": ruling.id, "told": outcome.outlook.stage.key} for ruling in rulings]
            session.execute(update(Ruling), told)
        if outcome.settle_until is not None:
            nudge(session, ADVANCE, game_id)
    return True


def _entries(outcome: Outcome) -> list[dict[str, Any]]:
    game, now = outcome.position.game, clock.now()
    return [
        {
            "game_id": game.id,
            "line": record.entry.line,
            "number": record.entry.number,
            "stage_key": record.entry.stage,
            "entry": canonical(record.entry),
            "events": canonical(record.events),
            "tried": msgspec.msgpack.encode(record.tried) if record.tried else b"",
            "public_hash": public_hash(game.secret, record.entry),
            "at": now,
        }
        for record in outcome.records
    ]


def _snapshot(session: Session, outcome: Outcome, table: bytes) -> None:
    """The new one; of the older ones those stay that stand at the end of a stage."""
    game, number = outcome.position.game, outcome.position.table.number
    assert game.id is not None
    session.execute(
        delete(Snapshot).where(
            col(Snapshot.game_id) == game.id,
            col(Snapshot.line) == game.line,
            col(Snapshot.number) == game.next_entry - 1,
            col(Snapshot.closes).is_(False),
        )
    )
    session.add(
        Snapshot(
            game_id=game.id,
            line=game.line,
            number=number,
            stage_key=outcome.outlook.stage.key,
            closes=outcome.outlook.closed,
            table=table,
        )
    )


def _seat(outcome: Outcome, seat: Seat) -> dict[str, Any]:
    """What becomes of a seat's row."""
    number = seat.number
    told = outcome.position.table.number if number in outcome.asked else seat.told
    if outcome.outlook.closed:
        missed = 0 if seat.sent or not holds(seat) or not outcome.position.game.next_entry else seat.missed + 1
        sheet = encode_sheet(outcome.outlook.sheets[number])
        ready = sent = silent = False
        nonce = b""
    else:
        missed, sheet, sent, nonce = seat.missed, seat.sheet, seat.sent, seat.nonce
        ready = seat.ready and number not in outcome.outlook.waiting
        silent = number in outcome.silent and number not in outcome.outlook.waiting
    return {
        "id": seat.id,
        "ready": ready,
        "sent": sent,
        "silent": silent,
        "passes": False,
        "sheet": sheet,
        "nonce": nonce,
        "told": told,
        "missed": missed,
    }


def _game(game: Game, outcome: Outcome) -> None:
    """What becomes of the game's row. The attempt is over: its failures are forgotten."""
    table, outlook, now = outcome.position.table, outcome.outlook, clock.now()
    game.version += 1
    game.head = table.head
    game.next_entry = table.number + 1
    game.waiting = ",".join(map(str, outlook.waiting))
    game.settle_until = outcome.settle_until
    game.forced = False
    game.failures, game.not_before = 0, None
    if game.deadline != outlook.deadline:
        game.deadline, game.sequence = outlook.deadline, game.sequence + 1
    if game.status == "starting":
        game.status, game.started = "playing", now
    if outlook.closed:
        game.stage_key, game.opened = outlook.stage.key, now
        game.stage_number += 1
    if outlook.over:
        game.status, game.ended = "over", now
