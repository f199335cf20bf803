"""The intent that asks for one choice, or for one of those that are alike: an order names cards, not pieces."""

from collections import Counter
from itertools import groupby
from typing import Any

from engine.brass_empire.choices import (
    COMPANIES,
    PIECES,
    Acquire,
    Act,
    Attack,
    Buy,
    Convert,
    Demolish,
    Discard,
    Dismiss,
    Mine,
    Play,
    Reserve,
    Strike,
    Use,
)
from engine.brass_empire.language.intents import (
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
from engine.brass_empire.tables import Tables
from engine.brass_empire.view import BrassView


def exactly(tables: Tables, view: BrassView, choice: Any) -> Any:
    """An intent that this choice fits, and others at most that differ in which of several cards alike they take."""
    match choice:
        case Play(cards, wishes):
            return PlayOf(_counted(cards), _wishes(tables, view, wishes))
        case Buy(card, source, mate):
            return BuyOf(card, source, mate)
        case Convert(times):
            return ConvertOf(times * tables.convert)
        case Use(piece, wishes) | Act(piece, wishes):
            return UseOf(_card(view, piece), _wishes(tables, view, wishes))
        case Demolish(piece, wishes):
            return DemolishOf(_card(view, piece), _wishes(tables, view, wishes))
        case Attack(unit, target, wishes):
            return AttackBy(_target(tables, view, target), _card(view, unit), _wishes(tables, view, wishes))
        case Mine(units, wishes):
            mining = Counter(_card(view, unit) for unit in units)
            return MineBy(tuple(mining.items()), _wishes(tables, view, wishes))
        case Discard(cards):
            return DiscardOf(cards)
        case Reserve(cards):
            return ReserveOf(_counted(cards))
    return _answer(tables, view, choice)


def _answer(tables: Tables, view: BrassView, choice: Any) -> Any:
    """What answers a question of an effect."""
    match choice:
        case Dismiss(cards):
            return DismissOf(cards)
        case Strike(target):
            return StrikeAt(_target(tables, view, target))
        case Acquire(card, _, mate):
            return TakeOf(card, mate)
    return choice


def _wishes(tables: Tables, view: BrassView, wishes: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_answer(tables, view, wish) for wish in wishes)


def _counted(cards: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((card, len(list(alike))) for card, alike in groupby(cards))


def _card(view: BrassView, piece: int) -> int:
    return next(each.card for side in view.companies for each in side.pieces if each.id == piece)


def _target(tables: Tables, view: BrassView, target: int) -> Target:
    if target < COMPANIES:
        return Target(target, tables.platform)
    if target < PIECES:
        return Target(target - COMPANIES, COMPANY)
    owner = next(seat for seat, side in enumerate(view.companies) if target in {piece.id for piece in side.pieces})
    return Target(owner, _card(view, target))
