"""What a report of Brass Empire says first and of the seat's own cards, and whether its picture can be read."""

import random
import re
from typing import Any

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.changes import Change, changes
from engine.brass_empire.ending import worth
from engine.brass_empire.rules import BrassEmpireRules
from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.spaces import sample
from pbem.reports.board import svg
from pbem.reports.game import GameWords, game_words
from pbem.reports.render import report_letter
from pbem.words import Words
from tests.engine.brass_empire.position import PLATFORM, Position
from tests.pbem.reports.test_brass_empire import VARIANTS, _name, _stops

ENGLISH = Words.of("en")
WORDS = game_words("brass_empire", Setup(3), "en")
NUMBER = {card.id: place for place, card in enumerate(MODULE.bind(Setup(3)).tables.cards)}
CLERK, TROOPER = NUMBER["clerk"], NUMBER["tesla_trooper"]
SAID = [
    (Change("out", 1, {}), "You are out of the battle."),
    (Change("last", 1, {}), "The mining pool is empty: this round is the last."),
    (Change("lost", 1, {"cards": (TROOPER, TROOPER)}), "Destroyed of yours: 2 × Tesla Trooper."),
    (Change("robbed", 1, {"brass": 2}), "You were robbed of 2 brass."),
    (Change("hurt", 1, {"health": 3}), "Your company lost 3 health by attacks."),
    (Change("gained", 1, {"brass": 4}), "You gained 4 brass."),
    (Change("destroyed", 1, {"cards": (TROOPER,)}), "You destroyed Tesla Trooper."),
    (Change("discarded", 1, {"cards": (CLERK,)}), "You had to discard Clerk."),
    (Change("built", 1, {"cards": (TROOPER,)}), "Built now: Tesla Trooper."),
    (Change("got", 1, {"cards": (CLERK, TROOPER)}), "New among your cards: Clerk, Tesla Trooper."),
]


