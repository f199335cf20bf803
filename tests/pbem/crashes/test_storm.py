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
SMALL = ("--games", "6", "--kills", "30", "--stages", "6", "--gap", "0.5", "--lull", "1", "--often", "30")
SMALLER = ("--games", "3", "--kills", "10", "--stages", "3", "--gap", "0.3", "--lull", "0.5", "--often", "10")
BROKER_FAULTS = ("broker emptied", "broker forgot", "broker full")
FAULTS = (*BROKER_FAULTS, "database restarted", "connections cut")
FILE_FAULTS = (*BROKER_FAULTS, "disk full")


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
    assert process.returncode == 0, said
    outcome: dict[str, Any] = json.loads(said.splitlines()[-1])
    return outcome


def test_deaths_at_every_point_kills_and_failing_servers_lose_and_double_nothing(
    require: Callable[[str], str], short_folder: Path
) -> None:
    """Each program dies at each of its points, thirty processes are killed at random, each server fails once."""
    require("valkey")
    require("postgresql")
    outcome = storm(short_folder, *SMALL, "--points", "--forked")
    hit = set[tuple[str, str]]().union(*(names_of(program, place) for program, place in outcome["hit"]))
    assert places() <= hit
    assert set().union(*POINTS.values()) == crashing.POINTS
    counted = outcome["counted"]
    assert counted["kills"] == 30
    assert counted["stages resolved"] >= 6
    assert [counted[fault] for fault in FAULTS] == [1] * len(FAULTS)
    assert counted.get("disk full", 0) == (not outcome["left_out"])


def test_kills_and_a_full_disk_lose_and_double_nothing_that_is_kept_in_a_file(
    require: Callable[[str], str], short_folder: Path
) -> None:
    """SQLite, which has a limit of pages as its disk: ten processes are killed, broker and disk fail once each."""
    require("valkey")
    counted = storm(short_folder, *SMALLER, "--database", "sqlite", "--forked")["counted"]
    assert counted["kills"] == 10
    assert counted["mails accepted"] > 0
    assert [counted[fault] for fault in FILE_FAULTS] == [1] * len(FILE_FAULTS)
