"""What an observer is told, made from the journal when it may be seen: public events, and the public view of then."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import msgspec
from sqlmodel import Session, col, select

from engine.contract import Event
from engine.table import Table
from pbem.games.drawing import moved
from pbem.games.earlier import table_after
from pbem.games.position import FINISHED, Position, stored_events
from pbem.games.recording import present_rows
from pbem.games.rules import setup_of
from pbem.games.telling import sides, told
from pbem.observing.horizon import Moment
from pbem.reports import data
from pbem.storage.models import Account, Game, JournalEntry, Ruling, Tenure

OBSERVED, OVER, CORRECTED = "observed", "over", "corrected"


@dataclass(frozen=True)
class Stretch:
    """What one report tells of: what came after entry `after`, up to a moment; the last stage began after `stage`."""

    after: int
    stage: int
    until: Moment


@dataclass(frozen=True)
class Happened:
    """The events of entries, by number and in order, and the rulings among them."""

    events: Sequence[tuple[int, list[Event]]]
    rulings: Sequence[Ruling]


def stretch(found: Sequence[Moment], after: int, until: Moment) -> Stretch:
    """From an entry to a moment, one of those found."""
    stage = next((before.entry for before, each in pairwise(found) if each == until), 0)
    return Stretch(after, stage, until)


def stage_before(found: Sequence[Moment], until: Moment) -> Stretch:
    """The stage that a moment closes."""
    made = stretch(found, 0, until)
    return Stretch(made.stage, made.stage, until)


def report_of(session: Session, stands: Position, part: Stretch) -> data.Report:
    """The report of a stretch of the present line. `stands` is how the game stands now: nothing of that is told."""
    table = table_after(session, stands, part.until.entry)
    ends = stands.game.status in FINISHED and part.until.entry == stands.table.number
    happened = _happened(session, stands.game, part.after, part.until.entry)
    who = sides(stands, is_over=True) if ends else _sides(session, stands, part.until.at)
    return observed(stands, table, part, happened, who)


def observed(
    stands: Position, table: Table, part: Stretch, happened: Happened, who: tuple[data.Seat, ...]
) -> data.Report:
    """The same from what was read. Made of what everyone knows alone."""
    game, rules = stands.game, stands.rules
    stage = rules.stage(table.state, game.pace)
    public = data.plain(rules.view(table.state, None))
    ends = game.status == "over" and table.number == stands.table.number
    events = [event for _, some in happened.events for event in some]
    last = [event for number, some in happened.events if number > part.stage for event in some]
    return data.Report(
        game=game.code,
        title=game.title,
        seat=None,
        seats=who,
        rules=game.rules,
        setup=setup_of(game),
        turn=stage.turn,
        stage=stage.name,
        events=data.seen(events, None),
        orders=(),
        view=public,
        public=public,
        moved=moved(rules, last, ()),
        standings=tuple(rules.standings(table.state)) if ends else (),
        rulings=tuple(told(ruling) for ruling in happened.rulings),
        over=ends,
        entry=table.number,
        head=table.head.hex(),
        secret_hash=game.secret_hash.hex(),
        secret=game.secret.hex() if ends else "",
        pace=game.pace,
        first=not part.after,
        agreed=game.agreed if ends else "",
        occasion=OVER if ends else OBSERVED,
    )


def _happened(session: Session, game: Game, after: int, until: int) -> Happened:
    """What is on the present line behind one entry, up to another."""
    present = present_rows(session, game, (JournalEntry.line, JournalEntry.events), after, until)
    ruled = session.exec(
        select(Ruling)
        .where(col(Ruling.game_id) == game.id, col(Ruling.entry) > after, col(Ruling.entry) <= until)
        .order_by(col(Ruling.number))
    )
    return Happened(
        [(number, stored_events(events)) for number, (_, events) in present.items()],
        [each for each in ruled if present[each.entry][0] == each.line],
    )


def _sides(session: Session, stands: Position, at: datetime) -> tuple[data.Seat, ...]:
    """The sides and who held them at a moment; in an anonymous game sides alone."""
    game = stands.game
    held = [] if game.anonymous else session.exec(select(Tenure).where(col(Tenure.game_id) == game.id)).all()
    found = []
    for seat in stands.seats:
        then = [each.account_id for each in held if each.seat == seat.number and each.joined <= at < each.left]
        stays = seat.joined is not None and seat.joined <= at and (seat.resigned is None or at < seat.resigned)
        account_id = then[0] if then else seat.account_id if stays else None
        name = session.get_one(Account, account_id).name if account_id is not None and not game.anonymous else ""
        found.append(data.Seat(stands.module.seat_names[seat.number], name))
    return tuple(found)


def corrected(session: Session, stands: Position, entry: int) -> data.Report:
    """How the game stood after the last entry of what an observer was told that still holds, and nothing newer."""
    row = select(JournalEntry).where(col(JournalEntry.game_id) == stands.game.id, col(JournalEntry.number) == entry)
    then = session.exec(row.order_by(col(JournalEntry.line).desc()).limit(1)).one()
    part = Stretch(entry, entry, Moment(entry, then.stage_key, then.at))
    return msgspec.structs.replace(report_of(session, stands, part), occasion=CORRECTED, over=False)
