import ast
import re
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run() -> ModuleType:
    """The start script as a module."""
    loader = SourceFileLoader("run", str(ROOT / "run"))
    spec = spec_from_loader("run", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_alone_it_lists_its_commands(run: ModuleType) -> None:
    """Without a command it sets nothing up and says what there is."""
    said = subprocess.run([sys.executable, ROOT / "run"], capture_output=True, text=True, check=True).stdout
    assert [name for name in run.COMMANDS if f"\n  {name} " not in said] == []


def test_an_unknown_command_is_refused() -> None:
    """A slip of the pen sets nothing up."""
    said = subprocess.run([sys.executable, ROOT / "run", "dmeo"], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "dmeo" in said.stderr


def test_an_old_python_can_read_it(run: ModuleType) -> None:
    """A Python that is too old gets as far as looking for another; it needs the standard library alone."""
    tree = ast.parse((ROOT / "run").read_text(encoding="utf-8"), feature_version=(3, 7))
    imported = {
        name.name if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= set(sys.stdlib_module_names)


def test_an_environment_can_be_made_without_the_venv_module(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system leaves `venv` out, an environment of the same form is made by hand."""
    monkeypatch.setattr(run, "HOME", tmp_path / "env")
    monkeypatch.setattr(run, "PYTHON", tmp_path / "env" / "bin" / "python")
    monkeypatch.setitem(sys.modules, "venv", None)
    run.make_environment()
    code = "import sys, sysconfig; print(sys.prefix); print(sysconfig.get_path('purelib')); print(sys.version_info[:2])"
    said = subprocess.run([run.PYTHON, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[0] == str(tmp_path / "env")
    assert Path(said[1]).is_dir()
    assert said[2] == str(sys.version_info[:2])


def test_locked_versions_have_hashes_and_no_address() -> None:
    """What is installed is what was locked, wherever it comes from."""
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text
        assert "--index" not in text
        assert len(re.findall(r"^[a-z0-9._-]+(\[.*\])?==", text, re.MULTILINE)) == len(
            re.findall(r"^\S.*\\\n +--hash=sha256:", text, re.MULTILINE)
        )


def test_everything_that_the_project_names_is_locked() -> None:
    """A dependency that was added and not locked would be missing after `./run`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {
        "runtime": project["dependencies"],
        "test": project["dependencies"] + extras["test"] + extras["setup"],
        "setup": extras["setup"],
    }
    for name, requirements in wanted.items():
        locked = {
            line.partition("==")[0].partition("[")[0]
            for line in (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
            if "==" in line
        }
        names = {re.split(r"[\[<>=~! ;]", each)[0].lower() for each in requirements}
        assert names - locked == set(), name
