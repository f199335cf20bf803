"""The one short write transaction in which play becomes true: entries, snapshot, reports, letters, deadline."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, insert, update
from sqlmodel import Session, col

from engine.journal import canonical, public_hash
from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE, SEND
from pbem.games.due import past_deadline, unread_in_time
from pbem.games.nmr import nobody_sent
from pbem.games.policy import policy_of
from pbem.games.position import expected, numbers
from pbem.games.posting import Posted
from pbem.games.resolve import Outcome
from pbem.sheets.stored import encode_sheet, opened_now
from pbem.storage.bulk import insert_rows, rows
from pbem.storage.models import Game, JournalEntry, Letter, Picture, Report, Ruling, Seals, Seat, Snapshot, StageTime

_SEATS = (
    update(Seat)
    .where(col(Seat.id) == bindparam("row"))
    .values(
        {
            name: bindparam(name)
            for name in ("ready", "sent", "silent", "passes", "sheet", "nonce", "seal", "told", "missed")
        }
    )
)
_ENTRIES, _TABLE, _TIMES, _SEALED = insert(JournalEntry), insert(Snapshot), insert(StageTime), insert(Seals)
_OLDER = delete(Snapshot).where(
    col(Snapshot.game_id) == bindparam("game"),
    col(Snapshot.line) == bindparam("line_now"),
    col(Snapshot.number) <= bindparam("before"),
    col(Snapshot.closes).is_(False),
)


@cache
def _game_update(names: tuple[str, ...]) -> Any:
    """Sets these columns of the game, if it is still the one that was read. Built once for each of the few sets."""
    where = col(Game.id) == bindparam("row"), col(Game.version) == bindparam("read"), col(Game.aside).is_(False)
    return update(Game).where(*where).values({name: bindparam(name) for name in names})


def write(
    service: Service,
    version: int,
    outcome: Outcome,
    posted: Posted,
    rulings: Sequence[Ruling],
    beside: Callable[[Session], None] | None = None,
) -> bool:
    """Write all of it or, where the game has changed since it was read or a mail in time has come, nothing.

    `beside` writes what else is to become true with it, after it.
    Everything is made ready before the transaction begins, and goes in by as few plain statements as it can.
    """
    game = outcome.position.game
    assert game.id is not None
    entries, snapshot, values = _entries(outcome), _snapshot(outcome), _game(outcome)
    older = {"game": game.id, "line_now": game.line, "before": game.next_entry - 1}
    seats = [_seat(outcome, seat) for seat in outcome.position.seats]
    seals, times = _seals(outcome), _stage_time(outcome)
    reports, pictures, letters = (
        rows(Report, posted.reports),
        rows(Picture, posted.pictures),
        rows(Letter, posted.letters),
    )
    unchanged = {"row": game.id, "read": version}
    with service.writing() as session:
        if unread_in_time(session, game):
            return False
        connection = session.connection()
        # The row is locked by the same statement that sees whether it is still the one that was read.
        if connection.execute(_game_update(tuple(values)), {**values, **unchanged}).rowcount != 1:
            return False
        if entries:
            connection.execute(_ENTRIES, entries)
            connection.execute(_OLDER, older)
            connection.execute(_TABLE, snapshot)
        if times:
            connection.execute(_TIMES, times)
        if seals:
            connection.execute(_SEALED, seals)
        if not outcome.put_off:
            connection.execute(_SEATS, seats)
        insert_rows(session, Report, reports)
        insert_rows(session, Picture, pictures)
        insert_rows(session, Letter, letters)
        if outcome.outlook.closed and rulings:
            key = outcome.outlook.stage.key
            told = [{"id": ruling.id, "told": key, "entry": ruling.entry} for ruling in rulings]
            session.execute(update(Ruling), told)
        if letters:
            nudge(session, SEND, 0)
        if outcome.settle_until is not None:
            nudge(session, ADVANCE, game.id)
        if beside is not None:
            beside(session)
    return True


def _entries(outcome: Outcome) -> list[dict[str, Any]]:
    game, now = outcome.position.game, clock.now()
    opened = _opened(outcome)
    return [
        {
            "game_id": game.id,
            "line": record.entry.line,
            "number": record.entry.number,
            "stage_key": record.entry.stage,
            "entry": canonical(record.entry),
            "events": canonical(record.events),
            "tried": msgspec.msgpack.encode(record.tried) if record.tried else b"",
            "opened": b"" if place else opened,
            "public_hash": public_hash(game.secret, record.entry),
            "at": now,
        }
        for place, record in enumerate(outcome.records)
    ]


def _opened(outcome: Outcome) -> bytes:
    """The sealed sheets that something was played by and that may be other ones when the stage closes: those that no
    earlier entry of the stage has opened."""
    if outcome.outlook.closed:
        return b""
    known = {seal for played in outcome.position.played for seal in played.entry.seals or ()}
    opened = [each for each in opened_now(outcome.position.seats) if (each.seat, each.seal) not in known]
    return canonical(opened) if opened else b""


def _snapshot(outcome: Outcome) -> dict[str, Any]:
    """The new one; of the older ones those stay that stand at the end of a stage."""
    game, table = outcome.position.game, outcome.position.table
    return {
        "game_id": game.id,
        "line": game.line,
        "number": table.number,
        "stage_key": outcome.outlook.stage.key,
        "closes": outcome.outlook.closed,
        "table": table.snapshot(),
    }


def _seals(outcome: Outcome) -> list[dict[str, Any]]:
    """The stage's sealed sheets with their salts, once it has closed."""
    game, opened = outcome.position.game, opened_now(outcome.position.seats)
    if not opened or not outcome.outlook.closed:
        return []
    entry = outcome.position.table.number
    told = canonical(opened)
    return [{"game_id": game.id, "line": game.line, "entry": entry, "stage_key": game.stage_key, "opened": told}]


