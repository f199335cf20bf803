"""Points at which a process can be made to die: all are known, and none does anything unless a test names a folder."""

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pbem import crashing

ROOT = Path(__file__).parents[3]
PASSES = "from pbem import crashing; [crashing.at('after-commit') for _ in range(3)]; print('alive')"


def named(package: str) -> Iterator[object]:
    """What `crashing.at` is called with, everywhere in a package."""
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "crashing.at":
                yield ast.literal_eval(node.args[0])


def run(folder: Path | None) -> "subprocess.CompletedProcess[str]":
    """A process that passes a point three times."""
    ours = {crashing.FOLDER: str(folder)} if folder else {}
    command = [sys.executable, "-c", PASSES]
    return subprocess.run(command, cwd=ROOT, env=os.environ | ours, capture_output=True, text=True, check=False)


def test_every_point_is_listed_and_in_the_code() -> None:
    """A new one is listed, so that the storm has to hit it; one that is gone is listed no more."""
    assert {*named("pbem"), *named("worker")} == crashing.POINTS
    assert [*named("engine")] == []


def test_process_dies_where_that_was_ordered_and_the_next_one_lives(tmp_path: Path) -> None:
    """By SIGKILL, once; what was passed is kept."""
    (tmp_path / crashing.PASSED).mkdir()
    order = tmp_path / "after-commit"
    order.touch()
    died = run(tmp_path)
    assert (died.returncode, died.stdout) == (-signal.SIGKILL, "")
    assert not order.exists()
    assert run(tmp_path).stdout == "alive\n"
    assert [path.name.partition("@")[0] for path in (tmp_path / crashing.PASSED).iterdir()] == ["after-commit"]


def test_process_dies_only_in_the_function_that_was_named(tmp_path: Path) -> None:
    """An order for another function at the same point is not its own."""
    (tmp_path / crashing.PASSED).mkdir()
    order = tmp_path / "after-commit@pbem.mail.outbox.claim"
    order.touch()
    assert run(tmp_path).stdout == "alive\n"
    assert order.exists()


def test_points_do_nothing_in_a_service(tmp_path: Path) -> None:
    """Without the folder's name in the environment nobody dies, whatever lies in a folder."""
    (tmp_path / "after-commit").touch()
    assert run(None).stdout == "alive\n"
    assert (tmp_path / "after-commit").exists()
