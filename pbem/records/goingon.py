"""What the record of a game that goes on has beside its journal: how it is written down, and what of it must fit."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from sqlmodel import Session, col, select

from engine.contract import Rules
from engine.journal import Entry, canonical
from engine.orders.shape import Reading
from engine.orders.sheet import Sheet
from pbem.games.policy import NAMES, policy_of
from pbem.games.position import numbers, seat_rows, tried_orders
from pbem.games.rules import rules_of
from pbem.games.schedule import schedule_of, written
from pbem.records.shape import Chair, Passed, Rest, Running, Submitted
from pbem.sheets.stored import decode_reading, decode_sheet, orders_alone
from pbem.storage.models import Game, JournalEntry, Submission

YEARS = range(1970, 9000)
"""Of moments in a record."""


def rest_of(session: Session, game: Game) -> Iterator[Rest]:
    """How the game goes on, what was sent to it, the orders that were passed over."""
    assert game.id is not None
    rules, policy = rules_of(game), policy_of(game)
    yield Running(
        stage=game.stage_key,
        number=game.stage_number,
        waiting=numbers(game.waiting),
        next_submission=game.next_submission,
        stage_seconds=game.stage_seconds,
        settling_seconds=game.settling_seconds,
        absence=game.absence,
        policy={name: str(getattr(policy, name)) for name in NAMES},
        schedule=written(schedule_of(game)),
        anonymous=game.anonymous,
        seats=tuple(
            Chair(decode_sheet(rules, seat.sheet), seat.nonce.hex(), seat.standin)
            for seat in seat_rows(session, game.id)
        ),
    )
    query = select(Submission).where(col(Submission.game_id) == game.id).order_by(col(Submission.number))
    for row in session.exec(query):
        yield _submitted(rules, row)
    passed = col(JournalEntry.game_id) == game.id, col(JournalEntry.tried) != b""
    for entry in session.exec(
        select(JournalEntry).where(*passed).order_by(col(JournalEntry.line), col(JournalEntry.number))
    ):
        yield Passed(entry.line, entry.number, tuple(sorted(tried_orders(entry.tried).items())))


def _submitted(rules: Rules, row: Submission) -> Submitted:
    return Submitted(
        number=row.number,
        seat=row.seat,
        line=row.line,
        stage=row.stage_key,
        received=row.received.isoformat(),
        stored=row.stored.isoformat(),
        source=row.source,
        reading=decode_reading(rules, orders_alone(row.reading)),
        late=row.late,
        used_late=_iso(row.used_late),
        acted=row.acted,
        entry=row.entry,
        before=decode_sheet(rules, row.sheet_before),
        ready_before=row.ready_before,
        sent_before=row.sent_before,
        undone=_iso(row.undone),
    )


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment is not None else ""


def misfit(rules: Rules, played: Sequence[Entry], rest: Sequence[Rest], stage: str) -> int | None:
    """The place among `rest`, from 0, of what can't be of the game; None where all of it fits.

    `played` are the entries of the present line, `stage` is the key of the one that is open.
    """
    seats, running = rules.setup.seats, rest[0]
    if not isinstance(running, Running) or running.stage != stage or not _runs(rules, running):
        return 0
    known: dict[int, Submitted] = {}
    for place, line in enumerate(rest[1:], 1):
        if isinstance(line, Submitted):
            if not _was_sent(rules, line, known, running.next_submission):
                return place
            known[line.number] = line
        elif isinstance(line, Running) or not {seat for seat, _ in line.tried} <= {*range(seats)}:
            return place
    refs = {given.ref for entry in played if entry.stage == stage for given in entry.answers if given.ref}
    standing = {kept.ref for chair in running.seats for kept in chair.sheet.orders}
    for number, index in refs - standing:
        if number not in known or index not in range(len(known[number].reading.orders)):
            return 0
    return None


def _runs(rules: Rules, running: Running) -> bool:
    seats = rules.setup.seats
    fits = len(running.seats) == seats and {*running.waiting} <= {*range(seats)} and running.number > 0
    return fits and all(_is_sheet(rules, chair.sheet) and _is_hex(chair.salt) for chair in running.seats)


def _was_sent(rules: Rules, line: Submitted, known: dict[int, Submitted], following: int) -> bool:
    moments = (line.received, line.stored, line.used_late, line.undone)
    return (
        line.seat in range(rules.setup.seats)
        and line.number not in known
        and 0 < line.number < following
        and all(is_moment(each) for each in moments if each)
        and bool(line.received and line.stored)
        and _is_reading(rules, line.reading)
        and _is_sheet(rules, line.before)
    )


def typed_reading(rules: Rules, reading: Reading) -> Reading:
    """A reading from a record, with the rules module's own intents. Raises ValueError."""
    return decode_reading(rules, canonical(reading))


def is_moment(text: object) -> bool:
    """Whether it is a moment in ISO form that names its zone, and that any reader's zone has."""
    if not isinstance(text, str):
        return False
    try:
        moment = datetime.fromisoformat(text)
        return moment.tzinfo is not None and moment.astimezone(UTC).year in YEARS
    except (ValueError, OverflowError):
        return False


def _is_hex(text: str) -> bool:
    try:
        return bytes.fromhex(text).hex() == text
    except ValueError:
        return False


def _is_sheet(rules: Rules, sheet: Sheet) -> bool:
    try:
        decode_sheet(rules, canonical(sheet))
    except ValueError:
        return False
    return True


def _is_reading(rules: Rules, reading: Reading) -> bool:
    try:
        typed_reading(rules, reading)
    except ValueError:
        return False
    return True
