"""What looks like an order and can't be read comes back, with the nearest that can."""

import pytest

from engine.orders.lexicon import lexicon
from engine.rockwell.language import LANGUAGE
from tests.engine.rockwell.language.said import GREEN, RED, line, order, reading, said
from tests.engine.rockwell.position import Position


@pytest.mark.parametrize(
    ("text", "code", "token", "nearest"),
    [
        ("drill 2: c2 to B9", "tile_expected", "b9", "drill 2: c2 to B8"),
        ("drill 2: c7 to B3", "no_such_crew", "c7", "drill 2: c1 to B3"),
        ("drill 7: c2 to B3", "out_of_range", "7", "drill 4: c2 to B3"),
        ("drill 2: to B3", "crew_expected", "to", "drill 2: c1 to B3"),
        ("drill 2: c2 to 3B", "tile_expected", "3", "drill 2: c2 to B3"),
        ("drill 1: c2 to B3, B4 or stay", "too_much", ",", "drill 1: c2 to B3 or c2 to B4 or c2 stay"),
        ("drill 1 or 2: c3 to A6", "one_round", "1", "drill any: c3 to A6"),
        ("drill 1-3: c3 to A6", "one_round", "1", "drill any: c3 to A6"),
        ("drill any: c3 to A6 with die 1", "hire_or_bring", "die", "drill any: c3 to A6, hire 1"),
        ("drill 1: с2 to В3", "lookalike", "с2", "drill 1: c2 to B3"),
        ("bid l2O0", "lookalike", "l2o0", "bid 1200"),
        ("bid gold", "number_expected", "gold", "bid 1 gold"),
        ("bid lots", "number_expected", "lots", "bid 100"),
        ("bid -100", "negative", "-", "bid 100"),
        ("bid 1200 - 2 zinc", "too_much", "-", "bid 1200 + 2 zinc"),
        ("place control 1, workshop 2", "too_much", ",", "place control 1; place workshop 2"),
        ("sell 3 gold and 2 zinc", "too_much", "and", "sell 3 gold; sell 2 zinc"),
        ("place workshop 1/workshop 2", "too_much", "/", "place workshop 1 or workshop 2"),
        ("place w1", "unknown_word", "w1", "place workshop 1"),
        ("power 2", "crew_expected", "2", "power c2"),
        ("automaton: power c2", "too_much", ":", "automaton power c2"),
        ("always keep gold", "no_order", "keep", "always danger keep gold"),
        ("drill 2: c2 to C3 if it rains", "unknown_word", "rains", "drill 2: c2 to C3 if this extracts"),
        ("drill 2: c2 straddle B3 C3", "no_border", "c3", "drill 2: c2 straddle B2 B3"),
        ("drill 2: c2 to B3, bribe c3", "whose_crew", "c3", "drill 2: c2 to B3, bribe red c3"),
        ("drill 2: red c2 to B3", "not_your_crew", "red", "drill 2: c2 to B3"),
        ("drill 2: c2 to B3, hire 5", "out_of_range", "5", "drill 2: c2 to B3, hire 1"),
        ("bid 300 diamonds", "too_much", "diamonds", "bid 300"),
        ("bid 2900, sorry", "number_expected", "sorry", "bid 2900"),
        ("bid 1000 +", "ends_early", "", "bid 1000"),
        ("insure 2", "cube_expected", "", "insure 2 zinc"),
        ("place bar 1", "unknown_word", "bar", ""),
        ("place workshop 5", "out_of_range", "5", "place workshop 1"),
        ("sell 0 gold", "trade_of_nothing", "0", "sell 1 gold"),
        ("sell gold", "ends_early", "", "sell 1 gold"),
        ("bid 12 00", "too_much", "00", "bid 1200"),
        ("pass", "say_which", "", "pass market"),
        ("always insurance 2", "no_order", "insurance", ""),
        ("bidd 3000", "no_order_word", "bidd", "bid 3000"),
        ("plase workshop 1", "no_order_word", "plase", "place workshop 1"),
        ("drill c2 to b፩", "tile_expected", "b፩", "drill any: c2 to B3"),
        ("drill c2 to ②", "tile_expected", "2", ""),
        ("c2 to B3", "no_order_word", "c2", "drill any: c2 to B3"),
        ("1200 + 2 zinc", "no_order_word", "1200", "bid 1200 + 2 zinc"),
        ("r1: c2 to A3", "no_order_word", "r1", "drill 1: c2 to A3"),
        ("round 2 - c2 to A3 or stay", "no_order_word", "round", "drill 2: c2 to A3 or c2 stay"),
        ("bit 200 + 1 znc", "no_order_word", "bit", "bid 200 + 1 zinc"),
        ("green bid 100", "side_named", "green", "bid 100"),
        ("red: bid 100", "side_named", "red", "bid 100"),
        ("White - c2 to A3", "side_named", "white", ""),
        ("drill 4: c9 to Z1", "no_such_crew", "c9", "drill 4: c4 to A7 or c4 to A8 or any crew stay"),
        ("in round 3 drill c4 to A7", "no_order_word", "in", "drill 3: c4 to A7"),
    ],
)
def test_what_cant_be_read_comes_back_with_the_nearest(text: str, code: str, token: str, nearest: str) -> None:
    """What is wrong, at which word, and a line that would be readable."""
    problem = line(text, seat=GREEN).problem
    assert problem is not None
    assert (problem.code, problem.token) == (code, token)
    if nearest:
        assert problem.nearest == nearest
    assert not reading(problem.nearest, seat=GREEN).problems


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("hire 2", "drill any: c1 to A1, hire 2"),
        ("bribe red c3", "drill any: c1 to A3, bribe red c3"),
        ("bring die 2", "drill any: c1 to A1, bring die 2"),
        ("straddle B3 B4", "drill any: c2 straddle B3 B4"),
        ("core", "drill any: c2 to core"),
        ("stay", "drill any: c2 stay"),
    ],
)
def test_a_part_of_an_order_alone_is_told_with_how_it_is_written(text: str, nearest: str) -> None:
    """What stands within a drilling order only is no prose: it comes back within one that this seat could give."""
    problem = line(text, seat=GREEN).problem
    assert problem is not None
    assert problem.code == "part_of_order"
    assert problem.nearest.rpartition(",")[2] == nearest.rpartition(",")[2]
    assert order(problem.nearest, seat=GREEN).kind == "drill"


def test_a_part_of_an_order_is_told_within_the_line_before_it() -> None:
    """That is what it was most likely meant for."""
    (problem,) = reading("drill 2: c1 stay\nbribe red c3", seat=GREEN).problems
    assert problem.problem is not None
    assert problem.problem.nearest == "drill 2: c1 stay, bribe red c3"


def test_what_has_no_form_near_it_comes_back_with_an_order_of_this_position() -> None:
    """An example that could be carried out, not one of some other game."""
    position = Position().crew(RED, 0, "A3")
    problem = line("drill wildly", position).problem
    assert problem is not None
    view = position.rules.view(position.state, RED)
    assert problem.nearest in [said(made, position) for made in LANGUAGE.ideas(position.rules, view, "drill", 0)]


@pytest.mark.parametrize("written", ["unrevealed", "disinsure"])
def test_a_word_behind_a_syllable_that_may_turn_it_round_is_no_misspelling(written: str) -> None:
    """`unrevealed` is never taken for `revealed`."""
    words = lexicon(LANGUAGE.words, "en")
    assert words.among([written], ("revealed", "insure")) is None
