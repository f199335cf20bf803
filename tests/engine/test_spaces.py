"""What a space offers is what is legal, and what is illegal is told with what comes closest."""

from random import Random

import pytest
from tinygame.rules import Choose
from tinygame.state import Attack, Bid

from engine.chance import pick_from
from engine.contract import Part
from engine.errors import Illegal
from engine.spaces import allows, check, complete, every, nearest, sample, single

SPACE = Choose(Attack, (Part("target", [0, 2]), Part("card", range(1, 7))))


def test_every_choice_listed_is_legal_and_each_comes_once() -> None:
    """Listing goes through all parts, and the space holds all that it lists."""
    choices = every(SPACE, 100)
    assert len(choices) == len(set(choices)) == 12
    assert choices[0] == Attack(0, 1)
    assert all(allows(SPACE, choice) for choice in choices)
    assert every(SPACE, 5) == choices[:5]


def test_samples_are_legal_and_reach_every_choice() -> None:
    """Sampling finds the choices that listing finds, and no others."""
    pick = pick_from(Random(1))
    assert {sample(SPACE, pick) for _ in range(500)} == set(every(SPACE, 100))


def test_the_first_wrong_part_is_named_with_what_comes_closest() -> None:
    """An illegal number is told with the nearest legal numbers of its part."""
    with pytest.raises(Illegal) as raised:
        check(SPACE, Attack(2, 9))
    assert (raised.value.code, raised.value.part, raised.value.given) == ("no_such_card", "card", 9)
    assert raised.value.nearest == (6, 5, 4, 3, 2)


def test_a_choice_of_another_kind_is_illegal() -> None:
    """A bid is no attack."""
    with pytest.raises(Illegal) as raised:
        check(SPACE, Bid(1))
    assert raised.value.code == "wrong_kind"


def test_a_beginning_is_completed_with_first_values() -> None:
    """What is chosen stays, the rest takes the first value of its part; what is not legal raises."""
    assert complete(SPACE, (2,)) == Attack(2, 1)
    with pytest.raises(Illegal):
        complete(SPACE, (1,))
    with pytest.raises(Illegal):
        complete(SPACE, (2, 1, 1))


def test_a_single_choice_is_known_as_such() -> None:
    """Only a space with exactly one choice is single."""
    assert single(Choose(Bid, (Part("card", [4]),)))
    assert not single(SPACE)


@pytest.mark.parametrize("values", [range(0, 5100, 100), range(3, 4), range(10, 0, -2), [5, 1, 9], [0, 2]])
@pytest.mark.parametrize("given", [-7, 0, 449, 2500, 10**9])
def test_nearest_numbers_are_those_of_least_distance(values: range | list[int], given: int) -> None:
    """A range and a list give the same five that sorting everything by distance would give."""
    assert nearest(values, given) == tuple(sorted(values, key=lambda value: (abs(value - given), value))[:5])


def test_nearest_names_are_the_first_listed() -> None:
    """What is not a number is answered in the order of listing."""
    assert nearest(["b", "a", "c", "d", "e", "f"], "x") == ("b", "a", "c", "d", "e")
