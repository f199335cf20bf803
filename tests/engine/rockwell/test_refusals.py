"""Refusals say why, with the figures that their words need, and what would be right instead."""

from random import Random

import pytest

from engine.chance import RandomChance, pick_from
from engine.conformance.choices import variants
from engine.contract import Choice, Setup, Space
from engine.errors import Illegal
from engine.rockwell import MODULE
from engine.rockwell.choices import Drill
from engine.rockwell.refusals import REFUSALS
from engine.spaces import check, sample
from tests.engine.rockwell.position import Position, tile

GENERAL = {"too_many_parts", "incomplete", "inconsistent"}
"""What `engine.spaces` says of choices of any game."""


def refusal(space: Space, choice: Choice) -> Illegal | None:
    """Why a choice is refused, None for a legal one."""
    try:
        check(space, choice)
    except Illegal as illegal:
        return illegal
    return None


@pytest.mark.parametrize("seed", range(4))
def test_every_refusal_is_listed_with_its_parameters(seed: int) -> None:
    """In a random game, for choices altered in a number or brought from an earlier moment."""
    rules = MODULE.bind(Setup(4))
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    old: list[Choice] = []
    while (decision := rules.pending(state)) is not None:
        answers = {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}
        for seat, choice in answers.items():
            space = rules.space(state, seat)
            for other in (*variants(rules, choice, random), *old[-2:]):
                illegal = refusal(space, other)
                if illegal is not None and illegal.code not in GENERAL:
                    assert tuple(illegal.params) == REFUSALS[illegal.code], illegal.code
            old.append(choice)
        rules.apply(state, answers, chance, [])


def test_a_refusal_names_the_part_and_the_nearest_values_that_are_legal() -> None:
    """A hire above the cap of B, where 0, 1 and 2 can be had."""
    position = Position().crew(0, 0, "B3").slot(0, 2, 0).drilling(0)
    with pytest.raises(Illegal) as caught:
        check(position.rules.space(position.state, 0), Drill(0, tile("B4"), hire=4))
    illegal = caught.value
    assert (illegal.code, illegal.params) == ("above_cap", {"most": 2})
    assert (illegal.part, illegal.given, set(illegal.nearest)) == ("hire", 4, {0, 1, 2})


def test_a_part_without_a_place_is_best_left_out() -> None:
    """A hire without the slot: the nearest is no hire."""
    position = Position().crew(0, 0, "B3").drilling(0)
    with pytest.raises(Illegal) as caught:
        check(position.rules.space(position.state, 0), Drill(0, tile("B4"), hire=2))
    illegal = caught.value
    assert (illegal.code, illegal.part, illegal.given, illegal.nearest) == ("no_right", "hire", 2, (0,))