def _seat(outcome: Outcome, seat: Seat) -> dict[str, Any]:
    """What becomes of a seat's row."""
    number = seat.number
    told = outcome.position.table.number if number in outcome.asked else seat.told
    if outcome.outlook.closed:
        missed = _missed(outcome, seat)
        sheet = encode_sheet(outcome.outlook.sheets[number])
        ready = sent = silent = False
        nonce = seal = b""
    else:
        missed, sheet, sent = seat.missed, seat.sheet, seat.sent
        nonce, seal = seat.nonce, seat.seal
        ready = seat.ready and number not in outcome.outlook.waiting
        silent = number in outcome.silent and number not in outcome.outlook.waiting
    return {
        "row": seat.id,
        "ready": ready,
        "sent": sent,
        "silent": silent,
        "passes": False,
        "sheet": sheet,
        "nonce": nonce,
        "seal": seal,
        "told": told,
        "missed": missed,
    }


def _missed(outcome: Outcome, seat: Seat) -> int:
    """How many stages in a row asked the seat in vain; one that did not ask it changes nothing."""
    if seat.sent or not expected(seat):
        return 0
    if _was_cut_short(outcome.position.game):
        return seat.missed
    in_vain = seat.number in outcome.unsent or (outcome.position.game.pace != "brisk" and seat.silent)
    return seat.missed + in_vain


def _was_cut_short(game: Game) -> bool:
    """Whether a ruling, or that all are ready, closes the stage before its time: who sent nothing yet might have."""
    is_ruled = game.forced or game.settle_until is not None
    return is_ruled and game.opened is not None and clock.now() < game.opened + timedelta(seconds=game.stage_seconds)


def _stage_time(outcome: Outcome) -> list[dict[str, Any]]:
    """The stage that has closed: when, and whom it waited for."""
    game, seats = outcome.position.game, outcome.position.seats
    if not outcome.outlook.closed or game.opened is None:
        return []
    awaited = [number for number in numbers(game.waiting) if expected(seats[number]) and not seats[number].ready]
    by = "ruling" if game.forced else "deadline" if past_deadline(game, clock.now()) else "ready"
    return [
        {
            "game_id": game.id,
            "line": game.line,
            "number": game.stage_number,
            "stage_key": game.stage_key,
            "opened": game.opened,
            "deadline": game.deadline,
            "closed": clock.now(),
            "closed_by": by,
            "awaited": ",".join(map(str, awaited)),
        }
    ]


def _game(outcome: Outcome) -> dict[str, Any]:
    """What becomes of the game's row. The attempt is over: its failures are forgotten."""
    game, table, outlook, now = outcome.position.game, outcome.position.table, outcome.outlook, clock.now()
    values: dict[str, Any] = {
        "version": game.version + 1,
        "head": table.head,
        "next_entry": table.number + 1,
        "waiting": ",".join(map(str, outlook.waiting)),
        "settle_until": outcome.settle_until,
        "forced": False,
        "failures": 0,
        "not_before": None,
        "held": "",
        "review": False,
        "held_since": None,
    }
    if game.deadline != outlook.deadline:
        values |= {"deadline": outlook.deadline, "sequence": game.sequence + 1}
    if game.status == "starting":
        values |= {"status": "playing", "started": now}
    if outlook.closed:
        values |= {"stage_key": outlook.stage.key, "stage_number": game.stage_number + 1, "opened": now}
        values |= {"quiet": _quiet(outcome), "tend_at": _tend_at(outcome)}
    if outlook.over:
        values |= {"status": "over", "ended": now}
    return values


def _quiet(outcome: Outcome) -> int:
    """How many stages in a row nobody has sent anything. One that asked nobody changes nothing, but where stand-ins
    play for all who are left and its deadline has passed."""
    game, seats = outcome.position.game, outcome.position.seats
    if not nobody_sent(seats):
        return 0
    if _was_cut_short(game):
        return game.quiet
    passed = not outcome.position.expected and past_deadline(game, clock.now())
    return game.quiet + (passed or bool(outcome.unsent))


def _tend_at(outcome: Outcome) -> datetime | None:
    """Now, where a seat is to be opened or a vote has run out."""
    game, most = outcome.position.game, policy_of(outcome.position.game).open_after
    silent = most and any(_missed(outcome, seat) >= most for seat in outcome.position.seats)
    return clock.now() if silent or game.voting else game.tend_at
