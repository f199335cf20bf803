"""The real service in a storm, small: `./run soak crash` is the same with 200 games and 1,000 kills."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem import crashing
from tests.pbem.crashes.places import POINTS, names_of, places

ROOT = Path(__file__).parents[3]
PATIENCE = 1800
"""Real seconds after which a storm is ended: many times what it takes, for a machine may be slow."""


def storm(folder: Path, *words: str) -> dict[str, Any]:
    """What came of a storm in a process of its own, with all that it starts."""
    packages = [str(ROOT / part) for part in ("", "tests/packages/tinygame", "tests/packages/faultygame")]
    command = [sys.executable, "-m", "tests.pbem.crashes", "--json", "--folder", str(folder), *words]
    ours = {**os.environ, "PYTHONPATH": os.pathsep.join(packages)}
    with subprocess.Popen(command, cwd=ROOT, env=ours, stdout=subprocess.PIPE, text=True) as process:
        try:
            said, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.send_signal(signal.SIGTERM)
    print(said)
    assert process.returncode == 0, said
    outcome: dict[str, Any] = json.loads(said.splitlines()[-1])
    return outcome


def test_every_program_dies_at_every_point_and_nothing_is_lost(
    require: Callable[[str], str], short_folder: Path
) -> None:
    """Killed before and after each commit, after publishing, before and after each answer: all is done once."""
    require("valkey")
    size = ("--games", "6", "--kills", "0", "--stages", "0")
    outcome = storm(short_folder, "--database", "sqlite", *size, "--points")
    hit = set[tuple[str, str]]().union(*(names_of(program, place) for program, place in outcome["hit"]))
    assert places() <= hit
    assert set().union(*POINTS.values()) == crashing.POINTS
    assert outcome["counted"]["stages resolved"] >= 6


def test_kills_and_failing_servers_lose_and_double_nothing(require: Callable[[str], str], short_folder: Path) -> None:
    """Thirty kills at random, a broker that is emptied, a database that restarts, a disk that is full."""
    require("valkey")
    require("postgresql")
    words = ("--games", "8", "--kills", "30", "--stages", "8", "--gap", "0.5", "--lull", "1", "--often", "30")
    counted = storm(short_folder, "--database", "postgresql", *words)["counted"]
    assert counted["kills"] == 30
    assert counted["stages resolved"] >= 8
    faults = ("broker emptied", "broker forgot", "broker full", "database restarted", "connections cut")
    assert [counted[fault] for fault in faults] == [1] * len(faults)
