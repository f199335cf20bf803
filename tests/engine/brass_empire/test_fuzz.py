"""Random games: every state sound, every event accounted for, an end to each."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.brass_empire import MODULE, brass, combat, drawing
from engine.chance import RandomChance, pick_from
from engine.spaces import sample
from tests.engine.brass_empire import fuzz
from tests.engine.fuzzing import Broken, first_seed

GAMES = int(os.environ.get("FUZZ_GAMES", "200"))
"""Of each configuration."""


@pytest.mark.parametrize("configuration", fuzz.VARIANTS)
def test_random_games_are_sound_at_every_decision_and_end(configuration: str) -> None:
    """No invariant breaks, no dead end, and brass and cards are what the events come to (FUZZ_SEED, FUZZ_GAMES)."""
    first = first_seed()
    for seed in range(first, first + GAMES):
        assert fuzz.play(seed, configuration) > 0


def _pay_twice(play: Any, side: int, paid: int) -> int:
    PAY(play, side, paid)
    return PAY(play, side, paid)


def _spend_nothing(play: Any, side: int, id_: int) -> Any:
    return next(piece for piece in play.state.companies[side].pieces if piece.id == id_)


PAY = brass.pay
FAULTS: list[tuple[Any, str, Any, str]] = [
    (drawing, "insort", lambda hand, card: hand.insert(0, card), "order"),
    (brass, "pay", _pay_twice, "brass differs"),
    (combat, "spend", _spend_nothing, "endless"),
]
WHOLE = {name: getattr(where, name) for where, name, _, _ in FAULTS}


def _play_many(games: int, folder: Path) -> None:
    for seed in range(games):
        fuzz.play(seed, "2", folder)


@pytest.mark.parametrize(("where", "name", "broken", "why"), FAULTS, ids=[each[1] for each in FAULTS])
def test_a_game_that_breaks_a_rule_is_saved_and_fails_again_until_the_rule_is_mended(
    where: Any, name: str, broken: Any, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the very answer at which it failed, without asking a stand-in; once the rule is whole, it is sound."""
    monkeypatch.setattr(where, name, broken)
    with pytest.raises(Broken, match=why) as caught:
        _play_many(30, tmp_path)
    (path,) = tmp_path.iterdir()
    assert str(path) in str(caught.value)
    for level in MODULE.bots:
        monkeypatch.setitem(MODULE.bots, level, None)
    assert why == "endless" or why in fuzz.again(path)
    monkeypatch.setattr(where, name, WHOLE[name])
    assert why == "endless" or fuzz.again(path) == ""


@pytest.mark.parametrize("configuration", ["1", "2", "6", "6-reserve"])
def test_a_card_that_is_nowhere_or_in_two_places_is_seen(configuration: str) -> None:
    """Whichever card it is, and whatever pile it lies in."""
    setup = fuzz.setup_of(configuration)
    rules, random = MODULE.bind(setup), Random(5)
    state = rules.start(RandomChance(random), [])
    for _ in range(30 * setup.seats):
        decision = rules.pending(state)
        if decision is None:
            break
        answers = {seat: sample(rules.space(state, seat), pick_from(random)) for seat in decision.seats}
        rules.apply(state, answers, RandomChance(random), [])
    assert "cards" not in rules.invariants(state)
    for pile in _piles(state):
        for place in range(len(pile)):
            card = pile.pop(place)
            assert card < 0 or "cards" in rules.invariants(state)
            pile[place:place] = [card, card]
            assert card < 0 or "cards" in rules.invariants(state)
            del pile[place]
    assert "cards" not in rules.invariants(state)


def _piles(state: Any) -> Iterator[list[int]]:
    yield from (state.gone, *state.rows, *state.decks)
    for company in state.companies:
        yield from (company.deck, company.hand, company.discard, company.reserve)
