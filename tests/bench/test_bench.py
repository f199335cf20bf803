"""What is measured can be measured, and is told as it was."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench import sweep
from tests.bench.__main__ import PARTS
from tests.bench.figure import TITLES, figure, page


def test_the_page_has_every_figure_under_its_part() -> None:
    """With its unit, its yardstick and their ratio; a part of which nothing was measured is left out."""
    found = page({"engine": [figure("play", 3000.0, "decisions/s", 1500.0, "another")], "mail": []}, "here")
    assert "## The engine" in found
    assert "| play | 3,000.00 decisions/s | 1,500.00 decisions/s | 2.000 | another |" in found
    assert "## Mail" not in found


def test_every_part_has_a_title() -> None:
    """Whatever is measured can be told."""
    assert set(PARTS) == set(TITLES)


def test_real_workers_and_plain_calls_do_the_same_turn(
    require: Callable[[str], str], short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One task at least to read each of four mails, one to play and one to send; the same by plain calls."""
    require("postgresql")
    require("valkey")
    require("linux")
    monkeypatch.setattr(sweep, "GAMES", 1)
    monkeypatch.setattr(sweep, "TASKS", 10)
    folder = short_folder / "bench"
    folder.mkdir()
    with sweep.placed(folder) as place:
        tasks, processor, _, _ = sweep.task_figures(place)
    assert tasks.value >= 6
    assert tasks.yardstick >= 6
    assert processor.value > 0
