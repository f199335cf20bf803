"""The opening of a report, and what it says that the seat can reckon."""

import re

import pytest

from engine.contract import Setup
from engine.rockwell.changes import Change
from engine.rockwell.rules import RockwellRules
from pbem.reports.game import game_words
from pbem.reports.render import report_letter
from pbem.words import Words
from tests.pbem.reports.playing import SETUP, stops

ENGLISH = Words.of("en", "Europe/Paris")
ROCKWELL = game_words("rockwell", SETUP, "en")

SAID = [
    (
        Change("began", 1, {"cubes": (3, 2, 1, 0), "money": 3000}),
        "You begin with 3 zinc, 2 copper, 1 silver and $3,000.",
    ),
    (Change("centre", 1, {"crews": 2}), "2 of your crews have reached the centre of the Earth."),
    (
        Change("claimed", 1, {"achievements": (2, 4), "prestige": 9}),
        "You claimed 2 achievements, worth 9: 10 silver, 12 gold.",
    ),
    (Change("delivered", 1, {"tiles": 1, "prestige": 4}), "You made a delivery, worth 4 prestige."),
    (
        Change("booty", 1, {"tiles": (0, 9), "cubes": (0, 0, 0, 3), "lost": (0, 0, 0, 1)}),
        "Your booty from A1, B2: 3 gold, of which danger took 1 gold.",
    ),
    (Change("booty", 1, {"tiles": (9,), "cubes": (1, 0, 0, 0), "lost": (0,) * 4}), "Your booty from B2: 1 zinc."),
    (Change("yields", 1, {"cubes": (0, 1, 0, 0)}), "Your mineshafts yielded 1 copper."),
    (Change("place", 1, {"before": 3, "now": 1}), "You went from place 3 to place 1 in the management order."),
    (Change("traded", 1, {"bought": (0,) * 4, "sold": (2, 0, 0, 0), "money": 800}), "You sold 2 zinc for $800."),
    (Change("traded", 1, {"bought": (0, 0, 1, 0), "sold": (0,) * 4, "money": -800}), "You bought 1 silver for $800."),
    (
        Change("traded", 1, {"bought": (1, 0, 0, 0), "sold": (0, 0, 0, 1), "money": 600}),
        "You sold 1 gold and bought 1 zinc: $600 gained.",
    ),
    (
        Change("traded", 1, {"bought": (0, 0, 0, 1), "sold": (1, 0, 0, 0), "money": -600}),
        "You sold 1 zinc and bought 1 gold: $600 paid.",
    ),
    (
        Change("built", 1, {"money": 4500, "raised": ((1, 3),), "levels": (("safety", 1), ("mineshaft", 2))}),
        "In the workshop you spent $4,500: c2 to power 3, safety 1, mineshaft 2.",
    ),
    (Change("built", 1, {"money": 1500, "raised": (), "levels": ()}), "You spent $1,500 on moving mineshafts."),
    (Change("deeper", 1, {"crews": ((0, 8), (3, 49))}), "You went deeper: c1 to B1, c4 to the border B2/B3."),
    (Change("bribed", 1, {"crews": ((1, 0, 9),)}), "Crews of yours were bribed: c2 by Red to B2."),
    (Change("insured", 1, {"cubes": (1, 0, 0, 0)}), "You turned 1 zinc into insurance, which only you can see."),
]


@pytest.mark.parametrize(
    ("change", "words"), SAID, ids=[f"{change.code}-{place}" for place, (change, _) in enumerate(SAID)]
)
def test_each_change_has_its_sentence(change: Change, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its figures, alone on its line."""
    monkeypatch.setattr(RockwellRules, "changes", lambda *_: [change, change])
    assert ROCKWELL.lead((), None, 1) == [words, words]


def test_every_kind_of_change_is_said_above() -> None:
    """One that is added needs its words."""
    kinds = set(re.findall(r"`([a-z]+)`\s+\(", Change.__doc__ or ""))
    assert {change.code for change, _ in SAID} == kinds


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_report_says_first_what_changed_then_what_happened_how_things_stand_and_what_is_asked(seats: int) -> None:
    """At most three things open it; the heads come in this order; the position is for looking up."""
    heads = ("What happened", "How things stand", "What is asked of you", "The position")
    for stop in list(stops(0, Setup(seats=seats)))[1:-1]:
        text = report_letter(stop.report(1), ENGLISH).text
        opening = text.partition("Deadline:")[0]
        assert 0 <= opening.count("\n- ") <= 3
        places = [text.index(f"\n{head}\n---") for head in heads if f"\n{head}\n---" in text]
        assert places == sorted(places)
        assert "What is known of the other stocks" in text
        assert text.count("(you)") == 1


def test_onlookers_reckon_with_what_everyone_knows() -> None:
    """All stocks by their bounds, and no side is theirs."""
    stop = list(stops(0))[20]
    text = report_letter(stop.report(None), ENGLISH).text
    known = text.partition("What is known of the other stocks")[2].partition("The race")[0]
    assert [line.split(":")[0].strip() for line in known.splitlines()[1:5]] == ["Red", "Green", "Purple", "White"]
    assert "(you)" not in text
    assert "you " not in text.partition("The race for achievements")[2].partition("What the end")[0]


def test_when_the_game_is_over_nothing_is_reckoned() -> None:
    """Then the truth is told."""
    assert "What is known of" not in report_letter(list(stops(0))[-1].report(0), ENGLISH).text
