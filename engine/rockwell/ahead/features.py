"""What tells how a company will fare: numbers read off a state, the same for a real game and an imagined one."""

from engine.rockwell.achievements import (
    ALL_CREWS_AT_STRATUM_C,
    CENTRE_REACHED,
    HOLDINGS,
    SIX_EXTRACTIONS,
    STRATUM_C,
    THREE_CREWS_OF_POWER_2,
    TWO_CREWS_OF_POWER_4,
)
from engine.rockwell.components import Tables
from engine.rockwell.ending import HIGHEST_KIND
from engine.rockwell.geometry import CENTRE, DEPTH, TILE_SPOTS
from engine.rockwell.state import ACHIEVEMENTS, KIND_NAMES, KINDS, Company, State

THOUSAND = 1000
READY = 4000
"""So much money a company can soon spend; what is beyond it is worth less."""
TURNS = 10
"""About how many turns a game has."""
UNREVEALED = 0.5
"""What a mineshaft on an unrevealed tile counts for, in thousands of dollars a turn."""
MOST_ACHIEVEMENTS = 9
"""Six achievements, the three highest among them counted twice: what ends the game."""


def stages_of(tables: Tables, state: State) -> tuple[float, float, float]:
    """What each weight is the sum of: a constant, how many turns are gone, how near some company has brought the end.

    The latter two from 0 to 1.
    """
    arrived = sum(1 for seat in range(tables.seats) if CENTRE in state.at[seat * 4 : seat * 4 + 4])
    claims = max(_claims(company.claimed) for company in state.companies)
    near = max(arrived / (tables.seats // 2 + 1), claims / MOST_ACHIEVEMENTS)
    return 1.0, min(1.0, (state.turn - 1) / TURNS), min(1.0, near)


def _claims(claimed: list[int]) -> int:
    highest = sum(1 for kind in HIGHEST_KIND if claimed[kind])
    return highest + min(6, sum(1 for prestige in claimed if prestige))


def features(tables: Tables, state: State, seat: int) -> list[float]:
    """The numbers of one company, in the order of `NAMES`."""
    company = state.companies[seat]
    first = seat * 4
    power, depth = state.power[first : first + 4], [DEPTH[spot] for spot in state.at[first : first + 4]]
    live = [crew for crew in range(4) if state.at[first + crew] != CENTRE]
    return [
        1.0,
        company.money / THOUSAND,
        min(company.money, READY) / THOUSAND,
        *company.cubes,
        company.insurance,
        sum(power),
        sum([power[crew] for crew in live]),
        sum([depth[crew] for crew in live]),
        sum([power[crew] * depth[crew] for crew in live]),
        len(live),
        company.safety,
        company.safety >= 2,
        company.mobility,
        company.mobility >= 2,
        company.mobility >= 3,
        company.mineshaft,
        _yields(tables, state, seat),
        company.cards,
        *_progress(tables, state, company, power, depth),
    ]


def _yields(tables: Tables, state: State, seat: int) -> float:
    """What its mineshafts bring a turn, in thousands of dollars."""
    sum_ = 0.0
    for tile in TILE_SPOTS:
        if state.mineshaft[tile] != seat:
            continue
        if state.back[tile] < 0:
            sum_ += UNREVEALED
        else:
            yields = tables.backs[tile // 8][state.back[tile]].yields
            sum_ += sum([tables.market[kind] * yields[kind] for kind in KINDS]) / THOUSAND
    return sum_


def _progress(tables: Tables, state: State, company: Company, power: list[int], depth: list[int]) -> list[float]:
    """For each achievement not claimed, the prestige that is left for it times how far the company has come."""
    way = [0.0] * len(ACHIEVEMENTS)
    for achievement, count, kinds in HOLDINGS:
        held = sum([min(company.cubes[kind], count) for kind in kinds]) / (count * len(kinds))
        way[achievement] = held * held
    way[SIX_EXTRACTIONS] = min(6, company.cards) / 6
    way[THREE_CREWS_OF_POWER_2] = (4 - power.count(1)) / 3
    way[TWO_CREWS_OF_POWER_4] = (sum(sorted(power)[2:]) - 2) / 6
    way[ALL_CREWS_AT_STRATUM_C] = sum([min(STRATUM_C, each) + 1 for each in depth]) / (4 * (STRATUM_C + 1))
    way[CENTRE_REACHED] = (1 + max(depth)) / 5
    return [0.0 if company.claimed[kind] else _left(tables, state, kind) * far for kind, far in enumerate(way)]


def _left(tables: Tables, state: State, achievement: int) -> int:
    tiles, gone = tables.achievements[achievement], state.achievements[achievement]
    return tiles[gone] if gone < len(tiles) else 0


NAMES = (
    "any",
    "money",
    "ready_money",
    *KIND_NAMES,
    "insurance",
    "power",
    "live_power",
    "depth",
    "power_at_depth",
    "live_crews",
    "safety",
    "safety_2",
    "mobility",
    "mobility_2",
    "mobility_3",
    "mineshaft",
    "yields",
    "cards",
    *ACHIEVEMENTS,
)
