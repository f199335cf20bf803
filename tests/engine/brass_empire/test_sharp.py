"""The sharp stand-in looks ahead, and in imagined states only."""

from random import Random
from typing import Any

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.ahead.candidates import ANY, ATTACKS, candidates
from engine.brass_empire.ahead.outlook import Outlook
from engine.brass_empire.ahead.playout import play_on
from engine.brass_empire.bot import Steady
from engine.brass_empire.choices import COMPANIES, Attack, Buy, End, PlayAll
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import State
from engine.brass_empire.taste import KEEN
from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.lookahead import Fate
from engine.spaces import allows
from tests.engine.brass_empire.position import Position
from tests.engine.looking import Watching, opening

SETUPS = [
    Setup(1),
    Setup(2),
    Setup(4, {"teams": True}),
    Setup(3, {"battle": True}),
    Setup(4, {"battle": True, "teams": True}),
    Setup(2, {"custom_reserve": True}),
]
DECISIONS = 60


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: "-".join([str(setup.seats), *setup.options]))
def test_sharp_companies_play_legally_and_repeatably(setup: Setup) -> None:
    """In every variant; what they choose follows from what they see and the picks alone."""
    made = opening(MODULE, setup, 1, DECISIONS)
    assert opening(MODULE, setup, 1, DECISIONS) == made
    assert opening(MODULE, setup, 2, DECISIONS) != made


class _Watched(Watching, BrassEmpireRules):
    """The rules of this game."""


def _first_act(rules: BrassEmpireRules, seed: int) -> State:
    """A state in which a company has played its hand and may buy."""
    chance = RandomChance(Random(seed))
    state = rules.start(chance, [])
    steady = MODULE.bots["steady"](rules)
    while True:
        decision = rules.pending(state)
        assert decision is not None
        (seat,) = decision.seats
        choice = steady(rules.view(state, seat), decision, rules.space(state, seat), lambda n: 0)
        rules.apply(state, {seat: choice}, chance, [])
        if isinstance(choice, PlayAll):
            return state


def test_a_sharp_company_plays_on_in_imagined_states_alone() -> None:
    """Every world is made from its view, it plays the real state no further, and hidden cards change nothing."""
    rules = _Watched(Setup(3))
    state = _first_act(rules, 3)
    rules.real, rules.applied = state, 0
    decision = rules.pending(state)
    assert decision is not None
    (seat,) = decision.seats
    sharp = MODULE.bots["sharp"](rules)
    choice = sharp(rules.view(state, seat), decision, rules.space(state, seat), pick_from(Random(2)))
    assert rules.imagined >= 1
    assert rules.applied > 50
    for seed in range(3):
        other = rules.imagine(rules.view(state, seat), RandomChance(Random(seed)))
        again = sharp(rules.view(other, seat), decision, rules.space(other, seat), pick_from(Random(2)))
        assert again == choice


def _choice(position: Position, level: str) -> Any:
    rules, state = position.rules, position.state
    decision = rules.pending(state)
    assert decision is not None
    (seat,) = decision.seats
    bot = MODULE.bots[level](rules)
    return bot(rules.view(state, seat), decision, rules.space(state, seat), pick_from(Random(1)))


def test_a_sharp_company_buys_two_cards_that_are_better_than_the_one_that_is_best() -> None:
    """A steady one takes the best card and has too little left for another."""
    position = Position(2).resources(4, 4).hand(1, "clerk").discard(0, *["clerk"] * 9)
    position.row(1, "bombard_blimp", "rooftop_shinobi", "rooftop_shinobi")
    assert _choice(position, "steady") == Buy(position.card("bombard_blimp"), 1)
    for _ in range(2):
        choice = _choice(position, "sharp")
        assert choice == Buy(position.card("rooftop_shinobi"), 1)
        position.do(choice)


def test_a_sharp_company_ends_a_battle_that_it_can_win() -> None:
    """It strikes the company, not the unit that it could destroy."""
    position = Position(2, battle=True).brass(5, 3).hand(1, "clerk")
    unit = position.piece(0, "overclocked_wagon")
    position.piece(1, "tower_colossus", damage=5)
    assert _choice(position, "sharp") == Attack(unit, COMPANIES + 1)


def test_candidates_are_legal_and_begin_with_what_is_chosen_at_once() -> None:
    """A few of each kind, none twice; none beside a whole hand that is played."""
    rules = MODULE.bind(Setup(3))
    steady = MODULE.bots["steady"](rules)
    random = Random(5)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    kinds = set()
    while (decision := rules.pending(state)) is not None:
        answers = {}
        for seat in decision.seats:
            space = rules.space(state, seat)
            answers[seat] = steady(rules.view(state, seat), decision, space, pick)
            found = candidates(decision, space, answers[seat])
            assert found[0] == answers[seat]
            assert len(set(found)) == len(found) <= ANY + ATTACKS + 18
            assert all(allows(space, choice) for choice in found)
            kinds |= {type(choice).__name__ for choice in found}
        rules.apply(state, answers, chance, [])
    assert {"Buy", "Mine", "Attack", "Convert", "End", "Demolish"} <= kinds


@pytest.mark.parametrize("setup", SETUPS[1:4], ids=str)
def test_chances_add_up_and_the_winner_has_the_best(setup: Setup) -> None:
    """At every turn and at the end; teammates have the same."""
    rules = MODULE.bind(setup)
    steady = MODULE.bots["steady"](rules)
    outlook = Outlook(Steady(rules.tables, KEEN))
    random = Random(6)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    while (decision := rules.pending(state)) is not None:
        odds = [outlook.chance(state, seat) for seat in range(setup.seats)]
        assert sum(odds) == pytest.approx(1)
        answers = {
            seat: steady(rules.view(state, seat), decision, rules.space(state, seat), pick) for seat in decision.seats
        }
        rules.apply(state, answers, chance, [])
    odds = [outlook.chance(state, seat) for seat in range(setup.seats)]
    winners = {standing.seat for standing in rules.standings(state) if standing.place == 1}
    assert odds.index(max(odds)) in winners
    for seat, mate in enumerate(rules.tables.mates):
        assert mate < 0 or odds[seat] == pytest.approx(odds[mate])


@pytest.mark.parametrize("seats", [1, 3])
def test_a_choice_is_played_on_to_ones_next_turn(seats: int) -> None:
    """The others', or the automaton's, in between; at the end of the game no further."""
    rules = MODULE.bind(Setup(seats))
    state = _first_act(rules, 4)
    seat, round_ = state.seat, state.round
    made = play_on(rules, Steady(rules.tables, KEEN), state, {seat: End()}, Fate(1))
    assert made >= seats
    assert (state.seat, state.round) == (seat, round_ + 1)
