"""A leak is found wherever it is, and play that comes to a private decision shows none; see `tests/pbem/leaks` too."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from tinygame import rules as tiny
from tinygame.rules import TinyRules
from tinygame.state import Drew

from engine import registry
from engine.brass_empire.events import Laid, Played
from engine.contract import Event, Setup
from engine.rockwell import insurance
from engine.rockwell.events import Insured
from engine.table import Table
from pbem import clock
from pbem.reports import data
from tests.pbem.games.leaks import Leak, Search, search
from tests.pbem.games.worlds import GAMES, Seen

AHEAD = (20, 40, 60, 90, 120, 200) * 4
"""After how many decisions of a game at random a private one is waited for: there is not always one to come."""
ENOUGH = 4
"""Worlds that are not as they are here."""
PACES = pytest.mark.parametrize("pace", ["strict", "brisk"])


def _seed() -> int:
    """Another every day, unless the environment names one."""
    seed = int(os.environ.get("LEAKS_SEED", clock.now().date().toordinal()))
    print(f"LEAKS_SEED={seed}")
    return seed


@PACES
@pytest.mark.parametrize("seats", [2, 4])
def test_an_order_that_leads_to_a_private_decision_tells_others_nothing_of_it(
    seats: int, pace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games are not stopped for it, and all that others see is the same in worlds in which it went otherwise."""
    looked = search(monkeypatch, "rockwell", pace, _seed())
    for steps in AHEAD:
        looked.private(seats, steps)
        if looked.counts["different worlds"] >= ENOUGH:
            break
    print(dict(looked.counts))
    assert looked.counts["different worlds"] >= ENOUGH
    assert looked.counts["stops compared"] * 4 > looked.counts["stops"]


def _tells_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that tell every seat of every event."""
    monkeypatch.setattr(data, "seen", lambda events, seat: tuple(data.plain(event.data) for event in events))


def _shows_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rules module that shows to all what a seat draws."""
    draw = tiny._draw

    def shown(state: Any, seat: int, chance: Any, events: list[Event]) -> None:
        draw(state, seat, chance, events)
        events[-1] = Event(events[-1].data)
        assert isinstance(events[-1].data, Drew)

    monkeypatch.setattr(tiny, "_draw", shown)


def _asks_only_who_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rules module that does not ask who, as only they know, has no card to defend with."""
    apply = TinyRules.apply

    def hasty(self: TinyRules, state: Any, answers: Any, chance: Any, events: list[Event]) -> None:
        apply(self, state, answers, chance, events)
        if state.steps and state.steps[-1] == "defend" and max(state.hands[state.target], default=0) < state.card:
            apply(self, state, {state.target: self.default(state, state.target)}, chance, events)

    monkeypatch.setattr(TinyRules, "apply", hasty)


def _shows_insurance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rules module that shows to all what a company insures."""

    def shown(event: Any, seats: Any = None) -> Event:
        assert isinstance(event, Insured)
        return Event(event)

    monkeypatch.setattr(insurance, "Event", shown)


@pytest.mark.parametrize(
    ("name", "seats", "pace", "leak"),
    [
        ("tinygame", 3, "strict", _tells_all),
        ("tinygame", 3, "brisk", _shows_draws),
        ("tinygame", 3, "strict", _asks_only_who_can),
        ("tinygame", 3, "brisk", _asks_only_who_can),
        ("rockwell", 4, "brisk", _shows_insurance),
    ],
)
def test_a_leak_is_found(
    name: str, seats: int, pace: str, leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search sees: each of these leaks is found within a few games."""
    looked = search(monkeypatch, name, pace, 1)
    leak(monkeypatch)
    with pytest.raises(Leak):
        _games(looked, seats)


def _games(looked: Search, seats: int) -> None:
    for _ in range(8):
        looked.game(seats, 60 if looked.name == "rockwell" else 0, 5)


def test_a_world_is_told_apart_by_what_a_card_does_beside_one_that_lies_face_down() -> None:
    """The rules count a building that lies face down (BE-EFF-28): who sees one labor more knows its corporation."""
    rules = registry.load("brass_empire").bind(Setup(3))
    view = rules.view(Table.begin(rules, bytes(32), ["", "", ""])[0].state, None)
    plays = [Seen([Laid(0), Played(0, (23,), labor, 0)], view, view) for labor in (4, 4, 5)]
    apart = GAMES["brass_empire"].apart
    assert not apart(plays[0], plays[1], 1)
    assert apart(plays[0], plays[2], 1)
