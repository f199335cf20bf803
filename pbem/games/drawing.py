"""The public position of a game as everybody may see it: in words and as a picture."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine.contract import Event, Moving, Rules
from pbem.context import Service
from pbem.games.position import game_row, position, stored_events
from pbem.games.rules import setup_of
from pbem.reports import board
from pbem.reports.game import game_words
from pbem.storage.models import Game, JournalEntry
from pbem.words import Words


@dataclass(frozen=True)
class Board:
    """`stage` is its name in the reader's language; `svg` is empty for a game without a picture."""

    title: str
    turn: int
    stage: str
    lines: Sequence[str]
    svg: str


def public_board(service: Service, code: str, words: Words) -> Board:
    """How a game stands, of what everyone knows. Raises Refused `no_game`; `wrong_status` before it begins."""
    with service.reading() as session:
        row = game_row(session, code)
        assert row.id is not None
        stands = position(session, row.id)
        happened = [event for each in stands.played for event in each.events] or _stage_before(session, row)
    said = game_words(row.rules, setup_of(row), words.language)
    public = stands.rules.view(stands.table.state, None)
    drawn = said.structs(moved(stands.rules, happened, ()))
    stage = stands.rules.stage(stands.table.state, row.pace)
    return Board(
        row.title,
        stage.turn,
        said.name("stage", stage.name),
        said.position(public, drawn),
        board.svg(said, public, drawn),
    )


def _stage_before(session: Session, row: Game) -> list[Event]:
    """What happened in the stage that closed as the present one opened: its letters show that."""
    entries = select(JournalEntry).where(
        col(JournalEntry.game_id) == row.id,
        col(JournalEntry.number) < row.next_entry,
        col(JournalEntry.stage_key) != row.stage_key,
    )
    last = session.exec(entries.order_by(col(JournalEntry.number).desc(), col(JournalEntry.line).desc())).first()
    if last is None:
        return []
    stage = select(JournalEntry.events).where(
        col(JournalEntry.game_id) == row.id,
        col(JournalEntry.line) == last.line,
        col(JournalEntry.stage_key) == last.stage_key,
    )
    return [
        event for stored in session.exec(stage.order_by(col(JournalEntry.number))) for event in stored_events(stored)
    ]


def moved(rules: Rules, stored: Iterable[Event], fresh: Iterable[Event]) -> tuple[Any, ...]:
    """What the picture draws of a stage, as plain values: of events as they were stored, and of those just now."""
    if not isinstance(rules, Moving):
        return ()
    happened = msgspec.convert(_public(stored), list[rules.event_type])  # type: ignore[name-defined]
    return tuple(msgspec.to_builtins(data) for data in rules.moved(happened + _public(fresh)))


def _public(events: Iterable[Event]) -> list[Any]:
    """What everyone sees of what happened."""
    seen = (event.seen_by(None) for event in events)
    return [data for data in seen if data is not None]
