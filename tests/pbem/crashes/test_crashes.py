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

ROOT = Path(__file__).parents[3]
PATIENCE = 900
"""Real seconds after which a storm is ended: many times what it takes, for a machine may be slow."""
EXPECTED = {
    "worker": {"task-taken", "task-done", "before-commit", "after-commit", "after-publish"},
    "sender": {"task-taken", "task-done", "before-commit", "after-commit", "data-begun", "letter-taken"},
    "mail": {"before-commit", "after-commit", "mail-stored", "after-publish"},
    "web": {"before-commit", "after-commit", "after-publish"},
}
"""The points that each program comes to."""
COMMITS = {
    "worker": ("mail.ingest._begin", "sheets.keeping.keep", "games.trouble.begin", "games.writing.write"),
    "sender": ("mail.outbox.claim", "mail.outbox.begin", "mail.outbox.sent"),
    "mail": ("mail.intake.store",),
    "web": ("sheets.keeping.keep",),
}
"""The commits on the way from a mail to the reports, and of the API."""


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
    outcome = storm(short_folder, "--database", "sqlite", "--games", "6", "--kills", "0", "--stages", "18", "--points")
    hit = set(outcome["hit"])
    assert {
        name: {place.split(" ")[1].partition("@")[0] for place in hit if place.startswith(name)} for name in EXPECTED
    } == EXPECTED
    assert set().union(*EXPECTED.values()) == crashing.POINTS
    for program, functions in COMMITS.items():
        for function in functions:
            assert {f"{program} before-commit@pbem.{function}", f"{program} after-commit@pbem.{function}"} <= hit
    assert outcome["counted"]["stages resolved"] >= 18


def test_kills_and_failing_servers_lose_and_double_nothing(require: Callable[[str], str], short_folder: Path) -> None:
    """Thirty kills at random, a broker that is emptied, a database that restarts, a disk that is full."""
    require("valkey")
    require("postgresql")
    words = ("--games", "8", "--kills", "30", "--stages", "30", "--gap", "0.5", "--often", "30")
    counted = storm(short_folder, "--database", "postgresql", *words)["counted"]
    assert counted["kills"] == 30
    assert counted["stages resolved"] >= 30
    faults = ("broker emptied", "broker forgot", "broker full", "database restarted", "connections cut")
    assert [counted[fault] for fault in faults] == [1] * len(faults)
