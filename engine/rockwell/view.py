"""What a seat knows: all that is public, and its own stock."""

from typing import NamedTuple

import msgspec

from engine.rockwell.geometry import CENTRE, ON, TILE_SPOTS
from engine.rockwell.state import Account, Company, State, Step


class Rival(msgspec.Struct):
    """The public part of a company. `money` is what everyone can have kept count of, as is `account`."""

    money: int
    account: Account
    safety: int
    mineshaft: int
    mobility: int
    cards: int
    claimed: list[int]
    delivered: list[int]


class RockwellView(msgspec.Struct):
    """Fields as in `state.State`. `seat` is whose view it is, None for the public one.

    `companies` has the public part of every company, one's own too; `own` is one's own in full, None for the public.
    """

    seat: int | None
    own: Company | None
    companies: list[Rival]
    at: list[int]
    power: list[int]
    die: list[int]
    required: list[int]
    back: list[int]
    mineshaft: list[int]
    management: list[int]
    control: list[int]
    slots: list[int]
    bribery: int
    dice: int
    cards: list[int]
    deliveries: list[int]
    achievements: list[int]
    traded: list[int]
    left: list[int]
    turn: int
    stack: list[Step]


class Ground(NamedTuple):
    """A tile and who is on it: crews as number, power, power of the die. `strength` is all their power."""

    tile: int
    required: int
    back: int
    mineshaft: int
    crews: tuple[tuple[int, int, int], ...]
    strength: int


def ground(view: RockwellView) -> list[Ground]:
    """The tiles in order. Crews that straddle count for the strength of both tiles, and stand on neither."""
    crews: list[list[tuple[int, int, int]]] = [[] for _ in TILE_SPOTS]
    strength = [0] * len(crews)
    for number, spot in enumerate(view.at):
        power, die = view.power[number], view.die[number]
        for tile in ON[spot]:
            strength[tile] += power + die
        if spot < CENTRE:
            crews[spot].append((number, power, die))
    return [
        Ground(tile, view.required[tile], view.back[tile], view.mineshaft[tile], tuple(crews[tile]), strength[tile])
        for tile in TILE_SPOTS
    ]


def view(state: State, seat: int | None) -> RockwellView:
    """What `seat` knows of a state. All steps of the stack are public: an act is announced whole."""
    return RockwellView(
        seat,
        None if seat is None else state.companies[seat].copy(),
        [_public(company) for company in state.companies],
        state.at[:],
        state.power[:],
        state.die[:],
        state.required[:],
        state.back[:],
        state.mineshaft[:],
        state.management[:],
        state.control[:],
        state.slots[:],
        state.bribery,
        state.dice,
        state.cards[:],
        state.deliveries[:],
        state.achievements[:],
        state.traded[:],
        state.left[:],
        state.turn,
        state.stack[:],
    )


def _public(company: Company) -> Rival:
    return Rival(
        company.money,
        company.account.copy(),
        company.safety,
        company.mineshaft,
        company.mobility,
        company.cards,
        company.claimed[:],
        company.delivered[:],
    )
