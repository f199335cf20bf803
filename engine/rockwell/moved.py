"""Where crews came from in the last round: what a picture of the position draws as arrows."""

from collections.abc import Iterable
from typing import Any

from engine.rockwell.events import AutomatonMoved, Bribed, Fell, Moved, NoCrew, RoundBegan, Stayed

MOVES = (Moved, Bribed, Fell, AutomatonMoved)
AUTOMATON = -1


def moved(events: Iterable[Any]) -> tuple[Any, ...]:
    """The moves of the last act of drilling of each company, and of the automaton: one round back from now.

    `events` are public ones, oldest first. An act that began again with a company ends the round before it.
    """
    acts: list[tuple[int, list[Any]]] = []
    for event in events:
        if isinstance(event, RoundBegan) and event.round == 1:
            acts.clear()
        actor = _begins(event)
        if actor is not None:
            acts.append((actor, []))
        if isinstance(event, MOVES):
            # An extraction in the workshop makes crews fall without an act of drilling before it.
            acts[-1][1].append(event) if acts else acts.append((AUTOMATON - 1, [event]))
    last: list[list[Any]] = []
    seen: set[int] = set()
    for actor, moves in reversed(acts):
        if actor in seen:
            break
        seen.add(actor)
        last.append(moves)
    return tuple(move for moves in reversed(last) for move in moves)


def _begins(event: Any) -> int | None:
    """Whose act begins with an event, if one does."""
    if isinstance(event, AutomatonMoved):
        return AUTOMATON
    if isinstance(event, Stayed | NoCrew) or (isinstance(event, Moved) and event.move == 1):
        seat: int = event.seat
        return seat
    return None
