"""What is measured can be measured, and is told as it was."""

from collections.abc import Callable
from pathlib import Path

import pytest
import structlog

from pbem.storage.sessions import Database
from tests.bench import service, sweep, written
from tests.bench.__main__ import PARTS, main
from tests.bench.figure import TITLES, figure, page
from tests.pbem.playing import service_on


def test_the_page_has_every_figure_under_its_part() -> None:
    """With its unit, its yardstick and their ratio; a part of which nothing was measured is left out."""
    found = page({"engine": [figure("play", 3000.0, "decisions/s", 1500.0, "another")], "mail": []}, "here")
    assert "## The engine" in found
    assert "| play | 3,000.00 decisions/s | 1,500.00 decisions/s | 2.000 | another |" in found
    assert "## Mail" not in found


def test_every_part_has_a_title() -> None:
    """Whatever is measured can be told."""
    assert set(PARTS) == set(TITLES)


def test_what_a_turn_adds_is_measured_with_few_games_and_with_many(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In bytes; as flat as at an early and at a late turn, for those of other games are none of its own."""
    for name, value in {"FEW": 2, "MANY": 3, "MOST": 4, "ROUNDS": 2, "LATE": 5}.items():
        monkeypatch.setattr(service, name, value)
    figures = {each.name: each for each in service.turn_figures(service_on(sqlite))}
    for name in ("kept of a turn, 3 games", "kept of a turn, 4 games"):
        assert figures[name].value > 1
        assert 1 / 1.2 < figures[name].ratio < 1.2


def test_figures_written_anew_leave_the_day_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The day as it was, once; of the other sections nothing."""
    path = tmp_path / "benchmarks.md"
    day = f"## {written.DAY}\n\nIt rained.\n\n| figure |\n| --- |\n"
    path.write_text(f"# Benchmarks\n\n## Mail\n\nold\n\n{day}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(written, "PAGE", path)
    monkeypatch.setattr(structlog, "configure", lambda **_: None)
    monkeypatch.setattr("tests.bench.__main__.PARTS", ("engine",))
    monkeypatch.setattr("tests.bench.engine.figures", lambda: [figure("play", 3.0, "s", 1.5, "another")])
    for _ in range(2):
        main(["--write"])
        text = path.read_text(encoding="utf-8")
        assert text.endswith(f"| play | 3.00 s | 1.50 s | 2.000 | another |\n\n{day}")
        assert "old" not in text
        assert text.count("# Benchmarks\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["engines"], "there is no part engines; there are engine, mail"),
        (["engine", "--write"], "--write is for all figures"),
    ],
)
def test_what_can_not_be_measured_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In a line, and before anything is measured."""
    with pytest.raises(SystemExit):
        main(words)
    assert said in capsys.readouterr().err


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
