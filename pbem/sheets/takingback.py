"""Play goes back to before an act: a new line of the journal begins, letters are withdrawn, reports corrected."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from sqlmodel import Session, col, delete, select, update

from pbem import clock
from pbem.context import Service
from pbem.games.notices import undone_letter
from pbem.games.position import Position, seat_rows
from pbem.games.posting import report_key
from pbem.games.recording import put_on_record
from pbem.letters import numbers_of, put
from pbem.mail.withdrawing import withdraw
from pbem.sheets.undoing import Undo
from pbem.storage.models import Game, JournalEntry, Letter, Report, Ruling, Snapshot

Corrections: TypeAlias = Mapping[int, Letter]
"""By seat the letter that says that what was told does not hold."""


def corrections(service: Service, stands: Position, told: set[int], undo: Undo, seat: int) -> Corrections:
    """For the other seats whose reports told of it. `stands` is the position after it is taken back."""
    return {
        other: undone_letter(service, stands.game, seat, other, stands.players[other], undo.number)
        for other in told
        if other != seat and other in stands.held
    }


def told_of(session: Session, game_id: int, first: int) -> list[Report]:
    """The reports that know of entries from that number on."""
    query = select(Report).where(col(Report.game_id) == game_id, col(Report.entry) >= first)
    return list(session.exec(query))


def go_back(session: Session, game: Game, undo: Undo, letters: Corrections, ruling: int) -> None:
    """Begin the new line. `game` is locked, and stored by the caller; `ruling` is the number of its note."""
    assert undo.note is not None
    assert game.id is not None
    after, old = undo.stands, game.line
    at = session.exec(
        select(JournalEntry.at)
        .where(
            col(JournalEntry.game_id) == game.id, col(JournalEntry.line) <= old, col(JournalEntry.number) == undo.first
        )
        .order_by(col(JournalEntry.line).desc())
        .limit(1)
    ).one()
    void = _correct(session, game, undo, letters)
    stays = col(Letter.game_id) == game.id, col(Letter.line) == old, col(Letter.stage_key) == game.stage_key
    before = (col(Letter.queued) < at) & col(Letter.id).not_in(void)
    own = col(Letter.seat) == undo.note.params["seat"]
    session.execute(update(Letter).where(*stays, before | own).values(line=old + 1))
    game.line, game.next_entry = old + 1, undo.first
    game.head = after.played[-1].entry.before
    game.waiting = after.game.waiting
    for row in seat_rows(session, game.id):
        now = after.seats[row.number]
        row.told, row.ready, row.silent = now.told, now.ready, now.silent
        session.add(row)
    put_on_record(session, game, _note(game, undo, ruling))
    assert (game.head, game.next_entry) == (after.game.head, after.game.next_entry)
    gone = col(Snapshot.game_id) == game.id, col(Snapshot.line) <= old, col(Snapshot.closes).is_(False)
    session.execute(delete(Snapshot).where(*gone))
    session.add(
        Snapshot(
            game_id=game.id,
            line=game.line,
            number=after.table.number,
            stage_key=game.stage_key,
            table=after.table.snapshot(),
        )
    )


def _correct(session: Session, game: Game, undo: Undo, letters: Corrections) -> set[int]:
    """Reports of what is taken back are no longer any, and their letters, by number, void; one that has not gone out
    yet never does."""
    assert game.id is not None
    reports = told_of(session, game.id, undo.first)
    void = {report_key(game.code, each.line, each.entry, each.kind, each.seat): each.seat for each in reports}
    numbers = numbers_of(session, void)
    withdrawn = withdraw(session, col(Letter.id).in_(numbers.values()))
    for seat in sorted({seat for key, seat in void.items() if numbers.get(key) not in withdrawn and seat in letters}):
        put(session, letters[seat])
    for report in reports:
        session.delete(report)
    return set(numbers.values())


def _note(game: Game, undo: Undo, number: int) -> Ruling:
    assert undo.note is not None
    assert game.id is not None
    return Ruling(
        game_id=game.id,
        number=number,
        line=game.line,
        actor=undo.note.actor,
        act=undo.note.act,
        reason="",
        params=msgspec.json.encode(undo.note.params).decode(),
        at=clock.now(),
    )