@pytest.mark.parametrize(("change", "words"), SAID, ids=[change.code for change, _ in SAID])
def test_each_change_has_its_sentence(change: Change, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it is about, alone on its line, before how the race stands."""
    monkeypatch.setattr(BrassEmpireRules, "changes", lambda *_: [change])
    (*_, stop) = _stops(Setup(3), 1)
    lead = WORDS.lead((), stop.rules.view(stop.state, 1), 1)
    assert lead[0] == words
    assert lead[1].startswith("You have ")
    assert len(lead) == 2


def test_every_kind_of_change_is_said_above() -> None:
    """One that is added needs its words."""
    kinds = set(re.findall(r"`([a-z]+)`\s+\(", Change.__doc__ or ""))
    assert {change.code for change, _ in SAID} == kinds


def _codes(position: Position, me: int) -> dict[str, Any]:
    """What changed by the events of the last act."""
    return {change.code: change.params for change in changes(position.tables, _told(position), me)}


def _told(position: Position) -> list[Any]:
    return [event.data for event in position.events]


def test_what_others_destroy_is_lost_and_what_one_destroys_is_told_so() -> None:
    """Both sides of one battle, and what it yielded."""
    position = Position()
    position.attack(position.piece(0, "tesla_trooper"), position.piece(1, "pester_hound", damage=1))
    hound = tuple(position.cards("pester_hound"))
    assert _codes(position, 1) == {"lost": {"cards": hound}}
    assert _codes(position, 0) == {"destroyed": {"cards": hound}, "gained": {"brass": 1}}


def test_a_platform_that_is_lost_opens_the_report() -> None:
    """Its owner is told first that it is down."""
    position = Position()
    position.attack(position.piece(0, "tesla_trooper"), 1)
    assert _codes(position, 1) == {"lost": {"cards": (position.card(PLATFORM),)}}


def test_what_one_demolishes_oneself_is_no_loss() -> None:
    """It was the company's own wish."""
    position = Position()
    position.demolish(position.piece(0, "parts_silo"))
    assert _codes(position, 0) == {}


@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_a_report_opens_with_at_most_three_sentences_the_race_last(setup: Setup) -> None:
    """What changed, then how it stands."""
    for stop in _stops(setup, 11):
        for seat in range(setup.seats):
            if stop.state.round and stop.rules.pending(stop.state) is not None:
                opening = report_letter(stop.report(seat), ENGLISH).text.partition("\nWhat happened")[0]
                told = re.findall(r"^- (.*)", opening, re.MULTILINE)
                assert 1 <= len(told) <= 3
                assert told[-1].startswith("You have ")


@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_the_race_is_what_the_end_would_score(setup: Setup) -> None:
    """From what any seat and onlookers see, at each fifth choice of a random game."""
    pick = pick_from(random.Random(5))
    rules = MODULE.bind(setup)
    state = rules.start(RandomChance(random.Random(6)), [])
    for number in range(250):
        decision = rules.pending(state)
        if decision is None:
            break
        if number % 5 == 0 and state.round:
            true = [
                (side, company.brass, worth(rules.tables, state, side)) for side, company in enumerate(state.companies)
            ]
            for seat in (None, *range(setup.seats)):
                assert [tuple(runner) for runner in rules.race(rules.view(state, seat))] == true
        answers = {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}
        rules.apply(state, answers, RandomChance(random.Random(number)), [])


@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_each_card_that_a_seat_holds_or_may_buy_alone_is_told_with_what_it_does(setup: Setup) -> None:
    """In text a line each; in HTML a row each; those of the reserve with their cost."""
    for stop in _stops(setup, 12, 60):
        view = stop.rules.view(stop.state, 0)
        if not view.round or stop.rules.pending(stop.state) is None or 0 in view.out:
            continue
        words = game_words("brass_empire", setup, "en")
        made = report_letter(stop.report(0), ENGLISH)
        for card in view.hand:
            assert re.search(rf"^  - (\d+ × )?{_called(words, card)}(:| \(attack)", made.text, re.MULTILINE)
            assert re.search(rf"<p [^>]*>\s*- (\d+ × )?{_called(words, card)}(:| \(attack)", made.html)
        for card in view.companies[0].reserve:
            assert re.search(rf"^  - (\d+ × )?{_called(words, card)} \(costs ", made.text, re.MULTILINE)


def _called(words: GameWords, card: int) -> str:
    name: str = words.rules.tables.cards[card].name  # type: ignore[attr-defined]
    return re.escape(name)


def test_who_plays_together_is_told_with_what_the_team_has() -> None:
    """Each company with its teammate's name, and both teams' sums."""
    (*_, stop) = list(_stops(Setup(4, {"teams": True}), 2))[:3]
    text = report_letter(stop.report(0), ENGLISH).text
    assert re.search(r"^Red \(.*, with Green\): \d+ brass", text, re.MULTILINE)
    totals = [runner.tokens + runner.cards for runner in stop.rules.race(stop.rules.view(stop.state, None))]
    assert f"  - Red and Green: {totals[0] + totals[2]} brass" in text
    assert f"  - Blue and Purple: {totals[1] + totals[3]} brass" in text


PHONE = 350
"""How many pixels wide a letter shows its picture on a phone of 390."""
READABLE = 9
"""The least height of letters there."""


@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_the_picture_can_be_read_on_a_phone(setup: Setup) -> None:
    """No letter is too small, and no card's name is wider than its card."""
    words = game_words("brass_empire", setup, "en")
    for stop in _stops(setup, 9, 80):
        drawing = svg(words, stop.rules.view(stop.state, None))
        wide = int(re.findall(r'viewBox="0 0 (\d+)', drawing)[0])
        for size, rest, said in re.findall(r'<text[^>]*font-size="(\d+)"([^>]*)>([^<]*)', drawing):
            assert int(size) * PHONE / wide >= READABLE
            if "#1d1a14" in rest:
                assert len(said.strip()) * int(size) * 0.7 < 318, said


def test_what_is_damaged_is_told_without_colour() -> None:
    """In print red is grey: health left of how much."""
    position = Position()
    position.piece(1, "tesla_trooper", damage=1)
    words = game_words("brass_empire", Setup(2), "en")
    assert "♥2/3" in svg(words, position.rules.view(position.state, None))
