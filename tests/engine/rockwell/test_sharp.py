"""The sharp stand-in looks ahead, and in imagined states only."""

from random import Random
from typing import Any

import pytest

from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.rockwell import MODULE
from engine.rockwell.ahead.candidates import candidates
from engine.rockwell.ahead.features import NAMES, features
from engine.rockwell.ahead.outlook import chances
from engine.rockwell.choices import Pass, Trade
from engine.rockwell.rules import RockwellRules
from engine.rockwell.state import EXCHANGE, GOLD, Market
from engine.spaces import allows
from tests.engine.looking import Watching, opening
from tests.engine.rockwell.position import Position

DECISIONS = 25


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sharp_companies_play_legally_and_repeatably(seats: int) -> None:
    """With any number of companies; what they choose follows from what they see and the picks alone."""
    made = opening(MODULE, Setup(seats), 1, DECISIONS)
    assert opening(MODULE, Setup(seats), 1, DECISIONS) == made
    assert opening(MODULE, Setup(seats), 2, DECISIONS) != made


class _Watched(Watching, RockwellRules):
    """The rules of this game."""


def test_a_sharp_company_plays_on_in_imagined_states_alone() -> None:
    """Every world is made from its view, and it plays the real state no further."""
    rules = _Watched(Setup(4))
    state = rules.start(RandomChance(Random(1)), [])
    rules.real = state
    decision = rules.pending(state)
    assert decision is not None
    sharp = MODULE.bots["sharp"](rules)
    sharp(rules.view(state, 0), decision, rules.space(state, 0), pick_from(Random(2)))
    assert rules.imagined >= 1
    assert rules.applied > 50


def last_market() -> Position:
    """Red has most money by far, nobody has gold, the others have far more of all else; nobody is asked after Red."""
    position = Position().slot(EXCHANGE, 0, 0)
    for seat in (0, 1, 2):
        position.crew(seat, 0, "centre").company(seat).claimed[8] = 6 - seat
    position.state.achievements[8] = 3
    position.company(0).money = 6000
    for seat in (1, 2, 3):
        company = position.company(seat)
        company.money, company.cubes = 500, [30 - seat, 30 - seat, 30 - seat, 0]
        company.account.seen = company.cubes[:]
        company.claimed[0] = company.claimed[2] = 1  # that stock has met eight zinc and copper, and ten silver
    position.state.left[0] = 1
    return position.step(Market(0))


def chosen(position: Position, level: str) -> Any:
    """What the company that is asked would do at that level."""
    rules, state = position.rules, position.state
    decision = rules.pending(state)
    assert decision is not None
    (seat,) = decision.seats
    bot = MODULE.bots[level](rules)
    return bot(rules.view(state, seat), decision, rules.space(state, seat), pick_from(Random(1)))


def test_a_sharp_company_sees_the_awards_at_the_end_coming() -> None:
    """Money that has bought its award buys another: gold, of which nobody has any. A steady one passes."""
    choice = chosen(last_market(), "sharp")
    assert isinstance(choice, Trade)
    assert (choice.kind, choice.amount > 0) == (GOLD, True)
    assert chosen(last_market(), "steady") == Pass()


def test_candidates_are_legal_and_begin_with_the_steady_choice() -> None:
    """A few of each kind, none twice."""
    rules = MODULE.bind(Setup(3))
    steady = MODULE.bots["steady"](rules)
    random = Random(5)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    kinds = set()
    while (decision := rules.pending(state)) is not None:
        answers = {}
        for seat in decision.seats:
            view, space = rules.view(state, seat), rules.space(state, seat)
            answers[seat] = steady(view, decision, space, pick)
            found = candidates(view, decision, space, answers[seat])
            assert found[0] == answers[seat]
            assert len(set(found)) == len(found) <= 40
            assert all(allows(space, choice) for choice in found)
        kinds.add(decision.kind)
        rules.apply(state, answers, chance, [])
    assert len(kinds) >= 7


def test_chances_add_up_and_the_winner_has_the_best() -> None:
    """At every auction and at the end; the features have a name each."""
    rules = MODULE.bind(Setup(4))
    steady = MODULE.bots["steady"](rules)
    random = Random(6)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    while (decision := rules.pending(state)) is not None:
        assert sum(chances(rules.tables, state)) == pytest.approx(1)
        answers = {
            seat: steady(rules.view(state, seat), decision, rules.space(state, seat), pick) for seat in decision.seats
        }
        rules.apply(state, answers, chance, [])
    assert len(features(rules.tables, state, 0)) == len(NAMES)
    odds = chances(rules.tables, state)
    assert odds.index(max(odds)) == rules.standings(state)[0].seat
