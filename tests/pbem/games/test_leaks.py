"""Nothing that a seat sees, and nothing about when others are told, depends on what the seat may not know."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from tinygame import rules as tiny
from tinygame.rules import TinyRules
from tinygame.state import Drew

from engine.brass_empire.choices import Acquire, Act, Attack, Buy, Convert, Demolish, Dismiss, Mine, Play, Strike, Use
from engine.brass_empire.language.grammar import BrassEmpireLanguage
from engine.contract import Event
from engine.rockwell import insurance
from engine.rockwell.events import Insured
from pbem import clock
from pbem.reports import data
from tests.pbem.games.leaks import Leak, Search, search

WORDLESS = (Act, Attack, Buy, Convert, Demolish, Dismiss, Mine, Play, Strike, Use, Acquire)
PACES = pytest.mark.parametrize("pace", ["strict", "brisk"])


def _seed() -> int:
    """Another every day, unless the environment names one."""
    seed = int(os.environ.get("LEAKS_SEED", clock.now().date().toordinal()))
    print(f"LEAKS_SEED={seed}")
    return seed


@PACES
@pytest.mark.parametrize(
    ("name", "seats", "ahead", "stops", "private"),
    [
        ("tinygame", 3, (0, 5, 12), 5, ()),
        ("rockwell", 4, (0, 60, 300), 4, (20, 40, 60, 90, 120, 200)),
        ("rockwell", 2, (40,), 4, (30, 90)),
        ("brass_empire", 3, (0, 30, 120), 5, ()),
    ],
)
def test_what_a_seat_sees_is_the_same_in_every_world_that_it_must_think_possible(
    name: str,
    seats: int,
    ahead: tuple[int, ...],
    stops: int,
    private: tuple[int, ...],
    pace: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """View, choices, reports, letters to all, acknowledgements, checks, refusals and pages, over random games."""
    if name == "brass_empire":
        _says_choices(monkeypatch)
    looked = search(monkeypatch, name, pace, _seed())
    for steps in ahead:
        looked.game(seats, steps, stops)
    for steps in private:
        looked.private(seats, steps)
    print(dict(looked.counts))
    assert looked.counts["stops compared"] * 4 > looked.counts["stops"]
    # At its brisk pace a stage of Brass Empire is a round, in which every hand is shown: then no world is another one.
    assert looked.counts["different worlds"] > 0 or (name, pace) == ("brass_empire", "brisk")


def _says_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others' sheets hold choices here, not orders, in Brass Empire by the ids of cards in play: they have no words."""
    say = BrassEmpireLanguage.say

    def said(self: BrassEmpireLanguage, intent: Any, lexicon: Any, view: Any) -> tuple[str, str]:
        return ("end", "") if isinstance(intent, WORDLESS) else say(self, intent, lexicon, view)

    monkeypatch.setattr(BrassEmpireLanguage, "say", said)


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
