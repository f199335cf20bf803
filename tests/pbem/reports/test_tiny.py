"""A third party's game brings its own words."""

import random

from engine.contract import Setup
from engine.registry import bind
from engine.spaces import sample
from engine.table import Answered, Table
from pbem.reports.data import Question, Report, Seat, plain, seen
from pbem.reports.render import report_letter
from pbem.words import PSEUDO, Words
from tests.pbem.reports.plain import bypassing, shown

SETUP = Setup(seats=2)


def _report(seat: int) -> Report:
    """A few moves into a random game."""
    rules = bind("tinygame", SETUP)
    table, _, events = Table.begin(rules, bytes(32), ("", ""))
    pick = random.Random(7).randrange
    for _ in range(4):
        decision = rules.pending(table.state)
        assert decision is not None
        answers = {at: Answered(sample(rules.space(table.state, at), pick), "order") for at in decision.seats}
        events += table.decide(answers)[1]
    view = rules.view(table.state, seat)
    return Report(
        game="t1",
        title="Deep Thought",
        seat=seat,
        seats=(Seat("red", "Anouk"), Seat("green", "Bram")),
        rules="tinygame",
        setup=SETUP,
        turn=view.turn,
        stage=rules.stage(table.state, "strict").name,
        events=seen(events, seat),
        orders=(),
        view=plain(view),
        public=plain(rules.view(table.state, None)),
        standings=tuple(rules.standings(table.state)),
        questions=tuple(Question(kind=asked.kind) for asked in rules.agenda(view, "brisk")),
    )


def test_a_third_partys_game_is_told_by_its_own_templates() -> None:
    """Found through `RulesModule.templates`: a report of it is whole, and knows only what its seat does."""
    mine, theirs = (report_letter(_report(seat), Words.of("en")).text for seat in (0, 1))
    assert mine.startswith("Deep Thought, turn")
    assert "Your hand: " in mine
    assert "Green draws a card." in mine
    assert "Red draws a card." in theirs


def test_a_third_partys_game_speaks_the_recipients_language() -> None:
    """Its words go through the catalog like our own."""
    made = report_letter(_report(0), Words.of(PSEUDO))
    for text in (made.text, shown(made.html)):
        assert bypassing(text) == set()
