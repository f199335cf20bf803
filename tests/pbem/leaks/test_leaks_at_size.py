"""Leaks looked for in random games, in small: `./run soak leaks` does it at size."""

from dataclasses import replace
from typing import Any

import pytest
from tinygame.rules import TinyRules

from engine.conformance import Broken
from pbem.games.position import position
from pbem.measures import measures
from pbem.web import metrics
from tests.engine.fuzzing import first_seed
from tests.pbem.games import worlds
from tests.pbem.games.leaks import Leak
from tests.pbem.leaks import decisions, pages, told


@pytest.mark.parametrize("name", ["tinygame", "rockwell", "brass_empire"])
def test_pages_metrics_and_data_are_the_same_in_every_world_that_a_seat_must_think_possible(name: str) -> None:
    """Every page that leads from the first one to the game, over a random game; another one every day."""
    counted = pages.look(name, 1, first_seed())
    assert counted["moments"] >= 1
    assert counted["pages"] > 10


def test_any_rules_module_can_be_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of which nothing is known but its contract: at decisions, in letters, on pages."""
    monkeypatch.delitem(worlds.GAMES, "tinygame")
    assert decisions.look("tinygame", 4, first_seed())["games of 3"] == 4
    assert told.look("tinygame", 6, first_seed())["stops compared"] > 0
    assert pages.look("tinygame", 1, first_seed())["moments"] > 0


def test_a_view_that_tells_too_much_is_found_at_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the page makes of it."""
    real = TinyRules.view

    def telling(self: TinyRules, state: Any, seat: int | None) -> Any:
        view = real(self, state, seat)
        view.card = sum(map(sum, state.hands))
        return view

    monkeypatch.setattr(TinyRules, "view", telling)
    with pytest.raises(Broken):
        decisions.look("tinygame", 3, 1)


def test_a_metric_that_tells_of_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though no page shows it."""
    real = measures

    def telling(session: Any) -> Any:
        found = real(session)
        hands = vars(metrics)["position"](session, 1).table.state.hands
        return replace(found, aside=sum(map(sum, hands)))

    monkeypatch.setattr(metrics, "position", position, raising=False)
    monkeypatch.setattr(metrics, "measures", telling)
    with pytest.raises(Leak, match="metrics"):
        pages.look("tinygame", 5, 1)
