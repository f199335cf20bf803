"""A few sound orders for each kind that may be asked, from what the seat sees: examples, not advice.

In each order but those of nothing the last alternative is one that hardly anything can stop (stay, another board,
pass).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.orders.shape import Alternative, Order
from engine.rockwell import automaton
from engine.rockwell.choices import (
    AUTOMATON_MOVE,
    AUTOMATON_STEP,
    BID,
    DANGER,
    DRILL,
    FIRST,
    INSURE,
    MARKET,
    PLACE,
    WORKSHOP,
    Deliver,
    First,
    Mobility,
    Pass,
    Raise,
    Safety,
)
from engine.rockwell.components import Tables
from engine.rockwell.geometry import CAP, CENTRE, DEPTH, ON, STEPS, TILE_SPOTS
from engine.rockwell.language.intents import ALL, ANY, STAY, BidOf, Buy, CoverBy, DrillBy, InsureOf, PlaceOn, Sell
from engine.rockwell.language.quantities import power_on
from engine.rockwell.state import BOARDS, KINDS, Ripe
from engine.rockwell.subcontracting import SUBCONTRACTING
from engine.rockwell.view import RockwellView

NO_CUBES = (0, 0, 0, 0)
LINES = 3
"""Examples of a kind at most."""


def ideas(tables: Tables, view: RockwellView, kind: str, round_: int) -> Sequence[Order]:
    """Orders for that kind and round; none of nobody, nor where there is nothing to do."""
    if view.seat is None or view.own is None:
        return []
    if kind == DRILL:
        lines = _drills(tables, view, view.seat, round_)
    else:
        lines = _IDEAS[kind](tables, view, view.seat) if kind in _IDEAS else []
    return [
        Order(kind, tuple(Alternative(intent) for intent in line), round_ if kind == DRILL else 0, None, kind == DANGER)
        for line in lines[:LINES]
    ]


def _bids(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    assert view.own is not None
    money, cubes = view.own.money, view.own.cubes
    some = money // 300 * 100
    lines: list[list[Any]] = [[BidOf(some, NO_CUBES)]] if some else []
    kind = next((kind for kind in KINDS if cubes[kind]), None)
    if kind is not None:
        one = tuple(int(kind == other) for other in KINDS)
        lines.append([BidOf(money // 500 * 100, (one[0], one[1], one[2], one[3]))])
    return [*lines, [BidOf(0, NO_CUBES)]]


def _places(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    """Each line goes to any board, another one first."""
    orders = ((2, 1, 0), (1, 0, 2), (0, 2, 1))
    return [[PlaceOn(board) for board in order if board in BOARDS] for order in orders]


def _insurances(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    assert view.own is not None
    kind = next((kind for kind in KINDS if view.own.cubes[kind]), None)
    lines: list[list[Any]] = []
    if kind is not None:
        one = tuple(int(kind == other) for other in KINDS)
        lines.append([InsureOf((one[0], one[1], one[2], one[3]))])
    return [*lines, [InsureOf(NO_CUBES)]]


def _firsts(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    step = view.stack[-1] if view.stack else None
    if isinstance(step, Ripe) and step.seat == seat:
        crews: Sequence[int] = (seat * 4 + step.crew,)
    else:
        crews = range(seat * 4, seat * 4 + 4)
    return [[First(tile)] for number in crews if len(ON[view.at[number]]) == 2 for tile in ON[view.at[number]]]


def _covers(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    return [[CoverBy(ALL)], [CoverBy(ALL, 3)], [CoverBy(0)]]


def _trades(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    """Sales of what there is most of, and a purchase."""
    assert view.own is not None
    cubes, market = view.own.cubes, tables.market
    fresh = [kind for kind in KINDS if not view.traded[seat] >> kind & 1]
    lines: list[list[Any]] = []
    for kind in sorted(fresh, key=lambda kind: -cubes[kind])[:2]:
        if cubes[kind]:
            lines.append([Sell(kind, (cubes[kind] + 1) // 2), Pass()])
    affordable = [kind for kind in fresh if view.own.money >= 2 * market[kind]]
    if affordable:
        lines.append([Buy(affordable[-1], 1), Pass()])
    return [*lines[: LINES - 1], [Pass()]]


def _actions(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    """Power for a crew, a level, a delivery: what can be paid."""
    assert view.own is not None
    own = view.own
    first = seat * 4
    crews = sorted(range(4), key=lambda crew: (-view.power[first + crew], crew))
    raises: list[Any] = [
        Raise(crew)
        for crew in crews
        if view.at[first + crew] != CENTRE
        and view.power[first + crew] < 4
        and own.money >= tables.power_prices[view.power[first + crew]]
    ]
    lines: list[list[Any]] = []
    for pile in reversed(KINDS):
        gone = view.deliveries[pile]
        tiles = tables.deliveries[pile]
        if gone < len(tiles) and all(own.cubes[kind] >= cost for kind, cost in enumerate(tiles[gone].cost)):
            lines.append([Deliver(pile), *raises[:1], Pass()])
            break
    if raises:
        lines.append([*raises[:3], Pass()])
    if own.mobility < 3 and own.money >= tables.mobility[own.mobility]:
        lines.append([Mobility(), *raises[:1], Pass()])
    if own.safety < 3 and own.money >= tables.safety[own.safety]:
        lines.append([Safety(), *raises[:1], Pass()])
    return [*lines[: LINES - 1], [Pass()]]


def _automaton_moves(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    """What would be legal now, each with others behind it: before its time it may come otherwise."""
    return _turned(automaton.moves(view)) if len(view.companies) == automaton.SEATS else []


def _automaton_steps(tables: Tables, view: RockwellView, seat: int) -> list[list[Any]]:
    return _turned(automaton.raises(view)) if len(view.companies) == automaton.SEATS else []


def _turned(choices: list[Any]) -> list[list[Any]]:
    """A line for each of the first choices, with the two next ones as alternatives."""
    return [(choices[place:] + choices[:place])[:3] for place in range(min(LINES, len(choices)))]


_IDEAS: dict[str, Callable[[Tables, RockwellView, int], list[list[Any]]]] = {
    BID: _bids,
    PLACE: _places,
    INSURE: _insurances,
    FIRST: _firsts,
    DANGER: _covers,
    MARKET: _trades,
    WORKSHOP: _actions,
    AUTOMATON_MOVE: _automaton_moves,
    AUTOMATON_STEP: _automaton_steps,
}


class _Act:
    """A move of a crew and how good it looks."""

    __slots__ = ("crew", "score", "to")

    def __init__(self, crew: int, to: int, score: int) -> None:
        self.crew = crew
        self.to = to
        self.score = score


def _drills(tables: Tables, view: RockwellView, seat: int, round_: int) -> list[list[Any]]:
    """For each of the crews with the best prospects its best moves, else it stays.

    For a round that is still far its own moves before are taken to be the best ones.
    """
    at = view.at[seat * 4 : seat * 4 + 4]
    others = _others(view, seat)
    acts = _acts(view, seat, at, others)
    for _ in range(_rounds_between(view, round_)):
        if acts:
            at[acts[0].crew] = acts[0].to
            acts = _acts(view, seat, at, others)
    crews = list(dict.fromkeys(act.crew for act in acts))
    return [_line(tables, view, seat, [act for act in acts if act.crew == crew]) for crew in crews]


def _rounds_between(view: RockwellView, round_: int) -> int:
    now = next((step.round for step in view.stack if hasattr(step, "round")), 1)
    return max(0, min(3, round_ - now)) if round_ else 0


def _others(view: RockwellView, seat: int) -> dict[int, int]:
    """The power of all other companies on each tile where there is some."""
    found: dict[int, int] = {}
    for number, spot in enumerate(view.at):
        if number // 4 != seat:
            for tile in ON[spot]:
                found[tile] = found.get(tile, 0) + view.power[number] + view.die[number]
    return found


def _acts(view: RockwellView, seat: int, at: list[int], others: Mapping[int, int]) -> list[_Act]:
    """All plain moves from these spots, the most promising first; `others` is what power others have on each tile."""
    acts = [
        _Act(crew, to, _score(view, seat, at, crew, to, others.get(to, 0)))
        for crew, spot in enumerate(at)
        if spot != CENTRE
        for to in STEPS[spot]
    ]
    return sorted(acts, key=lambda act: (-act.score, act.crew, act.to))


def _score(view: RockwellView, seat: int, at: list[int], crew: int, to: int, others: int) -> int:
    """Above all the centre and what can be extracted, then what lacks little, then what lies deeper."""
    spot = at[crew]
    if to == CENTRE:
        return 40 if CENTRE not in at else 15
    inwards = DEPTH[to] - DEPTH[spot]
    if view.back[to] >= 0:
        return 6 * inwards - 3
    first = seat * 4
    own = sum(view.power[first + other] for other, there in enumerate(at) if to in ON[there] and other != crew)
    lacks = view.required[to] - others - own - view.power[first + crew]
    leaves = spot in TILE_SPOTS and view.back[spot] < 0
    if lacks <= 0:
        return 50 + 4 * DEPTH[to]
    return 12 - 4 * lacks + 5 * inwards + 2 * (others + own) - (6 if leaves else 0)


def _line(tables: Tables, view: RockwellView, seat: int, acts: list[_Act]) -> list[Any]:
    """The two or three best moves of one crew, with a subcontractor where that extracts, else it stays."""
    line: list[Any] = []
    for act in acts[:3]:
        power = _hire(tables, view, seat, act)
        if power:
            line.append(DrillBy(act.crew, act.to, hire=power))
        line.append(DrillBy(act.crew, act.to))
    return [*line, DrillBy(ANY, STAY)]


def _hire(tables: Tables, view: RockwellView, seat: int, act: _Act) -> int:
    """The least subcontractor that makes the tile extractable, 0 where none may or need be hired."""
    assert view.own is not None
    has_right = any(view.slots[slot] == seat and right == SUBCONTRACTING for slot, right in enumerate(tables.rights))
    if not has_right or not view.dice or act.to == CENTRE or view.back[act.to] >= 0 or view.die[seat * 4 + act.crew]:
        return 0
    lacks = view.required[act.to] - power_on(view, act.to) - view.power[seat * 4 + act.crew]
    fits = 0 < lacks <= CAP[act.to] and tables.fees[lacks] <= view.own.money
    return lacks if fits else 0
