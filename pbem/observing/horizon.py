"""What an observer may see yet: the moments at which stages opened, as far as enough turns have been played since.

It follows from the journal's present line, the turn that the game is in, and what the observer was told before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from sqlmodel import Session, col, select

from pbem.games.earlier import points
from pbem.games.position import FINISHED
from pbem.storage.models import Game, JournalEntry, Observer


@dataclass(frozen=True)
class Moment:
    """The opening of a stage, or the game's end: `entry` is the last journal entry before it."""

    entry: int
    stage_key: str
    at: datetime

    @property
    def turn(self) -> int:
        """The turn that the stage is of."""
        return turn_of(self.stage_key)


def turn_of(stage_key: str) -> int:
    """The turn of a stage by its key."""
    return int(stage_key.partition("-")[0])


def moments(session: Session, game: Game) -> list[Moment]:
    """All moments of the game's present line, oldest first; none before it has begun."""
    if not game.next_entry:
        return []
    found = [Moment(point.entry, point.stage_key, point.at) for point in points(session, game)]
    last = game.next_entry - 1
    entry = select(JournalEntry).where(col(JournalEntry.game_id) == game.id, col(JournalEntry.number) == last)
    row = session.exec(entry.order_by(col(JournalEntry.line).desc()).limit(1)).one()
    if game.status in FINISHED or row.stage_key != game.stage_key:
        found.append(Moment(last, game.stage_key, row.at))
    return found


def seen(game: Game, found: Sequence[Moment], delay: int, told: int) -> list[Moment]:
    """Those that may be seen: `delay` more turns have been completed since, or the game is over, or they were told."""
    if game.status in FINISHED:
        return list(found)
    return [each for each in found if turn_of(game.stage_key) - each.turn >= delay or each.entry <= told]


def letter_moments(game: Game, found: Sequence[Moment], delay: int) -> list[Moment]:
    """Those that letters tell up to: the ends of the turns that may be seen, and the game's end."""
    begun = [each for before, each in pairwise([None, *found]) if each and (before is None or before.turn != each.turn)]
    if game.status in FINISHED:
        return [*(each for each in begun if each.entry < found[-1].entry), found[-1]]
    return [each for each in begun if turn_of(game.stage_key) - each.turn >= delay]


def still_told(session: Session, game: Game, observer: Observer) -> int:
    """The last entry of which the observer's letters told that is on the present line still."""
    if observer.line == game.line:
        return observer.told
    then, now = _path(session, game, observer.line), _path(session, game, game.line)
    shared = 0
    for number in range(1, min(observer.told, game.next_entry - 1) + 1):
        if then.get(number) != now.get(number):
            break
        shared = number
    return shared


def _path(session: Session, game: Game, line: int) -> Mapping[int, int]:
    """By number the line on which each entry of a line was written, of those before its last."""
    rows = session.exec(
        select(JournalEntry.number, JournalEntry.line)
        .where(col(JournalEntry.game_id) == game.id, col(JournalEntry.line) <= line)
        .order_by(col(JournalEntry.line))
    )
    return dict(rows.all())
