"""A day is told on the page of benchmarks as it was."""

from pathlib import Path

import pytest

from tests.bench import written
from tests.pbem.day.judging import Plan
from tests.pbem.day.page import section
from tests.pbem.day.watching import Seen

PLAN = Plan(20_000, 60_000, 24.0, 30.0, 48.0, "1")
SEEN = Seen(
    stages=10_346,
    deadlines=9_933,
    lag_half=1.8,
    lag_most=3.7,
    lag_longest=5.1,
    overtaken=0,
    mails=59_901,
    unread=11,
    letters=101_274,
    unsent=8,
    aside=0,
    processor=4106.4,
    megabytes={"worker 17": 132.0, "worker 18": 195.0, "mail 20": 142.0},
    early={"worker 17": 131.0, "worker 18": 169.0, "mail 20": 140.0},
    grown={"worker 17": 1.0, "worker 18": 1.02, "mail 20": 1.0},
)


def test_section_has_the_load_the_lags_the_processor_and_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lags beside their limit, the processor beside what there was of it, memory beside that of the beginning."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    text = section(PLAN, SEEN, "2026-11-29, here")
    prose = " ".join(text.split())
    assert text.startswith("## A day in a large service\n")
    assert "\n2026-11-29, here\n" in text
    assert "20,000 games, 48 hours for a stage, 60,000 mails a day; 24 hours passed at 30 times the speed." in prose
    assert "10,346 stages were resolved, 9,933 deadlines passed, 59,901 mails came, 101,274 letters" in prose
    for row in (
        "| half of the deadlines missed by at most | 1.80 s | 5.00 s | 0.360 | the limit of 99 % |",
        "| 99 % of them missed by at most | 3.70 s | 5.00 s | 0.740 | the limit of 99 % |",
        "| all of them missed by at most | 5.10 s | 5.00 s | 1.020 | the limit of 99 % |",
        "| processor time an hour of the service's clock | 171.10 s | 240.00 s | 0.713 | 2 cores for as long |",
        "| memory of worker, process 1 | 132.00 MB | 131.00 MB | 1.008 | after 0.5 h |",
        "| memory of worker, process 2 | 195.00 MB | 169.00 MB | 1.154 | after 0.5 h |",
        "| memory of mail | 142.00 MB | 140.00 MB | 1.014 | after 0.5 h |",
    ):
        assert f"\n{row}\n" in text


def test_day_takes_the_place_of_an_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of the bench stay as they are."""
    page = tmp_path / "benchmarks.md"
    figures = "# Benchmarks\n\n## Mail\n\n| figure |\n| --- |\n"
    page.write_text(figures, encoding="utf-8")
    monkeypatch.setattr(written, "PAGE", page)
    for place in ("here", "there"):
        day = section(PLAN, SEEN, place)
        written.write_day(day)
        assert page.read_text(encoding="utf-8") == f"{figures}\n{day}"
