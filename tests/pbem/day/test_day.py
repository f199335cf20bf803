"""A large service keeps its deadlines, and its processes don't grow: two hours of its clock, in small."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[3]
MOST_LAG = 300.0
"""Seconds on the wall: enough for a machine that is as busy as it likes, and not for a deadline that was forgotten."""
MOST_GROWN = 1.5


def test_deadlines_are_kept_and_memory_is_flat_under_the_mails_of_two_hours(require: Callable[[str], str]) -> None:
    """What players wrote is read, what is due is played, and no process holds more and more."""
    require("postgresql")
    require("valkey")
    require("linux")
    size = ("--games", "400", "--mails", "1200", "--hours", "2", "--rate", "720")
    day = [sys.executable, "-m", "tests.pbem.day", *size, "--json"]
    done = subprocess.run(day, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    seen = result["seen"]
    assert seen["deadlines"] > 5
    assert seen["lag_most"] < MOST_LAG, seen
    assert seen["grown"], seen
    assert max(seen["grown"].values()) < MOST_GROWN, seen
    assert seen["aside"] == 0
    assert result["taken"] > 30
    assert result["left"] == 0, "a mail was not read, or a letter not sent, in the end"
