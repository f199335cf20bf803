"""How the steady stand-in chooses for the automaton: power goes where its own crews share and the rival's don't."""

from typing import Any

from engine.rockwell import automaton
from engine.rockwell.automaton_moving import MoveSpace
from engine.rockwell.automaton_raising import RaiseSpace
from engine.rockwell.components import Tables
from engine.rockwell.geometry import ON
from engine.rockwell.prospects import Scout
from engine.rockwell.view import RockwellView

NOT_YET = 0.3
"""What a tile that is not extracted by it is worth of one that is."""


def move(tables: Tables, view: RockwellView, space: MoveSpace, seat: int) -> Any:
    """The move that brings most to the seat; the first of equals."""
    scout = Scout(tables, view, seat)
    return max(
        space.moves, key=lambda choice: _worth(scout, choice.to, view.power[automaton.CREWS.start + choice.crew])
    )


def step(tables: Tables, view: RockwellView, space: RaiseSpace, seat: int) -> Any:
    """A step for the crew whose tile it brings nearest to be extracted for the seat."""
    scout = Scout(tables, view, seat)
    spots = view.at[automaton.CREWS.start :]
    return space.build((max(space.crews, key=lambda crew: sum(_worth(scout, tile, 1) for tile in ON[spots[crew]])),))


def _worth(scout: Scout, tile: int, added: int) -> float:
    """What so much more power of the automaton's there is worth to the seat, and costs it by its rival's share."""
    promise = scout.promise[tile]
    if promise is None:
        return 0.0
    there = scout.powers[tile].keys()
    sharers = len(there | {automaton.SEATS})
    ripe = scout.strength[tile] + added >= scout.view.required[tile]
    own, rivals = scout.seat in there, len(there - {scout.seat, automaton.SEATS})
    return promise.value / sharers * (own - rivals) * (1.0 if ripe else NOT_YET)
