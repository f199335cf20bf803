"""The demo's stand-ins know the text of their letters alone, and what they answer can be read."""

import random
import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest

from engine.orders.reader import read
from engine.registry import load
from pbem.demo.answering import DIVING_FROM, orders
from pbem.reports.data import Fate
from pbem.reports.render import report_letter
from pbem.words import Words
from tests.pbem.reports.playing import stops

WORDS = Words("en", ZoneInfo("UTC"))


def test_every_line_that_a_stand_in_answers_a_report_with_is_read_as_an_order() -> None:
    """From the first bid to the end, nothing comes back as not understood, and every question has a line."""
    language = load("rockwell").language
    pick = random.Random(3).randrange
    turns = 0
    for stop in stops(3):
        if stop.over:
            break
        for seat in {0, stop.turn % 4}:
            report = stop.report(seat)
            lines = orders(report_letter(report, WORDS).text, pick)
            reading = read("\n".join(lines), language, stop.rules.view(stop.state, seat))
            assert not reading.problems, lines
            wanted = {question.kind for question in report.questions if question.required}
            assert wanted <= {order.kind for order in reading.orders}, lines
        turns = stop.turn
    assert turns > 6


@pytest.mark.parametrize("deadline", [None, datetime(2026, 11, 28, 12, tzinfo=UTC)])
def test_stand_ins_make_for_the_centre_after_some_turns(deadline: datetime | None) -> None:
    """So that a demo ends soon, whether or not the first line of the report says until when."""
    turns = []
    for stop in stops(3):
        if stop.over:
            break
        report = msgspec.structs.replace(stop.report(0), deadline=deadline)
        lines = orders(report_letter(report, WORDS).text, random.Random(1).randrange)
        if any(re.fullmatch(r"drill \d: c\d to \w+ or any crew stay", line) for line in lines):
            turns.append(stop.turn)
    assert len(turns) > 1
    assert min(turns) == DIVING_FROM


def test_only_the_examples_are_taken_for_examples() -> None:
    """What became of earlier orders and the seals look alike and come later: no line of those is sent back."""
    stop = next(stop for stop in stops(3) if stop.turn > 1)
    fates = (Fate(order="bid 600 + 1 zinc", code="used"), Fate(order="place control", code="left"))
    report = msgspec.structs.replace(stop.report(0), orders=fates, openings=("ab12:cd34",))
    reading = read(
        "\n".join(orders(report_letter(report, WORDS).text, random.Random(3).randrange)),
        load("rockwell").language,
        stop.rules.view(stop.state, 0),
    )
    assert not [line for line in reading.lines if line.order is None and line.command is None]


def test_a_letter_that_asks_for_nothing_is_not_answered() -> None:
    """Acknowledgements and notices get no reply, so that nothing goes back and forth for ever."""
    assert orders("Your orders as they stand:\n\n  bid 1000\n\n# bid 200\n", random.Random(0).randrange) == []
