"""What a moderator may make otherwise: lives, a card of a hand, and the piles of cards left and played."""

from typing import Any, TypeAlias

import msgspec

from engine.changes import ChangeSpace, Kind
from engine.contract import Event, Part
from engine.errors import Illegal
from tinygame.state import COPIES, SEATS, VALUES, State

MOST_LIVES = 9


class Lives(msgspec.Struct, frozen=True, tag="lives"):
    """A change by hand: how many lives a seat is to have. Also what is told of it."""

    seat: int
    lives: int


class Card(msgspec.Struct, frozen=True, tag="card"):
    """A change by hand: a card of a hand for one of the pile."""

    seat: int
    old: int
    new: int


class Left(msgspec.Struct, frozen=True, tag="left"):
    """A change by hand: how many cards of a value are left in the pile."""

    card: int
    count: int


class Discarded(msgspec.Struct, frozen=True, tag="discarded"):
    """A change by hand: how many cards of a value have been played. Also what is told of it."""

    card: int
    count: int


class Swapped(msgspec.Struct, frozen=True, tag="swapped"):
    """A card of a hand is another one by hand; 0 for those who don't see which."""

    seat: int
    old: int = 0
    new: int = 0


Change: TypeAlias = Lives | Card | Left | Discarded
ChangeEvent: TypeAlias = Lives | Discarded | Swapped


class Changes:
    """What the rules offer for it, beside all that the contract asks for."""

    change_type = Change

    def changeable(self, state: State) -> ChangeSpace:
        """Every change that may be made now; none while an attack is to be met."""
        if not state.steps:
            raise Illegal("game_over")
        if state.steps[-1] == "defend":
            raise Illegal("in_the_middle")

        def lives(chosen: tuple[Any, ...]) -> Part | None:
            return (Part("seat", state.living()), Part("lives", range(1, MOST_LIVES + 1)), None)[len(chosen)]

        def card(chosen: tuple[Any, ...]) -> Part | None:
            if not chosen:
                return Part("seat", [seat for seat in state.living() if state.hands[seat] and any(state.left)])
            if len(chosen) == 1:
                return Part("old", sorted(set(state.hands[chosen[0]])))
            return Part("new", [value for value in VALUES if state.left[value - 1]]) if len(chosen) == 2 else None

        def pile(chosen: tuple[Any, ...]) -> Part | None:
            return (Part("card", list(VALUES)), Part("count", range(COPIES + 1)), None)[len(chosen)]

        kinds = {"lives": Kind(Lives, lives), "card": Kind(Card, card)}
        return ChangeSpace({**kinds, "left": Kind(Left, pile), "discarded": Kind(Discarded, pile)})

    def change(self, state: State, change: Change, events: list[Event]) -> None:
        """Only its seat sees which card is another one."""
        match change:
            case Lives(seat, lives):
                state.lives[seat] = lives
                events.append(Event(change))
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
                events.append(Event(change))

    def settle(self, state: State) -> None:
        """Nobody concludes anything, and whoever is asked can answer whatever was changed."""

    def called(self, part: str, value: Any) -> str:
        """Seats by their names."""
        return SEATS[value] if part == "seat" else str(value)
