"""The guide "Add a game": its code is the example package, and a package made from it alone is played by mail."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "packages" / "tinygame"
GUIDE = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
EXTRA = {"tinygame/templates/board.svg.j2", "test_tinygame.py"}
"""Files of the guide that the example package does without."""
PLAYED = """
import sys
from pathlib import Path

import tinygame
from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on
from tests.pbem.sheets.mailed import mailed

assert Path(tinygame.__file__).is_relative_to(sys.argv[1]), tinygame.__file__
database = Database(f"sqlite:///{sys.argv[1]}/game.sqlite3")
migrate(database)
match = begun(service_on(database), "tinygame", 3, pace="brisk", options={"lives": 1})
for seat in range(3):
    letters = mailed(match, seat, "bid 6 or 5 or 4 or 3 or 2 or 1\\nattack red with 1 or green with 1\\ndefend nothing")
    assert any("What was read" in letter.text for letter in letters if letter.seat == seat)
match.settle()
while match.game.status == "playing":
    match.pass_deadline()
letter = match.letters(0, "report")[-1]
assert b"image/png" in letter.content
print(match.game.status, len(match.entries()))
"""


def _files() -> dict[str, str]:
    """The guide's code by file: parts of one file are joined as they stand in it, two empty lines apart, or one within
    a class."""
    parts: dict[str, list[str]] = {}
    for path, part in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL):
        parts.setdefault(path, []).append(part)
    return {path: _joined(each) for path, each in parts.items()}


def _joined(parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += ("\n" if part.startswith(" ") else "\n\n") + part
    return text


def _packaged() -> list[str]:
    named = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*") if path.is_file()]
    hidden = ("tinygame-1.0.dist-info", "__pycache__")
    return sorted(str(path) for path in named if not set(hidden) & set(path.parts) and ".egg-info" not in str(path))


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with what a reader of the guide has at its end, installed by its entry point."""
    for path, text in _files().items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = tmp_path / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [f"{name} = {target}" for name, target in project["entry-points"]["pbem.rules"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[pbem.rules]", *points, ""]))
    return tmp_path


def _run(folder: Path, *words: str) -> str:
    path = os.pathsep.join([str(folder), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PBEM_DATA_DIR": str(folder / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_guides_code_is_the_example_package() -> None:
    """Every file of it, to the letter; so neither can change without the other."""
    files = _files()
    assert sorted(files.keys() - EXTRA) == _packaged()
    for path in files.keys() - EXTRA:
        assert files[path] == (PACKAGE / path).read_text(encoding="utf-8"), path


def test_a_package_made_from_the_guide_is_played_by_mail(made: Path) -> None:
    """Found by its entry point, asked and answered by mail, with a picture, to the end."""
    assert "tinygame" in _run(made, "-m", "pbem", "game", "rules")
    status, entries = _run(made, "-c", PLAYED, str(made)).splitlines()[-1].split()
    assert status == "over"
    assert int(entries) > 3


def test_the_guides_test_is_green_and_its_stand_in_is_the_better(made: Path) -> None:
    """The laws hold with every number of seats; `steady` wins most of its games against random ones."""
    assert "passed" in _run(made, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_tinygame.py", "-k", "0-2")
    words = [
        "simulate",
        "--rules",
        "tinygame",
        "--seats",
        "2",
        "--games",
        "100",
        "--players",
        "steady,random",
        "--json",
    ]
    levels = json.loads(_run(made, "-m", "pbem", *words))["levels"]
    assert levels["steady"]["share"] > 0.55
