"""The steady stand-in's sheets."""

from random import Random

import pytest

from engine.chance import RandomChance, pick_from
from engine.contract import Planning, Setup
from engine.orders.reader import read
from engine.orders.shape import Reading
from engine.orders.sheet import Sheet, answer
from engine.play import unwritten
from engine.rockwell import MODULE
from engine.rockwell.choices import DRILL
from engine.rockwell.rules import RockwellRules
from engine.rockwell.stages import PACES
from engine.rockwell.state import State

STEADY = MODULE.planners["steady"]


def middle(rules: RockwellRules, seed: int, decisions: int) -> State:
    """A game of random and steady companies after so many decisions."""
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    bots = [MODULE.bots[level](rules) for level in ("steady", "random")]
    state = rules.start(chance, [])
    for _ in range(decisions):
        decision = rules.pending(state)
        assert decision is not None
        answers = {
            seat: bots[seat % 2](rules.view(state, seat), decision, rules.space(state, seat), pick)
            for seat in decision.seats
        }
        rules.apply(state, answers, chance, [])
    return state


def sheet(rules: RockwellRules, state: State, seat: int, pace: str) -> tuple[str, Reading]:
    """What a seat writes, and what is read of it."""
    view = rules.view(state, seat)
    text = "\n".join(STEADY(rules)(view, pace, pick_from(Random(1))))
    return text, read(text, MODULE.language, view, rules=rules)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("pace", PACES)
def test_a_sheet_reads_whole_and_answers_all_that_is_required_of_the_stage(seats: int, pace: str) -> None:
    """Anywhere in a game, for every seat; and what is asked now is answered with a legal choice."""
    rules = MODULE.bind(Setup(seats))
    for seed in range(12):
        state = middle(rules, seed, 9 * seed)
        decision = rules.pending(state)
        assert decision is not None
        for seat in range(seats):
            text, reading = sheet(rules, state, seat, pace)
            assert all(line.order is not None for line in reading.lines), text
            made = Sheet().with_submission(1, reading.orders)
            missing = unwritten(rules, state, seat, made, frozenset(), pace)
            assert not [asked for asked in missing if asked.required], text
            if seat in decision.seats and not decision.private:
                assert answer(rules, state, seat, decision, made, frozenset()).choice is not None, text


def test_a_drill_has_three_ways_of_which_the_last_needs_nothing() -> None:
    """The two before it only as long as the tile that they are for is unrevealed."""
    rules = MODULE.bind(Setup(4))
    drills = []
    for seed in range(6):
        _, reading = sheet(rules, middle(rules, seed, 20), 0, "brisk")
        drills += [order for order in reading.orders if order.kind == DRILL]
    assert drills
    for order in drills:
        assert len(order.alternatives) == 3
        assert order.alternatives[-1].test is None
    assert any(way.test is not None for order in drills for way in order.alternatives)


def test_a_sheet_follows_from_the_view_alone() -> None:
    """On a state that the seat must think possible it writes the same."""
    rules = MODULE.bind(Setup(4))
    for seed in range(8):
        state = middle(rules, seed, 13 * seed)
        for seat in range(4):
            imagined = rules.imagine(rules.view(state, seat), RandomChance(Random(99)))
            assert sheet(rules, imagined, seat, "strict")[0] == sheet(rules, state, seat, "strict")[0]


def test_the_module_offers_the_planner() -> None:
    """By the contract, under the level whose play it plans."""
    assert isinstance(MODULE, Planning)
    assert set(MODULE.planners) <= set(MODULE.bots)
