"""The journal as it is stored: its present line, and the rulings in it."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, update
from sqlmodel import Session, col, select

from engine.contract import Event
from engine.journal import RULING, Entry, Note, canonical, link, public_hash
from pbem.storage.models import Game, JournalEntry, Ruling

SERVICE, PLAYERS, OPERATOR = "service", "players", "operator"
"""Actors who are no account: the game's own policy, a vote of its players, who sits at the command line."""

_LINE = (
    select(JournalEntry.line, JournalEntry.number, JournalEntry.entry)
    .where(
        col(JournalEntry.game_id) == bindparam("game"),
        col(JournalEntry.number) > bindparam("after"),
        col(JournalEntry.number) < bindparam("end"),
    )
    .order_by(col(JournalEntry.line), col(JournalEntry.number))
)


_TOLD = (
    update(Ruling)
    .where(col(Ruling.game_id) == bindparam("game"), col(Ruling.told) == "")
    .values(told=bindparam("stage"))
)


def present_line(session: Session, game: Game, after: int = 0) -> dict[int, tuple[int, bytes]]:
    """The entries of the present line behind that number, in order: by number their line and stored bytes."""
    found = session.exec(_LINE, params={"game": game.id, "after": after, "end": game.next_entry})
    newest = {number: (line, entry) for line, number, entry in found}  # of a number on two lines the later line's
    return dict(sorted(newest.items()))


def present_rows(
    session: Session, game: Game, wanted: Sequence[Any], after: int = 0, upto: int | None = None
) -> dict[int, tuple[Any, ...]]:
    """The same of other columns of the entries, by number and in order; as far as entry `upto`, the last for None."""
    end = game.next_entry - 1 if upto is None else min(upto, game.next_entry - 1)
    rows = session.connection().execute(
        select(col(JournalEntry.number), *wanted)
        .where(col(JournalEntry.game_id) == game.id, col(JournalEntry.number) > after, col(JournalEntry.number) <= end)
        .order_by(col(JournalEntry.line), col(JournalEntry.number))
    )
    return dict(sorted({number: tuple(row) for number, *row in rows}.items()))


def note_of(ruling: Ruling) -> Note:
    """What the journal says of a ruling."""
    params: dict[str, Any] = msgspec.json.decode(ruling.params)
    return Note(ruling.act, ruling.actor, ruling.reason, params)


def put_on_record(session: Session, game: Game, ruling: Ruling) -> None:
    """Store a ruling, and make it the journal's next entry; before the game has begun that waits for its start.

    `game` is locked, and is stored by the caller. A ruling decides and draws nothing, so the rules aren't needed: the
    state's digest is the last entry's.
    """
    if game.next_entry:
        ((_, stored),) = present_line(session, game, game.next_entry - 2).values()
        last = msgspec.msgpack.decode(stored, type=Entry)
        entry = Entry(
            number=game.next_entry,
            kind=RULING,
            version=last.version,
            digest=last.digest,
            before=game.head,
            line=game.line,
            epoch=game.epoch,
            stage=game.stage_key,
            note=note_of(ruling),
        )
        put_entry(session, game, ruling, entry)
    session.add(ruling)


def put_entry(session: Session, game: Game, ruling: Ruling, entry: Entry, events: Sequence[Event] = ()) -> None:
    """Store a ruling with the journal entry that it made, and what happened by it. `game` as for `put_on_record`."""
    row = _row(game, ruling, entry, events)
    session.add(row)
    ruling.line, ruling.entry = entry.line, entry.number
    game.head, game.next_entry = link(game.head, row.public_hash), game.next_entry + 1
    session.add(ruling)


def all_told(session: Session, game: Game) -> None:
    """The rulings that no report had told yet are told by those of now."""
    session.execute(_TOLD, {"game": game.id, "stage": game.stage_key})


def _row(game: Game, ruling: Ruling, entry: Entry, events: Sequence[Event]) -> JournalEntry:
    assert game.id is not None
    return JournalEntry(
        game_id=game.id,
        line=entry.line,
        number=entry.number,
        stage_key=entry.stage,
        entry=canonical(entry),
        events=canonical(tuple(events)),
        public_hash=public_hash(game.secret, entry),
        at=ruling.at,
    )
