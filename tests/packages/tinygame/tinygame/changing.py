"""What a moderator may make otherwise: lives, a card of a hand, and the piles of cards left and played."""

from typing import Any

from engine.changes import ChangeSpace, Kind
from engine.contract import Event, Part
from engine.errors import Illegal
from tinygame.state import COPIES, SEATS, VALUES, Card, Discarded, Left, Lives, State, Swapped

MOST_LIVES = 9
Change = Lives | Card | Left | Discarded


def changes(state: State) -> ChangeSpace:
    """Every change that may be made now; none while an attack is to be met."""
    if not state.steps:
        raise Illegal("game_over")
    if state.steps[-1] == "defend":
        raise Illegal("in_the_middle")

    def lives(chosen: tuple[Any, ...]) -> Part | None:
        return (Part("seat", state.living()), Part("lives", range(1, MOST_LIVES + 1)), None)[len(chosen)]

    def card(chosen: tuple[Any, ...]) -> Part | None:
        holders = [seat for seat in state.living() if state.hands[seat] and any(state.left)]
        if not chosen:
            return Part("seat", holders)
        if len(chosen) == 1:
            return Part("old", sorted(set(state.hands[chosen[0]])))
        return Part("new", [value for value in VALUES if state.left[value - 1]]) if len(chosen) == 2 else None

    def pile(chosen: tuple[Any, ...]) -> Part | None:
        return (Part("card", list(VALUES)), Part("count", range(COPIES + 1)), None)[len(chosen)]

    return ChangeSpace(
        {
            "lives": Kind(Lives, lives),
            "card": Kind(Card, card),
            "left": Kind(Left, pile),
            "discarded": Kind(Discarded, pile),
        }
    )


def change(state: State, made: Change, events: list[Event]) -> None:
    """Only its seat sees which card is another one."""
    match made:
        case Lives(seat, lives):
            state.lives[seat] = lives
            events.append(Event(made))
        case Card(seat, old, new):
            state.hands[seat].remove(old)
            state.left[old - 1] += 1
            state.left[new - 1] -= 1
            state.hands[seat] = sorted([*state.hands[seat], new])
            events.append(Event(Swapped(seat, old, new), (seat,), Swapped(seat)))
        case Left(value, count):
            state.left[value - 1] = count
        case Discarded(value, count):
            state.discard[value - 1] = count
            events.append(Event(made))


def called(part: str, value: Any) -> str:
    """Seats by their names."""
    return SEATS[value] if part == "seat" else str(value)
