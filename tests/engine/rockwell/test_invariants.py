"""Every way in which a state can be unsound is noticed."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.rockwell import MODULE
from engine.rockwell.geometry import BORDER, CENTRE
from engine.rockwell.state import State
from engine.spaces import sample

RULES = MODULE.bind(Setup(4))


@cache
def sound_state() -> State:
    """The state at the beginning of turn 9 of a random game: much has happened."""
    random = Random(4)
    chance, pick = RandomChance(random), pick_from(random)
    state = RULES.start(chance, [])
    while state.turn < 9:
        decision = RULES.pending(state)
        assert decision is not None
        RULES.apply(state, {seat: sample(RULES.space(state, seat), pick) for seat in decision.seats}, chance, [])
    assert list(RULES.invariants(state)) == []
    return state


def revealed(state: State) -> list[int]:
    """The tiles that are revealed."""
    return [tile for tile in range(32) if state.back[tile] >= 0]


def _negative(state: State) -> None:
    state.companies[1].money = -100


def _account(state: State) -> None:
    state.companies[1].cubes[2] += 1


def _management(state: State) -> None:
    state.management[0] = state.management[1]


def _control(state: State) -> None:
    state.control[0] = 4


def _three_vice_presidents(state: State) -> None:
    state.slots[0] = state.slots[4] = state.slots[8] = 2


def _one_board_twice(state: State) -> None:
    state.slots[4] = state.slots[5] = 2


def _die_too_many(state: State) -> None:
    state.dice += 1


def _bribery(state: State) -> None:
    state.bribery = 4


def _tile_changed(state: State) -> None:
    state.required[5] += 20


def _adjacent(state: State) -> None:
    powers = state.required[:8]
    for place in range(8):
        state.required[place] = sorted(powers)[place]


def _back_twice(state: State) -> None:
    first, second = next(
        (one, other) for one in revealed(state) for other in revealed(state) if one < other and one // 8 == other // 8
    )
    state.back[first] = state.back[second]


def _other_back(state: State) -> None:
    state.back[revealed(state)[0]] = next(
        back
        for back, printed in enumerate(RULES.tables.backs[revealed(state)[0] // 8])
        if printed.power != state.required[revealed(state)[0]]
    )


def _card_gone(state: State) -> None:
    pile = next(pile for pile in range(8) if state.cards[pile])
    state.cards[pile] &= state.cards[pile] - 1


def _card_given(state: State) -> None:
    state.companies[0].cards += 1


def _power(state: State) -> None:
    state.power[3] = 5


def _other_entrance(state: State) -> None:
    state.at[4] = 34


def _die_above_cap(state: State) -> None:
    state.at[0], state.die[0], state.dice = 0, 2, 2


def _straddles_revealed(state: State) -> None:
    state.at[0] = 40 + revealed(state)[0]


def _border_twice(state: State) -> None:
    state.at[0] = state.at[4] = 71


def _prestige(state: State) -> None:
    state.companies[2].claimed[4] = 99


def _delivery(state: State) -> None:
    state.deliveries[2] += 1


def _level(state: State) -> None:
    state.companies[0].safety = 4


def _mineshaft(state: State) -> None:
    state.companies[0].mineshaft += 1


def _over(state: State) -> None:
    state.stack.clear()


def _unextracted(state: State) -> None:
    tile = next(tile for tile in range(32) if state.back[tile] < 0)
    for number in range(16):
        state.at[number], state.power[number] = tile, 4


def _unclaimed(state: State) -> None:
    state.companies[0].claimed[8] = 0
    state.at[0] = CENTRE
    state.achievements[8] = sum(1 for company in state.companies if company.claimed[8])
    for prestige, company in enumerate(company for company in state.companies if company.claimed[8]):
        company.claimed[8] = 6 - prestige


FAULTS: dict[str, Callable[[State], None]] = {
    "stock": _negative,
    "account": _account,
    "management": _management,
    "control": _control,
    "vice_presidents": _three_vice_presidents,
    "slots": _one_board_twice,
    "dice": _die_too_many,
    "bribery": _bribery,
    "tiles": _tile_changed,
    "layout": _adjacent,
    "backs_twice": _back_twice,
    "back_of_other_power": _other_back,
    "cards": _card_gone,
    "cards_held": _card_given,
    "power": _power,
    "spot": _other_entrance,
    "subcontractor_cap": _die_above_cap,
    "straddles_revealed": _straddles_revealed,
    "border_twice": _border_twice,
    "achievements": _prestige,
    "deliveries": _delivery,
    "levels": _level,
    "mineshafts": _mineshaft,
    "over": _over,
    "unextracted": _unextracted,
    "unclaimed": _unclaimed,
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_broken_invariant_is_named(code: str) -> None:
    """Each code for a state in which just that was spoilt."""
    state = sound_state().copy()
    FAULTS[code](state)
    assert code in set(RULES.invariants(state))


@pytest.mark.parametrize(("at", "die"), [(CENTRE, 0), (BORDER + 31, 0), (31, 1)])
def test_a_crew_of_the_automaton_where_none_can_be_is_noticed(at: int, die: int) -> None:
    """At the centre, on a border, or with a subcontractor."""
    rules = MODULE.bind(Setup(2))
    state = rules.start(RandomChance(Random(1)), [])
    assert list(rules.invariants(state)) == []
    state.at[9], state.die[9] = at, die
    state.dice -= die
    assert list(rules.invariants(state)) == ["automaton"]


def test_cards_are_set_aside_between_two_companies_alone() -> None:
    """And never are there more than tiles extracted."""
    for seats, broken in ((2, []), (3, ["cards_held"])):
        rules = MODULE.bind(Setup(seats))
        state = rules.start(RandomChance(Random(1)), [])
        back = next(back for back, each in enumerate(rules.tables.backs[0]) if each.power == state.required[0])
        state.back[0] = back
        state.cards[rules.tables.backs[0][back].pile - 1] -= 1
        assert list(rules.invariants(state)) == broken
        state.companies[0].cards = 2
        assert list(rules.invariants(state)) == ["cards_held"]
