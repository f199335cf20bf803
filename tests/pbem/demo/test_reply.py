"""The command by which a person answers in the demo."""

from pathlib import Path

import pytest

from pbem.demo.reply import main


def test_an_answer_before_the_first_letter_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The invitation may be on its way still: nothing is sent, and no traceback shown."""
    assert main(tmp_path / "red", "red@players.demo", 1) == 1
    assert "no letter to answer yet" in capsys.readouterr().err
