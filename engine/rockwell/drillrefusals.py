"""Why a part of a drill choice is not legal: a code of `refusals.REFUSALS` and its parameters."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from engine.rockwell import bribery, moves, subcontracting
from engine.rockwell.choices import LEFT
from engine.rockwell.components import Tables
from engine.rockwell.geometry import CAP, CENTRE, ENTRANCES, ON, SECOND, SPOTS, STRATUM
from engine.rockwell.plan import Plan
from engine.rockwell.state import State

Refusal: TypeAlias = tuple[str, Mapping[str, object]]


def move_refusal(tables: Tables, state: State, number: int, origin: int, to: int) -> Refusal:
    """Why one move does not lead from a spot to another."""
    if to in ENTRANCES:
        return "back_to_entrance", {}
    if not 0 <= to < SPOTS or (STRATUM[to] < 0 and to != CENTRE):
        return "no_such_spot", {}
    mobility = state.companies[number >> 2].mobility
    if origin < CENTRE and to < CENTRE and to in SECOND[origin]:
        return "needs_mobility", {"level": 1, "has": mobility}
    if origin < CENTRE and origin in ON[to]:
        if mobility < 2:
            return "needs_mobility", {"level": 2, "has": mobility}
        if not moves.whole(state, to):
            return "straddle_revealed", {"tile": next(tile for tile in ON[to] if state.back[tile] >= 0)}
        other = moves.taken_by(tables, state, number, to)
        if other is not None:
            return "border_taken", {"seat": other >> 2}
    return "not_adjacent", {"origin": origin}


def refusal(plan: Plan, name: str, value: Any) -> Refusal:
    """Why a part after the first move can't be that, whether it is asked or not."""
    return _BY_PART[name](plan, value)


def _second(plan: Plan, value: int) -> Refusal:
    mobility = plan.state.companies[plan.seat].mobility
    if mobility < 3:
        return "needs_mobility", {"level": 3, "has": mobility}
    if plan.final == CENTRE:
        return "no_second_after_centre", {}
    return move_refusal(plan.tables, plan.state, plan.number, plan.final, value)


def _die(plan: Plan, value: int) -> Refusal:
    if not plan.state.die[plan.number]:
        return "no_die", {}
    if not plan.moved or plan.final == CENTRE:
        return "die_stays", {}
    if not value >= LEFT:
        return "die_unsaid", {}
    return _power(plan, value)


def _power(plan: Plan, value: int) -> Refusal:
    if not 0 <= value <= CAP[plan.final]:
        return "above_cap", {"most": CAP[plan.final]}
    return "cannot_pay", {"price": plan.tables.fees[value], "has": plan.money}


def _hire(plan: Plan, value: int) -> Refusal:
    if plan.right != subcontracting.SUBCONTRACTING:
        return "no_right", {"right": subcontracting.SUBCONTRACTING}
    if not CAP[plan.final]:
        return "no_hire_here", {}
    if plan.die:
        return "has_die", {}
    if not plan.dice:
        return "no_dice_left", {}
    return _power(plan, value)


def _anyway(plan: Plan, value: bool) -> Refusal:
    return "only_with_hire", {}


def _bribe(plan: Plan, value: int) -> Refusal:
    if plan.right != subcontracting.BRIBERY:
        return "no_right", {"right": subcontracting.BRIBERY}
    if not plan.state.bribery:
        return "no_bribery_left", {}
    if not CAP[plan.final]:
        return "no_bribery_here", {}
    if not 0 <= value < len(plan.state.at):
        return "no_such_crew", {}
    if value >> 2 == plan.seat:
        return "own_crew", {}
    tile = ON[plan.final][0]
    if plan.state.back[tile] >= 0:
        return "tile_revealed", {"tile": tile}
    if not any(plan.state.at[value] in bribery.NEAR[tile] for tile in ON[plan.final]):
        return "not_in_reach", {"tile": tile}
    die = plan.state.die[value]
    if die > CAP[plan.final]:
        return "above_cap", {"most": CAP[plan.final]}
    return "cannot_pay", {"price": plan.tables.fees[die], "has": plan.money}


def _onto(plan: Plan, value: int) -> Refusal:
    if "bribe" not in plan.names:
        return "only_with_bribe", {}
    if len(ON[plan.final]) < 2 or value not in ON[plan.final]:
        return "not_straddling", {}
    return "not_in_reach", {"tile": value}


_BY_PART = {"second": _second, "die": _die, "hire": _hire, "anyway": _anyway, "bribe": _bribe, "onto": _onto}
