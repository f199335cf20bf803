"""Reports of real random games: whole, in words of the catalog alone, and without a word of what others know."""

import random

import msgspec
import pytest

from engine.chance import RandomChance
from engine.orders.reader import read
from engine.registry import load
from pbem.reports.data import Fate, Report, decode_report, encode
from pbem.reports.letters import Letter
from pbem.reports.render import chapter, report_letter
from pbem.words import PSEUDO, Words
from tests.pbem.reports.plain import bypassing, shown
from tests.pbem.reports.playing import some, stops

ENGLISH = Words.of("en", "Europe/Paris")
SEEDS = range(2)


def _letters(report: Report, words: Words) -> Letter:
    return report_letter(decode_report(encode(report)), words, "cid:board")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_report_is_in_words_of_the_catalog_alone(seed: int) -> None:
    """In the pseudo-locale no report of a whole game, in text or HTML, has a plain word but names and places."""
    pseudo = Words.of(PSEUDO, "Europe/Paris")
    for stop in some(seed):
        report = msgspec.structs.replace(stop.report(seed % 4), orders=FATES)
        made = _letters(report, pseudo)
        orders = [text for fate in FATES for text in (fate.order, fate.taken) if text]
        for text in (made.text, shown(made.html), made.subject):
            lines = [line for each in report.questions for line in (*each.form, *each.examples)]
            assert bypassing(text, *orders, *lines, report.head, report.secret_hash) == set()


FATES = (
    Fate(order="bid 1200 + 1 zinc", code="used"),
    Fate(order="place workshop 1 or workshop 2", code="alternative", taken="place workshop 2"),
    Fate(order="drill 3: c2 to C3", code="not_adjacent", params={"origin": 3}),
    Fate(order="drill 4: c1 stay if B3 is revealed", code="condition"),
    Fate(order="always danger: all", code="standing"),
    Fate(order="sell 2 zinc", code="left"),
    Fate(order="power c2", code="waiting"),
)


def test_what_became_of_orders_is_told_with_the_reason() -> None:
    """Used, taken otherwise, refused with its figures, not come up."""
    report = next(iter(stops(1))).report(0)
    text = report_letter(msgspec.structs.replace(report, orders=FATES), ENGLISH).text
    assert '# "bid 1200 + 1 zinc": done.' in text
    assert '# "place workshop 1 or workshop 2": done as "place workshop 2".' in text
    assert '# "drill 3: c2 to C3": not used. It is not adjacent to A4, where the crew stood.' in text
    assert '# "drill 4: c1 stay if B3 is revealed": not used. Its condition did not hold.' in text
    assert '# "sell 2 zinc": not used, for it did not come up.' in text


def test_a_bid_is_told_by_whom_it_was_beaten() -> None:
    """The why-line of a bid says its place and the bid ahead of it."""
    stop = next(
        stop for stop in stops(2) if any(event.data.__class__.__name__ == "BidsRevealed" for event in stop.events)
    )
    revealed = next(event.data for event in stop.events if event.data.__class__.__name__ == "BidsRevealed")
    first, second = revealed.order[0], revealed.order[1]
    fate = Fate(order="bid 100", code="used", result=(msgspec.to_builtins(revealed),))
    names = ("Red", "Green", "Purple", "White")
    ahead = msgspec.structs.replace(stop.report(first), orders=(fate,))
    assert "done; first in the management order with $" in report_letter(ahead, ENGLISH).text
    behind = msgspec.structs.replace(stop.report(second), orders=(fate,))
    assert "done; second in the management order with $" in report_letter(behind, ENGLISH).text
    assert f"of {names[first]}." in report_letter(behind, ENGLISH).text


