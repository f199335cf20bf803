"""Reports and picture of Rockwell between two companies, with the automaton among them."""

import re

import pytest

from engine.contract import Setup
from engine.orders.reader import read
from engine.registry import load
from engine.rockwell.events import AutomatonMoved, AutomatonRaised, Extracted, Shared
from pbem.reports import board
from pbem.reports.game import game_words
from pbem.reports.render import report_letter
from pbem.words import PSEUDO, Words
from tests.pbem.reports.plain import bypassing, shown
from tests.pbem.reports.playing import some, stops

TWO = Setup(seats=2)
ENGLISH = Words.of("en", "Europe/Paris")
ROCKWELL = game_words("rockwell", TWO, "en")
SEEDS = range(2)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_report_is_in_words_of_the_catalog_alone(seed: int) -> None:
    """In the pseudo-locale nothing that is told of the automaton is in plain words."""
    pseudo = Words.of(PSEUDO, "Europe/Paris")
    for stop in some(seed, TWO):
        report = stop.report(seed)
        made = report_letter(report, pseudo, "cid:board")
        lines = [line for each in report.questions for line in (*each.form, *each.examples)]
        for text in (made.text, shown(made.html)):
            assert bypassing(text, *lines, report.head, report.secret_hash) == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_line_of_a_report_is_an_order_and_all_its_examples_are(seed: int) -> None:
    """Though the automaton's name begins orders; its crews stand in the position like a company's."""
    language = load("rockwell").language
    kinds = set()
    for stop in some(seed, TWO):
        seat = stop.state.control[0] if stop.stage == "drilling" else stop.state.management[0]
        report = stop.report(seat)
        view = stop.rules.view(stop.state, seat)
        text = report_letter(report, ENGLISH).text
        reading = read(text, language, view)
        assert reading.problems == ()
        assert (reading.orders, reading.commands) == ((), ())
        lines = [line for question in report.questions for line in question.examples]
        orders = read("\n".join(lines), language, view).orders
        assert len(orders) == len(lines)
        kinds |= {order.kind for order in orders}
        unfolded = re.sub(r"\s+", " ", text)
        for crew in range(4):
            assert f"c{crew + 1} of the automaton (power {view.power[8 + crew]})" in unfolded
    assert kinds >= {"automaton_move", "automaton_step"}


def test_the_automatons_acts_and_what_it_gets_are_told_as_its_own() -> None:
    """Who chose for it, what it extracted, and that its cubes go back to the supply."""
    assert ROCKWELL.event(AutomatonMoved(0, 33, 1, 1)) == (
        "Crew c1 of the automaton moves from entrance 1 to A2, as Green chose."
    )
    assert ROCKWELL.event(AutomatonMoved(0, 33, 1, None)) == "Crew c1 of the automaton moves from entrance 1 to A2."
    assert ROCKWELL.event(AutomatonRaised(2, 3, 0)) == "Crew c3 of the automaton goes up to power 3, as Red chose."
    assert ROCKWELL.event(AutomatonRaised(2, 3, None)) == "Crew c3 of the automaton goes up to power 3."
    told = [event.data for stop in stops(1, TWO) for event in stop.events]
    extracted = next(each for each in told if isinstance(each, Extracted) and each.seat == 2)
    assert "is extracted by the automaton (power" in ROCKWELL.event(extracted)
    shared = next(each for each in told if isinstance(each, Shared) and each.priority == 2 and any(each.rest))
    said = ROCKWELL.event(shared)
    assert "returned to the supply for the automaton (power " in said
    assert "What is left over goes back to the supply for the automaton, which" in said


@pytest.mark.parametrize(
    ("code", "params", "words"),
    [
        ("automaton_crew", {"crews": (0, 2)}, "Another crew of the automaton comes first: c1, c3."),
        ("automaton_tile", {"tiles": (4, 5)}, "That crew of the automaton can only go to A5, A6."),
        ("automaton_raise", {"crews": (1, 3)}, "Of the automaton's crews these can go up: c2, c4."),
    ],
)
def test_why_an_order_for_the_automaton_was_refused_is_said(
    code: str, params: dict[str, tuple[int, ...]], words: str
) -> None:
    """With what would have been legal."""
    assert ROCKWELL.reason(code, params) == words


@pytest.mark.parametrize("seed", SEEDS)
def test_the_picture_shows_the_automatons_crews_under_a_letter_of_their_own(seed: int) -> None:
    """Each crew once; none is taken for one of a third company, nor for a tile."""
    for stop in some(seed, TWO):
        drawing = board.svg(ROCKWELL, stop.rules.view(stop.state, None))
        texts = re.findall(r"<text[^>]*>([^<]*)<", drawing)
        for number in range(12):
            assert texts.count(f"{'RGX'[number // 4]}{number % 4 + 1}") == 1 + (number == 0)  # the legend shows R1
        assert [text for text in texts if re.fullmatch(r"[PW]\d", text)] == []
        assert "Automaton" in texts
