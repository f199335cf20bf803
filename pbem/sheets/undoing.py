"""Whether a seat can take back its last act, and how things stand then. Nothing is written here.

The act is the seat's last submission in the stage that is open. If play has not used it, its sheet goes back to what
it was. If play has, it goes back to before that, as long as nothing came of it but what the seat itself did: no draw,
nothing revealed, nobody else's answer, no ruling. Whether it can be taken back follows from what the seat has seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any, NoReturn

import structlog
from sqlmodel import Session, col, select

from engine.chance import RandomChance
from engine.contract import Event, Rules
from engine.journal import RULING, Entry, Note, typed
from engine.orders.sheet import Sheet
from engine.table import Table, follow
from pbem.games.earlier import table_after
from pbem.games.position import Played, Position, numbers, words_of
from pbem.sheets.stored import decode_sheet, of_present_player
from pbem.storage.models import Game, Seat, Submission

log = structlog.get_logger()

UNDONE = "undone"
"""The act of the journal's note that begins the new line."""
WORLDS = 12
"""Worlds that are imagined to see whether an act revealed something."""


class CannotUndo(Exception):
    """A code of `templates/game/reasons.j2`: `undo_nothing`, `undo_others`, `undo_drawn`, `undo_revealed`,
    `undo_ruled`, `undo_overtaken`."""


@dataclass(frozen=True)
class Undo:
    """What is taken back. `stands` is the position after it, its sheet and readiness those from before the act.

    `entered` says whether the moderator did it for the seat.
    `note` is None where play had not used the act; else play goes back to before the entry `first`, and goes on as a
    new line of the journal that begins with the note.
    """

    number: int
    stored: datetime
    sheet: Sheet
    was_sent: bool
    stands: Position
    entered: bool
    first: int = 0
    note: Note | None = None


def undo(session: Session, stands: Position, seat: int) -> Undo:
    """The position without the seat's last act. Raises CannotUndo."""
    row = _last_act(session, stands.game, stands.seats[seat])
    if row is None:
        raise CannotUndo("undo_nothing")
    sheet = decode_sheet(stands.rules, row.sheet_before)
    since = [each.entry for each in stands.played if each.entry.number >= row.entry]
    entered = row.source == "moderator"
    used = [at for at, entry in enumerate(since) if any(given.seat == seat for given in entry.answers)]
    if not used:
        before = _with_sheet(stands, seat, sheet, is_ready=row.ready_before)
        return Undo(row.number, row.stored, sheet, row.sent_before, before, entered)
    entries = [typed(stands.rules, entry) for entry in since[used[0] :]]
    table = table_after(session, stands, entries[0].number - 1)
    another = Table.restore(stands.rules, stands.game.secret, words_of(stands.seats), table.snapshot())
    judge(stands.rules, another, entries, seat)
    note = Note(UNDONE, stands.seats[seat].name, "", {"seat": seat})
    back = _gone_back(_with_sheet(stands, seat, sheet, is_ready=False), table, seat, note)
    return Undo(row.number, row.stored, sheet, row.sent_before, back, entered, entries[0].number, note)


def judge(rules: Rules, table: Table, entries: Sequence[Entry], seat: int) -> None:
    """Whether all that these entries did was the seat's own doing. `table` stands before them, and is moved on.

    Raises CannotUndo.
    """
    for entry in entries:
        if entry.kind == RULING:
            if entry.note is None or (entry.note.act, entry.note.params) != (UNDONE, {"seat": seat}):
                raise CannotUndo("undo_ruled")
        else:
            if [given.seat for given in entry.answers] != [seat]:
                raise CannotUndo("undo_others")
            if entry.outcomes:
                raise CannotUndo("undo_drawn")
            decision = rules.pending(table.state)
            if decision is None or decision.private or _reveals(rules, table.state, entry, seat):
                raise CannotUndo("undo_revealed")
        follow(table, [entry])


class _NoChance:
    """Nothing is drawn where nothing was."""

    def draw(self, stream: str, n: int) -> NoReturn:
        """Says that something would be drawn."""
        raise CannotUndo("undo_drawn")


def _reveals(rules: Rules, state: Any, entry: Entry, seat: int) -> bool:
    """Whether the seat could not have foreseen all that it saw of its act: then the act has told it something."""
    choice, view = entry.answers[0].choice, rules.view(state, seat)
    real = _seen(rules, state.copy(), seat, choice)
    for number in range(WORLDS):
        world = rules.imagine(view, RandomChance(Random(number)))
        try:
            other = _seen(rules, world, seat, choice)
        except CannotUndo:
            return True
        if other != real:
            return True
    return False


def _seen(rules: Rules, state: Any, seat: int, choice: Any) -> tuple[list[Any], Any]:
    events: list[Event] = []
    rules.apply(state, {seat: choice}, _NoChance(), events)
    return [event.seen_by(seat) for event in events], rules.view(state, seat)


def _last_act(session: Session, game: Game, seat: Seat) -> Submission | None:
    """What the seat sent last in the stage that is open and has not taken back."""
    opened = game.opened or game.created
    return session.exec(
        select(Submission)
        .where(
            col(Submission.game_id) == game.id,
            col(Submission.seat) == seat.number,
            of_present_player(seat),
            col(Submission.acted).is_(True),
            col(Submission.undone).is_(None),
            col(Submission.entry) > 0,
            col(Submission.stored) >= opened,
        )
        .order_by(col(Submission.number).desc())
        .limit(1)
    ).first()


def _with_sheet(stands: Position, seat: int, sheet: Sheet, *, is_ready: bool) -> Position:
    seats = [_changed(row, ready=is_ready, passes=False) if row.number == seat else row for row in stands.seats]
    return replace(stands, seats=seats, sheets={**stands.sheets, seat: sheet})


def _gone_back(stands: Position, table: Table, seat: int, note: Note) -> Position:
    """The position with the table as it was then, and the note on its new line; who was asked since is asked anew."""
    game, last = stands.game, table.number
    table.branch(game.line + 1, table.epoch)
    entry = table.note(note, game.stage_key)
    asked = numbers(game.waiting)
    row = Game(
        **{
            **game.model_dump(),
            "line": table.line,
            "head": table.head,
            "next_entry": table.number + 1,
            "waiting": str(seat),
            "settle_until": None,
        }
    )
    return replace(
        stands,
        game=row,
        seats=[
            _changed(
                each,
                told=min(each.told, last),
                ready=each.ready and each.number not in asked,
                silent=each.silent and each.number != seat,
            )
            for each in stands.seats
        ],
        table=table,
        played=[*(each for each in stands.played if each.entry.number <= last), Played(entry, {})],
        untold=[(number, events) for number, events in stands.untold if number <= last],
        replaced={},
    )


def _changed(row: Seat, **values: Any) -> Seat:
    """A seat's row with other values, which no session keeps."""
    return Seat(**{**row.model_dump(), **values})
