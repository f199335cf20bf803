"""Leaks looked for in random games; `./run soak leaks` plays more."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tinygame.rules import TinyRules

from engine import registry
from engine.conformance import Broken
from pbem.games.position import Position, position
from pbem.measures import measures
from pbem.reports.data import Question
from pbem.storage.models import Seat
from pbem.web import metrics, standing
from pbem.words import Words
from tests.engine.fuzzing import first_seed
from tests.pbem.games import worlds
from tests.pbem.games.leaks import Leak
from tests.pbem.leaks import decisions, pages, told

GAMES, MOMENTS, PARTS = 100, 30, 5
"""How many games, how many of them through all that the service shows, and in how many tests."""
RULES = pytest.mark.parametrize("name", ["rockwell", "brass_empire"])
PART = pytest.mark.parametrize("part", range(PARTS))


def _first(part: int, games: int) -> int:
    return first_seed() + part * games


@RULES
@PART
def test_what_a_seat_knows_and_may_do_is_the_same_at_every_decision(name: str, part: int) -> None:
    """In a world that it must think possible; other games every day, with each number of seats."""
    games = math.ceil(GAMES / PARTS / len(registry.load(name).seat_numbers))
    assert set(decisions.look(name, games, _first(part, games)).values()) == {games}


@RULES
@PART
def test_letters_and_answers_are_the_same_in_every_world_that_a_seat_must_think_possible(name: str, part: int) -> None:
    """Reports, acknowledgements, checks, errors, messages; at three moments of games with each number of seats."""
    games = MOMENTS // PARTS
    assert told.look(name, games, _first(part, games))["stops compared"] > 0


@RULES
@PART
def test_pages_metrics_and_data_are_the_same_in_every_world_that_a_seat_must_think_possible(
    name: str, part: int
) -> None:
    """Every page that leads from the first one to the game, and the API, at three moments of such games."""
    games = MOMENTS // PARTS
    counted = pages.look(name, games, _first(part, games))
    assert counted["pages"] > 10 * counted["moments"] > 0
    assert counted["different worlds"] > 0
    assert min(counted["positions"], counted["earlier tables"], counted["events"]) > counted["moments"]


def test_any_rules_module_can_be_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of which nothing is known but its contract: at decisions, in letters, on pages."""
    monkeypatch.delitem(worlds.GAMES, "tinygame")
    assert decisions.look("tinygame", 4, first_seed())["games of 3"] == 4
    assert told.look("tinygame", 6, first_seed())["stops compared"] > 0
    assert pages.look("tinygame", 12, first_seed())["moments"] > 0


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


def test_a_seats_page_that_tells_of_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is what the API says of the seat."""
    real = standing._asked

    def telling(stands: Position, seat: Seat, words: Words) -> tuple[Sequence[Question], list[str]]:
        asked, sheet = real(stands, seat, words)
        return asked, [*sheet, str(stands.table.state.hands)]

    monkeypatch.setattr(standing, "_asked", telling)
    with pytest.raises(Leak, match=r"'/games/\w+'.*api /games/\{code\}/seat"):
        pages.look("tinygame", 12, 1)


def test_an_earlier_step_that_tells_of_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is shown from the journal, of which other worlds have another one."""
    real = TinyRules.view

    def telling(self: TinyRules, state: Any, seat: int | None) -> Any:
        view = real(self, state, seat)
        if seat is None:
            view.sizes = [sum(hand) for hand in state.hands]
        return view

    monkeypatch.setattr(TinyRules, "view", telling)
    with pytest.raises(Leak, match="/history/"):
        pages.look("tinygame", 12, 1)
