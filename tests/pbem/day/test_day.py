"""A large service keeps its deadlines, and its processes don't grow: two hours of its clock, in small."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from tests.pbem.day import judging

ROOT = Path(__file__).parents[3]
SMALL = ("--games", "120", "--mails", "1600", "--hours", "2", "--rate", "400", "--stage-hours", "8")
GIVES_BACK = {
    "PYTHONMALLOC": "malloc",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": "131072",
    "MALLOC_MMAP_THRESHOLD_": "65536",
}
"""What a program lets go of goes back to the machine at once: so what it holds is seen in less than a minute."""


def test_deadlines_are_kept_and_memory_is_flat_under_the_mails_of_two_hours(require: Callable[[str], str]) -> None:
    """What players wrote is read, every deadline is gone on from in its turn, and nothing of mails is kept."""
    require("postgresql")
    require("valkey")
    require("linux")
    day = [sys.executable, "-m", "tests.pbem.day", *SMALL, "--json"]
    ours = os.environ | GIVES_BACK
    done = subprocess.run(day, cwd=ROOT, env=ours, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    result = msgspec.json.decode(done.stdout, type=judging.Result)
    print(result)
    assert judging.small(result) == [], result
