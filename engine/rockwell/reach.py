"""How far a crew can come by an order's round, whatever else happens: where it may move, and who may bribe it."""

from collections.abc import Iterable

from engine.contract import Obstacle
from engine.rockwell.drilling import ROUNDS
from engine.rockwell.geometry import BORDER, BORDERS, CENTRE, ENTRANCES, SPOTS, STEPS, TILE_SPOTS
from engine.rockwell.language.intents import WITH, DrillBy
from engine.rockwell.moves import JUMPS
from engine.rockwell.state import AutomatonMoving, Drilling
from engine.rockwell.view import RockwellView


def too_far(view: RockwellView, seat: int, round_: int, intent: DrillBy) -> Obstacle | None:
    """That the crew can't be there in time (RW-DRL-2 to 5, RW-WRK-10 to 13), for good unless a bribe could help."""
    if intent.crew not in range(4) or view.own is None:
        return None
    origin, mobility = view.at[seat * 4 + intent.crew], view.own.mobility
    targets = _targets(intent.to, mobility)
    if origin == CENTRE or not targets:
        return None
    now = view.stack[0].round if isinstance(view.stack[0], Drilling | AutomatonMoving) else 1
    acts = (round_ or ROUNDS) - now + 1
    moves = _moves(origin, targets, mobility)
    by_act = 2 if mobility >= 3 else 1
    if moves <= acts * by_act:
        return None
    # A crew is bribed from a tile only: at an entrance it has to act before that.
    bribes = 0 if origin in ENTRANCES and acts <= 1 else view.bribery
    return Obstacle(
        "too_far", {"origin": origin, "round": -(-moves // by_act)}, for_good=moves > acts * by_act + bribes
    )


def _targets(to: int, mobility: int) -> frozenset[int]:
    """The spots that are meant; none where the crew stays, or where it can't stand on a border at all."""
    if to >= BORDER and mobility < 2:
        return frozenset()
    if to >= WITH:
        tile = to - WITH
        return frozenset(BORDERS[tile]) if tile in TILE_SPOTS else frozenset()
    return frozenset({to}) if to in TILE_SPOTS or to == CENTRE or BORDER <= to < SPOTS else frozenset()


def _moves(origin: int, targets: frozenset[int], mobility: int) -> int:
    """The fewest moves from the one to the others, on a board where nobody is in the way."""
    reached, edge, moves = {origin}, {origin}, 0
    while not targets & reached:
        edge = {to for spot in edge for to in _onward(spot, mobility)} - reached
        reached |= edge
        moves += 1
    return moves


def _onward(spot: int, mobility: int) -> Iterable[int]:
    if mobility == 0:
        return STEPS[spot]
    return JUMPS[spot] + BORDERS[spot] if mobility > 1 and spot in TILE_SPOTS else JUMPS[spot]
