"""Bribery: RW-BRB."""

from engine.rockwell.choices import NOT_SAID, Drill
from engine.rockwell.components import Tables
from engine.rockwell.events import Bribed, Lapsed
from engine.rockwell.geometry import CAP, NEIGHBOURS, ON, SPOTS, TILE_SPOTS
from engine.rockwell.play import Play
from engine.rockwell.state import State

NEAR = tuple(
    frozenset(spot for spot in range(SPOTS) if any(on in NEIGHBOURS[tile] for on in ON[spot])) for tile in TILE_SPOTS
)
"""By tile, the spots from which a crew can be brought onto it: the adjacent tiles, and all borders of these."""


def targets(tables: Tables, state: State, seat: int, tile: int, money: int) -> list[int]:
    """The crew numbers that a company can bribe onto a tile, its active crew being there (RW-BRB-1 to 14, 17)."""
    if state.back[tile] >= 0:
        return []
    near, cap, fees, die = NEAR[tile], CAP[tile], tables.fees, state.die
    return [
        number
        for number, spot in enumerate(state.at)
        if spot in near
        and number >> 2 != seat
        and (not die[number] or (die[number] <= cap and fees[die[number]] <= money))
    ]


def bribe(play: Play, number: int, choice: Drill, extracted: bool) -> bool:
    """An opponent's crew is brought onto the active crew's tile; whether it was."""
    state, tables = play.state, play.tables
    seat, crew = divmod(number, 4)
    company = state.companies[seat]
    if extracted:
        play.tell(Lapsed(seat, crew, "bribe", "extracted"))
        return False
    spot = state.at[number]
    tile = spot if choice.onto == NOT_SAID else choice.onto
    if tile not in ON[spot] or choice.bribe not in targets(tables, state, seat, tile, company.money):
        play.tell(Lapsed(seat, crew, "bribe", "moved"))
        return False
    owner, target = divmod(choice.bribe, 4)
    die = state.die[choice.bribe]
    fee = tables.fees[die]
    company.money -= fee
    state.bribery -= 1
    origin = state.at[choice.bribe]
    state.at[choice.bribe] = tile
    play.tell(Bribed(seat, crew, owner, target, origin, tile, die, fee))
    return True
