"""From what an order says to the choice that it makes of the pending decision."""

from typing import Any

from engine.errors import Illegal
from engine.rockwell import danger
from engine.rockwell.bribery import NEAR
from engine.rockwell.choices import LEFT, NOT_SAID, Bid, Cover, Drill, Insure, MoveMineshaft, Place, Trade
from engine.rockwell.components import Tables
from engine.rockwell.geometry import CAP, CENTRE, ON, SPOTS, TILE_SPOTS, border
from engine.rockwell.language.intents import (
    ALL,
    ANY,
    SAME,
    STAY,
    WITH,
    BidOf,
    Buy,
    CoverBy,
    DrillBy,
    InsureOf,
    PlaceOn,
    Sell,
)
from engine.rockwell.state import BOARDS, KINDS, Danger, State
from engine.spaces import check


def fit(rules: Any, state: State, seat: int, intent: Any) -> Any:
    """The legal choice that an intent makes of the pending decision. Raises Illegal: what was asked, what would fit."""
    choice = choice_of(rules.tables, state, seat, intent)
    check(rules.space(state, seat), choice)
    return choice


def choice_of(tables: Tables, state: State, seat: int, intent: Any) -> Any:
    """The choice, legal or not, that is left to be checked. Raises Illegal where the intent makes none."""
    company = state.companies[seat]
    match intent:
        case BidOf(money, cubes):
            return Bid(company.money // 100 * 100 if money == ALL else money, _cubes(cubes, company.cubes))
        case InsureOf(cubes):
            return Insure(_cubes(cubes, company.cubes))
        case PlaceOn(board, slot):
            return Place(board, _leftmost(tables, state, board) if slot == ANY else slot)
        case DrillBy():
            return _drill(state, seat, intent)
        case CoverBy():
            return Cover(_cover(tables, state, seat, intent))
        case Sell(kind, amount) | Buy(kind, amount):
            if kind not in KINDS or amount < ALL:
                raise Illegal("not_a_number", given=intent)
            if isinstance(intent, Sell):
                return Trade(kind, -(company.cubes[kind] if amount == ALL else amount))
            return Trade(kind, company.money // tables.market[kind] if amount == ALL else amount)
        case MoveMineshaft(origin, to) if origin == ANY:
            return MoveMineshaft(_only_mineshaft(state, seat), to)
    return intent


def _cubes(said: tuple[int, int, int, int], held: list[int]) -> tuple[int, int, int, int]:
    zinc, copper, silver, gold = (held[kind] if count == ALL else count for kind, count in enumerate(said))
    return zinc, copper, silver, gold


def _leftmost(tables: Tables, state: State, board: int) -> int:
    """The leftmost free slot; the first where none is, so that the refusal says so."""
    slots = range(len(tables.grants[board])) if board in BOARDS else ()
    return next((slot for slot in slots if state.slots[board * 4 + slot] < 0), 0)


def _only_mineshaft(state: State, seat: int) -> int:
    own = [tile for tile in TILE_SPOTS if state.mineshaft[tile] == seat]
    if len(own) == 1:
        return own[0]
    if not own:
        raise Illegal("no_mineshaft", part="origin")
    raise Illegal("which_mineshaft", {"tiles": tuple(own)}, part="origin", nearest=own)


def _drill(state: State, seat: int, intent: DrillBy) -> Drill:
    """A die that is not spoken of is left by a crew that moves. What goes with a crew to the centre is nothing."""
    crews = state.at[seat * 4 : seat * 4 + 4]
    crew = next((number for number, at in enumerate(crews) if at != CENTRE), 0) if intent.crew == ANY else intent.crew
    if crew not in range(4):
        raise Illegal("no_such_crew", {}, part="crew", given=crew, nearest=range(4))
    at, die = crews[crew], state.die[seat * 4 + crew]
    to = at if intent.to == STAY else _spot(at, intent.to)
    second = NOT_SAID if intent.second == NOT_SAID else _spot(to, intent.second)
    end = to if second == NOT_SAID else second
    taken = intent.die
    if CENTRE in (to, second) or (end == to == at and second == NOT_SAID and taken in (SAME, LEFT)):
        taken = NOT_SAID
    elif taken == NOT_SAID and die and not (to == at and second == NOT_SAID):
        taken = LEFT
    elif taken == SAME and die:
        taken = max(1, min(die, CAP[end] if end in range(SPOTS) else 1))
    elif taken == SAME:
        raise Illegal("no_die", {}, part="die", given=SAME, nearest=(NOT_SAID,))
    return Drill(crew, to, second, taken, intent.hire, intent.anyway, intent.bribe, _onto(state, intent, end))


def _onto(state: State, intent: DrillBy, end: int) -> int:
    """The tile that a straddling briber means: what it says, or the only one of its tiles that is in reach."""
    if intent.bribe not in range(len(state.at)) or end not in range(SPOTS):
        return intent.onto
    if len(ON[end]) < 2:
        return NOT_SAID if intent.onto == end else intent.onto
    reach = [tile for tile in ON[end] if state.at[intent.bribe] in NEAR[tile]]
    return reach[0] if intent.onto == NOT_SAID and len(reach) == 1 else intent.onto


def _spot(start: int, said: int) -> int:
    """Where a move from `start` goes: a border that is told by one of its tiles needs the other."""
    if said < WITH:
        return said
    other = said - WITH
    found = border(start, other) if start in TILE_SPOTS and other in TILE_SPOTS else None
    if found is None and start in range(SPOTS) and len(ON[start]) == 2 and other in ON[start]:
        found = start
    if found is None:
        raise Illegal("not_adjacent", {"origin": start}, part="to", given=other)
    return found


def _cover(tables: Tables, state: State, seat: int, intent: CoverBy) -> int:
    """As much as was said, but never more than helps or is held."""
    step = state.stack[-1]
    if not isinstance(step, Danger):
        raise Illegal("wrong_kind", given=intent)
    spoil = next((spoil for spoil in step.spoils if spoil.seat == seat), None)
    if spoil is None:
        raise Illegal("wrong_kind", given=intent)
    most = min(spoil.loss, state.companies[seat].insurance)
    if intent.keep == ANY:
        return most if intent.insurance == ALL else min(intent.insurance, most)
    booty = danger.at_risk(tables, spoil.share, spoil.rest)
    lost = [sum(danger.most_valuable(booty, spoil.loss - cover)[intent.keep :]) for cover in range(most + 1)]
    return lost.index(min(lost))
