"""Random games: every state sound, every event accounted for, an end to each."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.contract import Setup
from engine.errors import Illegal
from engine.rockwell import MODULE, extraction, phases, stock
from engine.rockwell.rules import RockwellRules
from engine.rockwell.state import Company
from tests.engine.fuzzing import Broken, first_seed
from tests.engine.rockwell import fuzz

GAMES = int(os.environ.get("FUZZ_GAMES", "200"))
"""Of each configuration."""
SHARES = 4


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("configuration", fuzz.CONFIGURATIONS)
def test_random_games_are_sound_at_every_decision_and_end(configuration: str, share: int) -> None:
    """No invariant breaks, no dead end, and the stocks are what the events come to (FUZZ_SEED, FUZZ_GAMES)."""
    first = first_seed()
    for seed in range(first + share, first + GAMES, SHARES):
        assert fuzz.play(seed, configuration) > 0


def test_configurations_are_what_they_say() -> None:
    """Numbers of companies with the usual options; and any number with any options."""
    for configuration in ("2", "3", "4"):
        assert fuzz.setup_of(5, configuration) == Setup(int(configuration))
    mixed = [fuzz.setup_of(seed, fuzz.MIXED) for seed in range(600)]
    assert {setup.seats for setup in mixed} == {2, 3, 4}
    for name, values in MODULE.options().items():
        assert {setup.options[name] for setup in mixed} == set(values)


def _keep_what_is_sold(company: Company, kind: int, amount: int) -> None:
    """The cubes of a sale stay where they were."""


def _raise_in_turn_two(play: Any, *arguments: Any, **options: Any) -> None:
    if play.state.turn == 2:
        raise ZeroDivisionError
    LEAVE(play, *arguments, **options)


def _draw_without_taking(play: Any, pile: int) -> Any:
    before = play.state.cards[pile]
    card = DRAW(play, pile)
    play.state.cards[pile] = before
    return card


LEAVE, DRAW = phases.leave, extraction._draw
FAULTS: list[tuple[Any, str, Callable[..., Any], str]] = [
    (stock, "hand_over", _keep_what_is_sold, "stock differs from what the events come to"),
    (extraction, "_draw", _draw_without_taking, "cards"),
    (phases, "leave", _raise_in_turn_two, "ZeroDivisionError"),
]


def _play_many(games: int, folder: Path) -> None:
    for seed in range(games):
        fuzz.play(seed, "3", folder)


@pytest.mark.parametrize(("where", "name", "broken", "why"), FAULTS, ids=[each[1] for each in FAULTS])
def test_a_game_that_breaks_a_rule_is_saved_and_fails_again_until_the_rule_is_mended(
    where: Any, name: str, broken: Callable[..., Any], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the very answer at which it failed; once the rule is whole again, the same game is sound."""
    monkeypatch.setattr(where, name, broken)
    with pytest.raises(Broken, match=why) as caught:
        _play_many(50, tmp_path)
    (path,) = tmp_path.iterdir()
    assert str(path) in str(caught.value)
    if why == "ZeroDivisionError":
        with pytest.raises(ZeroDivisionError):
            fuzz.again(path)
    else:
        assert why in fuzz.again(path)
    monkeypatch.undo()
    assert fuzz.again(path) == ""


def test_an_extraction_or_a_bribery_tile_that_is_counted_twice_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an onlooker who reads events alone, where the state says nothing of it."""
    apply = RockwellRules.apply

    def twice(self: RockwellRules, state: Any, answers: Any, chance: Any, events: list[Any]) -> None:
        apply(self, state, answers, chance, events)
        events += [event for event in events if type(event.data).__name__ in ("Extracted", "Bribed")]

    monkeypatch.setattr(RockwellRules, "apply", twice)
    with pytest.raises(Broken, match=r"extracted_twice|bribery_tiles"):
        fuzz.play(1, "4", tmp_path)


def test_a_choice_that_is_not_legal_is_no_sound_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins are held to the rules as players are."""
    for level in ("random", "steady"):
        monkeypatch.setitem(MODULE.bots, level, lambda rules: lambda *_: None)
    with pytest.raises(Broken) as caught:
        fuzz.play(1, "2", tmp_path)
    assert isinstance(caught.value.__cause__, Illegal | AttributeError)
