"""The units for systemd: programs that there are, called as they understand it, with settings that exist."""

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from celery.bin.celery import celery
from gunicorn.config import Config  # type: ignore[import-untyped]

from pbem.cli import main
from pbem.settings import Settings
from pbem.supervisor.programs import programs

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*/*.service"))
DROP_INS = sorted(DEPLOY.glob("drop-ins/*.conf"))
PROGRAMS = "/opt/pbem/bin/"
NO_NEW_PRIVILEGES = {
    "DynamicUser",
    "LockPersonality",
    "MemoryDenyWriteExecute",
    "NoNewPrivileges",
    "PrivateDevices",
    "ProtectClock",
    "ProtectHostname",
    "ProtectKernelLogs",
    "ProtectKernelModules",
    "ProtectKernelTunables",
    "RestrictAddressFamilies",
    "RestrictNamespaces",
    "RestrictRealtime",
    "RestrictSUIDSGID",
    "SystemCallArchitectures",
    "SystemCallFilter",
    "SystemCallLog",
}
"""Each of these keeps what a service that is not root's starts from taking another group or user: systemd.exec(5)."""
STARTS = re.compile(r"^ExecStart=(.*)$", re.MULTILINE)


def started(unit: Path) -> list[str]:
    """The words that a unit starts, as systemd makes them of its line."""
    (line,) = STARTS.findall(unit.read_text(encoding="utf-8"))
    assert "%" not in line.replace("%%", ""), "systemd puts something else in its place"
    return shlex.split(line.replace("%%", "%"))


def test_there_is_a_unit_for_every_program(tmp_path: Path) -> None:
    """Those that `pbem up` runs with a mailbox to look into, and one for all of them together; in the Procfile as well,
    as a comment the one that not everybody has."""
    settings = Settings(data_dir=tmp_path, redis_url="redis://broker.internal", imap_host="imap.example.org")
    named = {program.name for group in programs(settings) for program in group}
    lines = (ROOT / "Procfile").read_text(encoding="utf-8")
    assert set(re.findall(r"^(?:# )?(\w+): \w+ ", lines, re.MULTILINE)) == named
    assert "# mailbox: " in lines
    assert {unit.stem for unit in UNITS} == {"pbem"} | {f"pbem-{name}" for name in named}
    guide = (ROOT / "docs" / "operator.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `pbem-(\w+)` \|", guide, re.MULTILINE)) == named


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_units_program_understands_what_it_is_told(unit: Path) -> None:
    """Its command and each of its options are there."""
    program, *words = started(unit)
    match program.removeprefix(PROGRAMS):
        case "gunicorn":
            assert Config().parser().parse_args(words).args == ["pbem.web:create_app()"]
        case "celery":
            assert words[:2] == ["-A", "worker.app"]
            options = {option for each in celery.commands[words[2]].params for option in each.opts}
            assert {word.partition("=")[0] for word in words if word.startswith("--")} <= options
        case "pbem":
            (name,) = words
            main.commands[name].make_context(name, [])
        case other:
            pytest.fail(f"no program of ours: {other}")


def test_systemd_understands_the_units(require: Callable[[str], str], tmp_path: Path) -> None:
    """It finds nothing to say about any of them, the programs being there."""
    verify = [require("systemd-analyze"), "verify", "--man=no"]
    copies = []
    for unit in [*UNITS, *DEPLOY.glob("*/*.target")]:
        copies.append(tmp_path / unit.name)
        copies[-1].write_text(re.sub(r"^(ExecStart=)\S+", r"\1/bin/true", unit.read_text(encoding="utf-8"), flags=re.M))
    said = subprocess.run([*verify, *copies], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    for drop_in in DROP_INS:
        (folder := tmp_path / f"{copies[0].name}.d").mkdir(exist_ok=True)
        shutil.copy(drop_in, folder)
    said = subprocess.run([*verify, copies[0]], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    (folder / "wrong.conf").write_text("[Service]\nReadWritePath=/var/spool\n")
    assert "ReadWritePath" in subprocess.run([*verify, copies[0]], capture_output=True, text=True, check=False).stderr
    copies[0].write_text(copies[0].read_text(encoding="utf-8").replace("Restart=", "Restarts="))
    assert "Restarts" in subprocess.run([*verify, copies[0]], capture_output=True, text=True, check=False).stderr


def kept(unit: Path, drop_in: Path) -> dict[str, str]:
    """What holds for a unit with a drop-in: of each setting what was said last."""
    text = unit.read_text(encoding="utf-8") + drop_in.read_text(encoding="utf-8")
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


@pytest.mark.parametrize("name", ["one-machine/pbem.service", "several-machines/pbem-sender.service"])
def test_a_program_that_takes_letters_may_gain_its_group_and_write_its_queue(name: str) -> None:
    """With the drop-in for it: nothing is in force any more that keeps it from either."""
    now = kept(DEPLOY / name, DEPLOY / "drop-ins" / "sendmail.conf")
    assert {each: now[each] for each in NO_NEW_PRIVILEGES & set(now) if now[each] not in ("no", "")} == {}
    assert now["ProtectSystem"] == "strict"
    assert "-/var/spool" in now["ReadWritePaths"].split()


@pytest.mark.parametrize("name", ["one-machine/pbem.service", "several-machines/pbem-mail.service"])
def test_a_socket_for_mail_can_be_where_the_guide_says(name: str) -> None:
    """In a folder that systemd makes for the service, and that others can get into."""
    now = kept(DEPLOY / name, DEPLOY / "drop-ins" / "mail-socket.conf")
    assert now["RuntimeDirectoryMode"] == "0755"
    guide = (ROOT / "docs" / "operator.md").read_text(encoding="utf-8")
    assert f"`/run/{now['RuntimeDirectory']}/lmtp`" in guide


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_waits_for_as_long_as_what_it_stops_may_take(unit: Path, tmp_path: Path) -> None:
    """No shorter than the supervisor would."""
    settings = Settings(data_dir=tmp_path, imap_host="imap.example.org", redis_url="redis://broker.example")
    patience = {program.name: program.patience for program in chain(*programs(settings))}
    patience["pbem"] = max(patience.values())
    (waits,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    assert int(waits) > patience[unit.stem.removeprefix("pbem-")]


def section(title: str) -> list[str]:
    """The commands in one section of the operator's guide, in their order."""
    guide = (ROOT / "docs" / "operator.md").read_text(encoding="utf-8")
    text = guide.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return [
        line for block in re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) for line in block.splitlines()
    ]


@pytest.mark.parametrize("title", ["The wheel", "One machine", "Several machines"])
def test_what_the_guide_installs_and_starts_is_there(title: str) -> None:
    """Files of the checkout, the wheel of this version, units, and a program that understands what it is told."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    files = [word for line in section(title) for word in line.split() if word.startswith(("deploy/", "requirements/"))]
    assert files
    assert all(list(ROOT.glob(file)) for file in files)
    for line in section(title):
        words = shlex.split(line)
        assert {word for word in words if word.endswith(".whl")} <= {f"dist/pbem-{version}-py3-none-any.whl"}
        if words[0] == "systemctl":
            started_units = {word for word in words[2:] if not word.startswith("-")}
            assert started_units <= {unit.stem for unit in UNITS} | {"pbem.target"}
        if PROGRAMS + "pbem" in words:
            config, _, name, *rest = words[words.index(PROGRAMS + "pbem") + 1 :]
            assert config == "--config"
            main.commands[name].make_context(name, rest)


def test_keys_and_tables_are_made_before_the_first_start_by_who_reads_them() -> None:
    """On several machines no program makes them: the user of all units does, once, in a folder of its own."""
    lines = section("Several machines")
    (made,) = [number for number, line in enumerate(lines) if line.endswith(" migrate")]
    start, *_ = [number for number, line in enumerate(lines) if line.startswith("systemctl")]
    assert made < start
    users = {user for unit in UNITS for user in re.findall(r"^User=(.*)$", unit.read_text(), re.MULTILINE)}
    assert users == {"pbem"}
    assert lines[made].startswith("runuser -u pbem -- ")
    given = Settings(**tomllib.loads((DEPLOY / "several-machines" / "pbem.toml").read_text(encoding="utf-8")))
    assert f"install -d -m 700 -o pbem {given.data_dir}" in lines[:made]
    assert f"install -m 600 -o pbem keys {given.keys}" in lines[made:start]


@pytest.mark.parametrize("path", sorted(DEPLOY.glob("*/*.toml")), ids=lambda path: path.parent.name)
def test_a_file_of_settings_can_be_used(path: Path) -> None:
    """Each setting is there and takes the value."""
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    assert Settings(**given).model_fields_set == set(given)
