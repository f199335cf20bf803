"""A few sound orders for each kind that may be asked, from what the seat sees: examples, not advice."""

from collections.abc import Callable
from typing import Any

from engine.brass_empire import battle
from engine.brass_empire.asks import acquirable
from engine.brass_empire.choices import (
    ACT,
    ATTACK,
    BUY,
    COMPANIES,
    CONVERT,
    DEMOLISH,
    DISCARD,
    EFFECT,
    FOUNDING,
    MINE,
    PIECES,
    PLAY,
    REBUILD,
    RESERVE,
    TURN,
    USE,
    Accept,
    Corporation,
    Decline,
    End,
    Pick,
    PlayAll,
    Rebuild,
    Steal,
)
from engine.brass_empire.choices import ANY as ANY_CORPORATION
from engine.brass_empire.founding import ReserveSpace, free
from engine.brass_empire.imagine import imagine
from engine.brass_empire.language.intents import (
    ALL,
    COMPANY,
    AttackBy,
    BuyOf,
    ConvertOf,
    DemolishOf,
    DiscardOf,
    DismissOf,
    MineBy,
    PlayOf,
    ReserveOf,
    StrikeAt,
    TakeOf,
    Target,
    UseOf,
)
from engine.brass_empire.state import Asking, Discarding, Founding, Reserving, State, Turn
from engine.brass_empire.tables import Tables
from engine.brass_empire.turnspace import TurnSpace
from engine.brass_empire.view import BrassView
from engine.orders.shape import Alternative, Order
from engine.spaces import complete

LINES = 6
"""Examples of a kind at most."""


class _First:
    """Chance that always gives the first outcome: what the examples say must not depend on what is hidden."""

    def draw(self, stream: str, n: int) -> int:
        """The first."""
        return 0


def ideas(tables: Tables, view: BrassView, kind: str) -> list[Order]:
    """Orders for that kind; none of nobody, nor where there is nothing to do."""
    if view.me is None or not view.stack or view.me in view.out:
        return []
    state = imagine(tables, view, _First())
    lines = _IDEAS[kind](tables, state, view.me) if kind in _IDEAS else []
    always = kind == DISCARD and not isinstance(state.stack[-1], Discarding)
    return [Order(kind, tuple(Alternative(intent) for intent in line), 0, None, always) for line in lines[:LINES]]


def _corporations(tables: Tables, state: State, seat: int) -> list[list[Any]]:
    step = state.stack[-1]
    if not isinstance(step, Founding):
        return []
    left = free(tables, state)
    return [[Corporation(corp) for corp in left[:3]], [Corporation(ANY_CORPORATION)]]


def _reserves(tables: Tables, state: State, seat: int) -> list[list[Any]]:
    step = state.stack[-1]
    if not isinstance(step, Reserving) or state.companies[seat].corp < 0:
        return []
    made = complete(ReserveSpace(tables, state, seat), ())
    return [[ReserveOf(_count(made.cards))]]


def _count(cards: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((card, cards.count(card)) for card in dict.fromkeys(cards))


def _acts(tables: Tables, state: State, seat: int) -> list[list[Any]]:
    """What can be done now, or once an open question is answered; in another's turn what most turns consist of."""
    if seat != state.seat or not any(isinstance(step, Turn) for step in state.stack):
        return [[PlayAll()], [ConvertOf(ALL)], [MineBy()], [End()]]
    space = TurnSpace(tables, state)
    lines: list[list[Any]] = []
    for act in space.acts():
        lines += _LINES[act](tables, space) if act in _LINES else []
    return [*lines[: LINES - 1], [End()]]


def _plays(tables: Tables, space: TurnSpace) -> list[list[Any]]:
    hand = space.company.hand
    first = min(hand, key=tables.rank.__getitem__)
    return [[PlayAll()], [PlayOf(((first, hand.count(first)),))]]


def _buys(tables: Tables, space: TurnSpace) -> list[list[Any]]:
    """The dearest first; what comes after it in the line is bought if it is gone."""
    dear = sorted(space.buys(), key=lambda each: -(tables.labor[each[1]] + tables.construction[each[1]]))
    return [[BuyOf(card) for card in dict.fromkeys(card for _, card in dear[:2])]]


def _uses(tables: Tables, space: TurnSpace) -> list[list[Any]]:
    ids = space.buildings("activate")
    return [[UseOf(piece.card)] for piece in space.company.pieces if piece.id in ids[:1]]


def _actions(tables: Tables, space: TurnSpace) -> list[list[Any]]:
    ids = space.actors(space.ready())
    return [[UseOf(piece.card)] for piece in space.company.pieces if piece.id in ids[:1]]


def _demolitions(tables: Tables, space: TurnSpace) -> list[list[Any]]:
    ids = space.buildings("demolish")
    return [[DemolishOf(piece.card)] for piece in space.company.pieces if piece.id in ids[:1]]


def _attacks(tables: Tables, space: TurnSpace) -> list[list[Any]]:
    unit = max(space.ready(), key=lambda piece: tables.attack[piece.card])
    targets = [target_of(tables, space.state, target) for target in space.targets()[:2]]
    return [[AttackBy(target, unit.card) for target in dict.fromkeys(targets)]]


def target_of(tables: Tables, state: State, target: int) -> Target:
    """The words' own target for one in play."""
    if target >= PIECES or target < tables.sides:
        return Target(*battle.card_of(tables, state, target))
    return Target(target - COMPANIES, COMPANY)


_LINES: dict[str, Callable[[Tables, TurnSpace], list[list[Any]]]] = {
    PLAY: _plays,
    BUY: _buys,
    CONVERT: lambda tables, space: [[ConvertOf(ALL)]],
    REBUILD: lambda tables, space: [[Rebuild()]],
    USE: _uses,
    DEMOLISH: _demolitions,
    ATTACK: _attacks,
    MINE: lambda tables, space: [[MineBy()]],
    ACT: _actions,
}


def _effects(tables: Tables, state: State, seat: int) -> list[list[Any]]:
    """Answers to the question that is open, else to those that may come up."""
    step = state.stack[-1]
    if not isinstance(step, Asking) or step.seat != seat:
        return [[DismissOf((0,)), Decline()], [Decline()]]
    effect = tables.effects[step.effect]
    if step.may:
        return [[Accept()], [Decline()]]
    company = state.companies[seat]
    match effect.do:
        case "dismiss":
            cards = sorted(company.discard + company.hand)
            return [[DismissOf(tuple(cards[:1]))], [DismissOf(())]]
        case "damage":
            targets = battle.struck_by_effect(tables, state, seat, effect.target)
            named = dict.fromkeys(target_of(tables, state, target) for target in targets)
            return [[StrikeAt(target)] for target in list(named)[:3]]
        case "steal_brass":
            return [[Steal(foe)] for foe in tables.foes[seat] if state.companies[foe].brass]
        case "acquire_free":
            return [*([TakeOf(card)] for _, card in acquirable(tables, state, effect)[:3]), [Decline()]]
    return [[Pick(option)] for option in range(len(effect.options))]


def _discards(tables: Tables, state: State, seat: int) -> list[list[Any]]:
    hand = state.companies[seat].hand
    return [[DiscardOf()], *([[DiscardOf((hand[0],))]] if hand else [])]


_IDEAS: dict[str, Callable[[Tables, State, int], list[list[Any]]]] = {
    FOUNDING: _corporations,
    RESERVE: _reserves,
    TURN: _acts,
    EFFECT: _effects,
    DISCARD: _discards,
}
