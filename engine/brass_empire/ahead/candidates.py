"""The choices that are worth playing on: few of each kind, each a function of the view and the space alone."""

from collections.abc import Iterator
from typing import Any

from engine.brass_empire.asks import STOP
from engine.brass_empire.choices import (
    ACT,
    ATTACK,
    BUY,
    CONVERT,
    DEMOLISH,
    FOUNDING,
    MINE,
    REBUILD,
    RESERVE,
    TURN,
    USE,
    Act,
    Attack,
    Buy,
    Convert,
    Demolish,
    End,
    Mine,
    PlayAll,
    Rebuild,
    Use,
)
from engine.contract import Decision
from engine.spaces import every

ANY = 12
"""So many answers to what cards ask."""
ATTACKS = 24
"""Attacks that are looked at."""


def candidates(decision: Decision, space: Any, own: Any) -> list[Any]:
    """`own` first, then the others, no choice twice. What nobody would do otherwise has no others."""
    if isinstance(own, PlayAll) or decision.kind in (FOUNDING, RESERVE):
        return [own]
    if decision.kind == TURN:
        return list(dict.fromkeys((own, *_acts(space))))
    return list(dict.fromkeys((own, *every(space, ANY))))


def _acts(space: Any) -> Iterator[Any]:
    """All that may be done but to play cards one by one; units mine together, construction is converted together."""
    acts = space.part(()).values
    yield End()
    if BUY in acts:
        for source, card in space.part((BUY,)).values:
            yield Buy(card, source)
    if CONVERT in acts:
        yield Convert(space.part((CONVERT,)).values[-1])
    if REBUILD in acts:
        yield Rebuild()
    if USE in acts:
        yield from map(Use, space.part((USE,)).values)
    if DEMOLISH in acts:
        yield from map(Demolish, space.part((DEMOLISH,)).values)
    if MINE in acts:
        yield Mine(tuple(unit for unit in space.part((MINE,)).values if unit != STOP))
    if ACT in acts:
        yield from map(Act, space.part((ACT,)).values)
    if ATTACK in acts:
        units = space.part((ATTACK,)).values
        pairs = [(unit, target) for unit in units for target in space.part((ATTACK, unit)).values]
        for unit, target in pairs[:ATTACKS]:
            yield Attack(unit, target)
