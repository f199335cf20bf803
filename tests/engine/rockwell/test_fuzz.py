"""Random games: every state sound, every event accounted for, an end to each."""

import os
from pathlib import Path

import pytest

from engine.rockwell.rules import RockwellRules
from pbem import clock
from tests.engine.rockwell import fuzz

GAMES = int(os.environ.get("FUZZ_GAMES", "40"))
SHARES = 8


def _first_seed() -> int:
    """Another every day, unless the environment names one."""
    return int(os.environ.get("FUZZ_SEED", clock.now().date().toordinal() * 1000))


@pytest.mark.parametrize("share", range(SHARES))
def test_random_games_are_sound_at_every_decision_and_end(share: int) -> None:
    """No invariant breaks, no dead end, and the stocks are what the events come to (FUZZ_SEED, FUZZ_GAMES)."""
    first = _first_seed()
    print(f"FUZZ_SEED={first} FUZZ_GAMES={GAMES}")
    for seed in range(first + share, first + GAMES, SHARES):
        assert fuzz.play(seed) > 0


@pytest.mark.parametrize("fault", ["breaks an invariant", "raises"])
def test_a_game_that_fails_is_saved_and_fails_again_when_replayed(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the very answer at which it failed."""
    apply = RockwellRules.apply

    def faulty(self: RockwellRules, state, answers, chance, events) -> None:  # type: ignore[no-untyped-def]
        apply(self, state, answers, chance, events)
        if state.turn == 2 and fault == "raises":
            raise ZeroDivisionError
        if state.turn == 2:
            state.bribery = 9

    monkeypatch.setattr(RockwellRules, "apply", faulty)
    with pytest.raises(fuzz.Broken, match="bribery" if fault != "raises" else "ZeroDivision"):
        fuzz.play(5, tmp_path)
    (path,) = tmp_path.iterdir()
    if fault == "raises":
        with pytest.raises(ZeroDivisionError):
            fuzz.again(path)
    else:
        assert fuzz.again(path) == "bribery"
