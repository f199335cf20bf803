"""A game's course step by step: what everyone saw of each, how it stood after it; after the end, all of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from engine.contract import Charted, Event
from engine.journal import decode
from engine.table import follow, replay
from pbem.games.position import Position, stored_events, words_of
from pbem.games.recording import present_line, present_rows
from pbem.storage.models import Game, JournalEntry


@dataclass(frozen=True)
class Step:
    """Something that everyone saw happen: `entry` is the journal entry of it, `events` are those that all saw."""

    entry: int
    stage_key: str
    events: Sequence[Event]


def steps(session: Session, game: Game, upto: int) -> list[Step]:
    """The steps of the present line, oldest first, as far as entry `upto`.

    An entry of which nothing is seen is no step: that there was one can tell something.
    """
    present = present_rows(session, game, (JournalEntry.stage_key, JournalEntry.events), upto=upto)
    found = []
    for number, (key, stored) in present.items():
        seen = [event for event in stored_events(stored) if event.seen_by(None) is not None]
        if seen:
            found.append(Step(number, key, seen))
    return found


@dataclass(frozen=True)
class Plot:
    """Figures of one kind: by turn, oldest first, those of all seats in order."""

    code: str
    turns: Sequence[int]
    values: Sequence[Sequence[int]]


def plots(session: Session, stands: Position) -> list[Plot]:
    """The figures that the rules chart, as they stood at the end of each turn; for a game that is over."""
    rules, game = stands.rules, stands.game
    if not isinstance(rules, Charted):
        return []
    entries = [decode(rules, stored) for _, stored in present_line(session, game).values()]
    table = replay(rules, game.secret, words_of(stands.seats), entries[:1])
    by_turn: dict[int, Mapping[str, Sequence[int]]] = {}
    turn = rules.stage(table.state, game.pace).turn
    for entry in entries[1:]:
        follow(table, [entry])
        now = rules.stage(table.state, game.pace).turn
        if now != turn:
            by_turn[turn] = rules.charted(table.state)
            turn = now
    by_turn[turn] = rules.charted(table.state)  # the last turn ends with the game, wherever that ended it
    codes = list(by_turn[turn])
    return [Plot(code, list(by_turn), [figures[code] for figures in by_turn.values()]) for code in codes]
