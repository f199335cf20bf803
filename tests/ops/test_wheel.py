import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "pbem", "worker", "templates")
BEGIN_A_GAME = """
import json
from click.testing import CliRunner
import pbem
from pbem.cli import main
from pbem.cli.opened import opened
from pbem.games.lifecycle import join
from pbem.sweep import settle
from pbem.web.guide import source

def command(*words):
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return result.stdout

command("migrate")
command("game", "new", "rockwell", *(f"--player={name}@players.example" for name in ("ann", "ben", "cleo", "dan")))
with opened() as service:
    for seat in range(4):
        join(service, 1, seat)
    settle(service)
games, status = (json.loads(command(*words, "--json")) for words in (("game", "list"), ("status",)))
print(json.dumps({"file": pbem.__file__, "guides": str(source("api.md").parent), "games": games, "status": status}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


class Installed:
    """The wheel in an environment of its own, which sees the packages that it depends on and not this checkout."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        venv.create(folder / "env", symlinks=True)
        (self.packages,) = (folder / "env" / "lib").glob("python*/site-packages")
        zipfile.ZipFile(wheel).extractall(self.packages)
        (self.packages / "others.pth").write_text(str(Path(msgspec.__file__).parents[1]))
        self.python = folder / "env" / "bin" / "python"
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "PYTHON"))}
        self.environment = kept | {"PBEM_DATA_DIR": str(folder / "data")}

    def run(self, *words: str) -> str:
        """What a run of its Python prints."""
        command = [str(self.python), *words]
        ran = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel, installed."""
    return Installed(wheel, tmp_path_factory.mktemp("installed"))


def test_everything_that_is_no_test_is_in_the_wheel(wheel: Path) -> None:
    """Templates, component files, words, fonts, catalogs and migrations come with the code."""
    names = set(zipfile.ZipFile(wheel).namelist())
    files = {path.relative_to(ROOT).as_posix() for package in PACKAGES for path in (ROOT / package).rglob("*.*")}
    assert {name for name in files if "__pycache__" not in name and (ROOT / name).is_file()} <= names
    assert not {name for name in names if name.startswith("tests")}


def test_a_game_begins_from_the_wheel(installed: Installed) -> None:
    """In an environment without the checkout a game is set up, joined, and its first reports are written."""
    began = json.loads(installed.run("-c", BEGIN_A_GAME))
    assert began["file"].startswith(str(installed.packages))
    for name in ("player.md", "api.md"):
        assert Path(began["guides"], name).read_bytes() == (ROOT / "docs" / name).read_bytes()
    (game,) = began["games"]
    assert game["status"] == "playing"
    rows = {(row["what"], row["state"]): row["number"] for row in began["status"]}
    assert rows["letter", "queued"] >= 4
