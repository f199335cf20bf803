"""Phase III, the workshop: RW-WRK."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, Union

from engine.contract import Decision
from engine.rockwell import achievements, automaton, ending, extraction, mineshafts, phases, stock
from engine.rockwell.account import may_have
from engine.rockwell.choices import WORKSHOP as WORKSHOP_KIND
from engine.rockwell.choices import Deliver, Mineshaft, Mobility, MoveMineshaft, Pass, Raise, Safety
from engine.rockwell.components import Tables
from engine.rockwell.events import Delivered, LevelBought, MineshaftBuilt, MineshaftMoved, Raised
from engine.rockwell.play import Play
from engine.rockwell.state import WORKSHOP, AutomatonRaising, State, Workshop
from engine.rockwell.workspace import WorkSpace

Action: TypeAlias = Union[Raise, Safety, Mobility, Mineshaft, MoveMineshaft, Deliver, Pass]


def begin(play: Play) -> None:
    """Phase III takes the place of the step on top of the stack."""
    phases.grant(play, WORKSHOP)
    play.state.stack[-1] = Workshop(0)


def pending(tables: Tables, state: State, step: Workshop) -> Decision:
    """One company after the other, one action each (RW-WRK-1)."""
    return Decision(WORKSHOP_KIND, (phases.actor(tables, state, WORKSHOP, step.index),))


def space(tables: Tables, state: State, seat: int) -> WorkSpace:
    """The actions that a company may take."""
    return WorkSpace(tables, state, seat)


def run(play: Play, step: Workshop) -> bool:
    """Wait for a company that can do something, for all that everyone knows; the turn ends when all are done.

    Between two companies a crew of the automaton is raised before that, unless the game ends (RW-TWO-8, RW-TWO-18).
    """
    tables, state = play.tables, play.state
    index = phases.turn(tables, state, WORKSHOP, step.index)
    if index < 0:
        if tables.seats == automaton.SEATS and not ending.over(tables, state):
            state.stack[-1] = AutomatonRaising()
        else:
            ending.end_turn(play)
        return False
    seat = phases.actor(tables, state, WORKSHOP, index)
    if _may_act(tables, state, seat):
        if index != step.index:
            state.stack[-1] = Workshop(index)
        return True
    phases.leave(play, WORKSHOP, seat, forced=True)
    return False


def _may_act(tables: Tables, state: State, seat: int) -> bool:
    """Whether it can pay for anything; what it can deliver counts by what it may hold, for all that everyone knows."""
    if WorkSpace(tables, state, seat).purchases():
        return True
    account = state.companies[seat].account
    return any(
        gone < len(pile) and all(may_have(account, kind) >= count for kind, count in enumerate(pile[gone].cost))
        for gone, pile in zip(state.deliveries, tables.deliveries, strict=True)
    )


def answer(play: Play, step: Workshop, answers: Mapping[int, Action]) -> None:
    """Carry out an action; the next company is the next in the order of the phase."""
    state = play.state
    state.stack[-1] = Workshop((step.index + 1) % phases.SLOTS)
    for seat, choice in answers.items():
        if isinstance(choice, Pass):
            phases.leave(play, WORKSHOP, seat, forced=False)
        else:
            phases.spend(state, WORKSHOP, seat)
            _ACTS[type(choice)](play, seat, choice)


def _raise(play: Play, seat: int, choice: Raise) -> None:
    """One step of power, and at once the extraction that it brings about (RW-WRK-3)."""
    state = play.state
    crew = seat * 4 + choice.crew
    price = play.tables.power_prices[state.power[crew]]
    state.companies[seat].money -= price
    state.power[crew] += 1
    play.tell(Raised(seat, choice.crew, state.power[crew], price))
    tiles = extraction.ripe(state, state.at[crew])
    if tiles:
        extraction.trigger(play, crew, tiles, "power")
    else:
        achievements.look(play, (seat,), seat)


def _safety(play: Play, seat: int, choice: Safety) -> None:
    company = play.state.companies[seat]
    price = play.tables.safety[company.safety]
    company.money -= price
    company.safety += 1
    play.tell(LevelBought(seat, "safety", company.safety, price))


def _mobility(play: Play, seat: int, choice: Mobility) -> None:
    company = play.state.companies[seat]
    price = play.tables.mobility[company.mobility]
    company.money -= price
    company.mobility += 1
    play.tell(LevelBought(seat, "mobility", company.mobility, price))


def _build(play: Play, seat: int, choice: Mineshaft) -> None:
    company = play.state.companies[seat]
    price = play.tables.mineshaft[company.mineshaft]
    company.money -= price
    company.mineshaft += 1
    play.state.mineshaft[choice.tile] = seat
    play.tell(MineshaftBuilt(seat, choice.tile, company.mineshaft, price))


def _move(play: Play, seat: int, choice: MoveMineshaft) -> None:
    """By the cheapest level that the company has and that allows it (RW-WRK-8, RW-WRK-18)."""
    state = play.state
    company = state.companies[seat]
    level = mineshafts.cheapest(state, seat, company.mineshaft, choice.to)
    price = play.tables.mineshaft[level - 1]
    company.money -= price
    state.mineshaft[choice.origin] = -1
    state.mineshaft[choice.to] = seat
    play.tell(MineshaftMoved(seat, choice.origin, choice.to, level, price))


def _deliver(play: Play, seat: int, choice: Deliver) -> None:
    state = play.state
    company = state.companies[seat]
    place = state.deliveries[choice.pile]
    tile = play.tables.deliveries[choice.pile][place]
    stock.pay(company, tile.cost)
    state.deliveries[choice.pile] += 1
    company.delivered.append(choice.pile * 8 + place)
    play.tell(Delivered(seat, choice.pile, place, tile.cost, tile.prestige))


_ACTS: dict[type, Callable[[Play, int, Any], None]] = {
    Raise: _raise,
    Safety: _safety,
    Mobility: _mobility,
    Mineshaft: _build,
    MoveMineshaft: _move,
    Deliver: _deliver,
}
