"""The stand-ins."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine.chance import RandomChance, pick_from
from engine.contract import Bot, Setup
from engine.rockwell import MODULE
from engine.rockwell.choices import (
    BID,
    DANGER,
    DRILL,
    INSURE,
    MARKET,
    PLACE,
    WORKSHOP,
    AutomatonMove,
    AutomatonRaise,
)
from engine.rockwell.state import AutomatonMoving, AutomatonRaising, State
from engine.spaces import check, every
from tests.engine.rockwell.position import Position, tile

FOUR = MODULE.bind(Setup(4))
RANDOM, STEADY = MODULE.bots["random"](FOUR), MODULE.bots["steady"](FOUR)


def play(seed: int, bots: Sequence[Bot], **options: Any) -> State:
    """A whole game among stand-ins, each choice checked."""
    rules = MODULE.bind(Setup(len(bots), options))
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    while (decision := rules.pending(state)) is not None:
        answers = {}
        for seat in decision.seats:
            space = rules.space(state, seat)
            answers[seat] = bots[seat](rules.view(state, seat), decision, space, pick)
            check(space, answers[seat])
        rules.apply(state, answers, chance, [])
        assert state.turn <= 60
    return state


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_steady_companies_end_their_games_in_a_sensible_number_of_turns(seats: int) -> None:
    """Between 8 and 20, with legal choices only."""
    for seed in range(6):
        assert 8 <= play(seed, [STEADY] * seats).turn <= 20


def test_steady_companies_play_by_all_options_too() -> None:
    """Each option at its other value; the game goes on to its own end."""
    others = {name: values[1] for name, values in MODULE.options().items() if name != "turn_limit"}
    for seed in range(2):
        assert play(seed, [STEADY] * 4, **others).turn >= 8


def test_a_steady_company_beats_random_ones() -> None:
    """In every one of a few games, from every seat."""
    rules = MODULE.bind(Setup(4))
    for seed in range(4):
        bots = [STEADY if seat == seed else RANDOM for seat in range(4)]
        assert rules.standings(play(seed, bots))[0].seat == seed


def test_a_steady_company_moves_and_raises_the_automaton_to_its_own_profit() -> None:
    """Where its own crew shares, not its rival's; the automaton's power completes what each tile requires."""
    for seat in (0, 1):
        position = Position(2).tile("A3", 2).tile("A4", 2)
        position.rules.tables = MODULE.bind(Setup(2)).tables
        position.state.required[4:] = [9] * 28
        position.crew(seat, 0, "A4").crew(1 - seat, 0, "A3")
        for crew in (0, 2, 3):
            position.crew(2, crew, "D1")
        position.state.control = position.state.management = [seat, 1 - seat]
        assert chosen(position.step(AutomatonMoving(1))) == AutomatonMove(1, tile("A4"))
        position.crew(2, 0, "A3").crew(2, 1, "A4").crew(2, 2, "D1")
        assert chosen(position.step(AutomatonRaising())) == AutomatonRaise(1)


def chosen(position: Position) -> Any:
    """What the first seat that is asked would choose, were it steady."""
    rules, state = position.rules, position.state
    decision = rules.pending(state)
    assert decision is not None
    (seat,) = decision.seats
    return STEADY(rules.view(state, seat), decision, rules.space(state, seat), pick_from(Random(1)))


def test_a_steady_company_decides_from_its_view_and_space_alone() -> None:
    """On a state that it must think possible it chooses the same."""
    rules = MODULE.bind(Setup(4))
    random = Random(3)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    kinds: set[str] = set()
    while (decision := rules.pending(state)) is not None:
        answers = {}
        for seat in decision.seats:
            view = rules.view(state, seat)
            imagined = rules.imagine(view, RandomChance(Random(len(kinds))))
            space, other = rules.space(state, seat), rules.space(imagined, seat)
            answers[seat] = STEADY(view, decision, space, pick_from(Random(7)))
            assert STEADY(rules.view(imagined, seat), decision, other, pick_from(Random(7))) == answers[seat]
            # Looking changes nothing.
            assert view == rules.view(state, seat)
        kinds.add(decision.kind)
        if random.random() < 0.3:
            answers = {
                seat: RANDOM(rules.view(state, seat), decision, rules.space(state, seat), pick) for seat in answers
            }
        rules.apply(state, answers, chance, [])
    assert kinds >= {BID, PLACE, INSURE, DRILL, DANGER, MARKET, WORKSHOP}


def test_a_random_company_takes_any_legal_choice() -> None:
    """In the long run each place for a vice president."""
    rules = MODULE.bind(Setup(4))
    chance = RandomChance(Random(1))
    state = rules.start(chance, [])
    rules.apply(state, {seat: rules.default(state, seat) for seat in range(4)}, chance, [])
    decision = rules.pending(state)
    assert decision is not None
    assert decision.kind == PLACE
    space = rules.space(state, decision.seats[0])
    pick = pick_from(Random(2))
    taken = {RANDOM(rules.view(state, decision.seats[0]), decision, space, pick) for _ in range(300)}
    assert taken == set(every(space, 100))
