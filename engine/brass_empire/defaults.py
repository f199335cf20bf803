"""What a company does that does not answer: BE-DEF."""

from typing import Any

from engine.brass_empire import asks, battle
from engine.brass_empire.choices import (
    ANY,
    CONVERT,
    MINE,
    PLAY_ALL,
    Accept,
    Convert,
    Corporation,
    Decline,
    Discard,
    Dismiss,
    End,
    Mine,
    Pick,
    PlayAll,
    Reserve,
    Steal,
    Strike,
)
from engine.brass_empire.founding import ReserveSpace
from engine.brass_empire.state import Asking, Discarding, Founding, Reserving, State
from engine.brass_empire.tables import Tables
from engine.brass_empire.turnspace import TurnSpace
from engine.spaces import allows, complete


def default(tables: Tables, state: State, seat: int) -> Any:
    """The choice of a seat that is asked and does not answer."""
    step = state.stack[-1]
    match step:
        case Founding():
            return Corporation(ANY)
        case Reserving():
            return _reserve(tables, state, seat)
        case Asking():
            return _answer(tables, state, step)
        case Discarding():
            count = step.counts[step.seats.index(seat)]
            return Discard(cheapest(tables, state.companies[seat].hand, count))
    return _act(tables, state)


def _reserve(tables: Tables, state: State, seat: int) -> Reserve:
    """The corporation's own reserve where that is of the right brass, else the first that is."""
    own = Reserve(tuple(sorted(tables.reserves[state.companies[seat].corp])))
    space = ReserveSpace(tables, state, seat)
    if allows(space, own):
        return own
    made: Reserve = complete(space, ())
    return made


def _act(tables: Tables, state: State) -> Any:
    """Play every card, convert what can be, mine with every unit that may, end (BE-DEF-1 to 3)."""
    space = TurnSpace(tables, state)
    acts = space.acts()
    if PLAY_ALL in acts:
        return PlayAll()
    if CONVERT in acts:
        return Convert(state.construction // tables.convert)
    if MINE in acts:
        return Mine(tuple(piece.id for piece in space.ready()))
    return End()


def _answer(tables: Tables, state: State, step: Asking) -> Any:
    """Decline what may be declined, but a `destroyed` effect (BE-DEF-5); the first option; strike the weakest."""
    effect = tables.effects[step.effect]
    if step.may:
        return Accept() if effect.when == "destroyed" else Decline()
    match effect.do:
        case "dismiss":
            return Dismiss(())
        case "acquire_free":
            return Decline()
        case "damage":
            targets = battle.struck_by_effect(tables, state, step.seat, effect.target)
            # They are listed clockwise, and each company's by how long they are in play.
            return Strike(min(targets, key=lambda target: battle.left(tables, state, target)))
        case "steal_brass":
            return Steal(asks.victims(tables, state, step.seat)[0])
    return Pick(0)


def cheapest(tables: Tables, hand: list[int], count: int) -> tuple[int, ...]:
    """The cards of least labor and construction together, then of least brass value, then by name (BE-DEF-4)."""

    def key(card: int) -> tuple[int, int, str]:
        return tables.labor[card] + tables.construction[card], tables.brass[card], tables.cards[card].name

    return tuple(sorted(sorted(hand, key=key)[:count]))