@pytest.mark.parametrize("seed", SEEDS)
def test_the_text_report_suffices_to_play_from(seed: int) -> None:
    """Every tile with what it requires or its back, every crew where it stands, one's own stock, deadline and chain."""
    for stop in some(seed):
        report = stop.report(1)
        text = report_letter(report, ENGLISH).text
        view = stop.rules.view(stop.state, 1)
        for tile in range(32):
            name = f"{'ABCD'[tile // 8]}{tile % 8 + 1}"
            said = f"  {name} requires {view.required[tile]}" if view.back[tile] < 0 else f"  {name} revealed, yields "
            assert said in text
        for number in range(16):
            seat = ("Red", "Green", "Purple", "White")[number // 4]
            assert f"{seat} c{number % 4 + 1} (power {view.power[number]}" in text
        assert f"${view.own.money:,}; insurance {view.own.insurance}." in text
        assert "Thursday 3 December, 18:00 (Europe/Paris)" in text
        assert report.head in text


@pytest.mark.parametrize("seed", SEEDS)
def test_no_line_of_a_report_is_an_order(seed: int) -> None:
    """A report sent back whole orders nothing; the first of its examples, uncommented, is read as an order."""
    language = load("rockwell").language
    for stop in some(seed):
        report = msgspec.structs.replace(stop.report(seed), orders=FATES, sheet=("bid 100",))
        text = report_letter(report, ENGLISH, guide="https://play.example/guide").text
        reading = read(text, language, stop.rules.view(stop.state, seed))
        assert (reading.orders, reading.commands, reading.problems) == ((), (), ())
        shown_lines = [line for question in report.questions for line in question.examples]
        if shown_lines:
            again = read("\n".join(shown_lines), language, stop.rules.view(stop.state, seed))
            assert len(again.orders) == len(shown_lines)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_report_is_well_under_what_mail_programs_show(seed: int) -> None:
    """Gmail cuts at about 102 KB; the HTML stays below a third of that, and no line is too long for mail."""
    for stop in some(seed):
        made = report_letter(stop.report(2), ENGLISH, "cid:board")
        assert len(made.html.encode()) < 34_000


@pytest.mark.parametrize("seed", SEEDS)
def test_a_report_says_nothing_that_the_seat_does_not_know(seed: int) -> None:
    """The leak law, to the letter: text and HTML from any state that the seat must think possible are the same."""
    for number, stop in enumerate(some(seed)):
        if stop.over:
            continue
        for seat in range(4):
            report = stop.report(seat)
            imagined = stop.rules.imagine(
                stop.rules.view(stop.state, seat), RandomChance(random.Random(seed * 1000 + number))
            )
            assert report_letter(stop.report(seat, imagined), ENGLISH) == report_letter(report, ENGLISH)


def test_onlookers_are_told_what_everyone_knows() -> None:
    """A report for no seat has no stock and no questions in it, and no other seat's secrets."""
    for stop in some(4):
        text = report_letter(stop.report(None), ENGLISH).text
        assert "Your stock" not in text
        assert "into insurance" not in text
        assert "What is asked of you" not in text


def test_the_end_shows_stocks_standings_and_the_secret() -> None:
    """The last report has places, names of the players, and the secret to check every draw with."""
    stop = list(stops(1))[-1]
    report = msgspec.structs.replace(stop.report(0), secret="5e" * 32, deadline=None)
    text = report_letter(report, ENGLISH).text
    assert "The final standings" in text
    assert "5e" * 32 in text
    first = stop.rules.standings(stop.state)[0]
    assert f"1. {('Red (Anouk)', 'Green (Bram)', 'Purple (Chloé)', 'White (Dmitri)')[first.seat]} {first.score}" in text
    assert "Deadline" not in text
    sides = ("Red", "Green", "Purple", "White")
    assert f"{sides[first.seat]} wins with {first.score}." in text


def test_past_reports_make_a_history() -> None:
    """Each stage in short, with its heading."""
    heading, sentences = chapter(list(stops(1))[3].report(0), ENGLISH)
    assert heading.startswith("Turn ")
    assert sentences
