import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.door import BROKER
from pbem.settings import Settings
from pbem.storage import migrate
from pbem.storage.sessions import Database
from pbem.storage.unwritten import AT_THE_END
from pbem.supervisor import broker, datadir
from pbem.supervisor.child import Child, Program
from pbem.supervisor.programs import broker_url, programs
from pbem.supervisor.upgrade import upgrade
from pbem.supervisor.watch import DidNotStart, Watch
from tests.servers import wait_until
from worker.tasks import send

DIARY = """
import os, pathlib, signal, sys, time
name, diary, grandchild = sys.argv[1], sys.argv[2], sys.argv[3:]
def write(word):
    with open(diary, "a") as file:
        file.write(f"{name} {word} {os.getpid()}\\n")
def end(*_):
    write("stops")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
write("starts")
if grandchild and os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    write("forks")
    while True:
        time.sleep(1)
time.sleep(0.1)
pathlib.Path(os.environ["PBEM_READY_FILE"]).touch()
write("ready")
while True:
    time.sleep(1)
"""


class Stage:
    """A watch over programs that keep a diary."""

    def __init__(self, folder: Path, *names: str, more: tuple[str, ...] = ()) -> None:
        self.diary = folder / "diary"
        self.diary.touch()
        self._held = datadir.claim(folder / "data")
        self.children = [Child(self._program(folder, name, more), os.environ, self._held) for name in names]
        self.watch = Watch([[child] for child in self.children])

    def _program(self, folder: Path, name: str, more: tuple[str, ...]) -> Program:
        ready = folder / f"{name}.ready"
        command = [sys.executable, "-c", DIARY, name, str(self.diary), *more]
        return Program(name, command, ready.exists, patience=5, ready_file=ready)

    def lines(self) -> list[str]:
        """What the programs wrote, without process numbers."""
        return [line.rpartition(" ")[0] for line in self.diary.read_text().splitlines()]

    def numbers(self, line: str) -> list[int]:
        """The process numbers of those that wrote that."""
        return [int(each.rpartition(" ")[2]) for each in self.diary.read_text().splitlines() if each.startswith(line)]

    def run(self, during: Callable[[], None]) -> None:
        """Run the watch, do something meanwhile, stop it."""
        problems: list[BaseException] = []

        def act() -> None:
            try:
                during()
            except BaseException as problem:
                problems.append(problem)
            self.watch.stop()

        thread = threading.Thread(target=act)
        thread.start()
        self.watch.run()
        thread.join()
        os.close(self._held)
        assert not problems, problems


def _lives(pid: int) -> bool:
    stat = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(stat.strip()) and not stat.startswith("Z")


def test_programs_start_in_order_and_stop_in_reverse(tmp_path: Path) -> None:
    """Each is ready before the next is started; the last started is the first stopped."""
    stage = Stage(tmp_path, "a", "b")
    stage.run(lambda: wait_until(lambda: "b ready" in stage.lines()))
    assert stage.lines() == ["a starts", "a ready", "b starts", "b ready", "b stops", "a stops"]


def test_a_program_that_ends_is_started_again(tmp_path: Path) -> None:
    """After kill -9 of one program it comes back and the other is left alone."""
    stage = Stage(tmp_path, "a", "b")

    def kill() -> None:
        wait_until(lambda: "b ready" in stage.lines())
        os.kill(stage.numbers("a starts")[0], signal.SIGKILL)
        wait_until(lambda: stage.lines().count("a ready") == 2)

    stage.run(kill)
    assert stage.lines().count("b starts") == 1


def test_a_program_leaves_nobody_behind(tmp_path: Path) -> None:
    """What a program started ends with it, even when it does not listen."""
    stage = Stage(tmp_path, "a", more=("fork",))
    stage.run(lambda: wait_until(lambda: {"a ready", "a forks"} <= set(stage.lines())))
    (left,) = stage.numbers("a forks")
    wait_until(lambda: not _lives(left))


def test_a_program_that_does_not_start_stops_the_start(tmp_path: Path) -> None:
    """One that ends at once is named, and what was started before it is stopped."""
    stage = Stage(tmp_path, "a")
    broken = Program("broken", [sys.executable, "-c", "raise SystemExit(3)"], lambda: False)
    watch = Watch([stage.children, [Child(broken, os.environ, stage.children[0]._held)]])
    with pytest.raises(DidNotStart, match="broken"):
        watch.run()
    assert stage.lines() == ["a starts", "a ready", "a stops"]


def test_a_data_folder_is_for_one_service(tmp_path: Path) -> None:
    """A second service is refused and told who has it, until the first one's last process has ended."""
    held = datadir.claim(tmp_path / "data")
    with pytest.raises(datadir.InUse, match=str(os.getpid())):
        datadir.claim(tmp_path / "data", seconds=0)
    with subprocess.Popen(["sleep", "60"], pass_fds=(held,)) as heir:
        os.close(held)
        with pytest.raises(datadir.InUse):
            datadir.claim(tmp_path / "data", seconds=0)
        heir.kill()
    os.close(datadir.claim(tmp_path / "data"))
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_programs_end_when_the_supervisor_is_killed(tmp_path: Path, require: Callable[[str], str]) -> None:
    """After kill -9 of the supervisor its programs end, and the folder is free."""
    require("linux")
    script = (
        "import pathlib, sys; from tests.ops.test_supervisor import Stage\n"
        "Stage(pathlib.Path(sys.argv[1]), 'a', 'b').run(lambda: __import__('time').sleep(60))"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], env=environment) as supervisor:
        wait_until(lambda: (tmp_path / "diary").exists() and "b ready" in (tmp_path / "diary").read_text())
        supervisor.kill()
    os.close(datadir.claim(tmp_path / "data"))


def test_a_socket_path_that_is_too_long_is_refused(require: Callable[[str], str]) -> None:
    """The limit of the system is told before anything is started, not by a server that won't come up."""
    require("valkey")
    with pytest.raises(broker.SocketPathTooLong):
        broker.command(Path("/tmp") / ("x" * 100))


def test_the_broker_is_the_one_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A configured one, else one of our own, else none: then one process does what workers would do."""
    monkeypatch.setattr(broker, "program", lambda: "/usr/bin/valkey-server")
    ours = Settings(data_dir=tmp_path)
    assert _names(ours) == [["broker"], ["worker", "sender", "beat", "mail", "web"]]
    assert broker_url(ours) == f"redis+socket://{tmp_path}/broker.sock"
    theirs = Settings(data_dir=tmp_path, redis_url="redis://broker.example")
    assert _names(theirs) == [["worker", "sender", "beat", "mail", "web"]]
    assert broker_url(theirs) == "redis://broker.example"
    monkeypatch.setattr(broker, "program", no_broker)
    assert _names(ours) == [["sweep", "mail", "web"]]
    assert broker_url(ours) == ""


def test_programs_have_time_to_finish_what_they_are_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that work are not killed before their tasks would be; so a stop takes no letter out of a sender's hands."""
    monkeypatch.setattr(broker, "program", lambda: "/usr/bin/valkey-server")
    with_workers = programs(Settings(data_dir=tmp_path))
    monkeypatch.setattr(broker, "program", no_broker)
    alone = programs(Settings(data_dir=tmp_path))
    patience = {program.name: program.patience for program in chain(*with_workers, *alone)}
    assert patience["worker"] > BROKER["task_time_limit"] + AT_THE_END
    assert min(patience["sender"], patience["sweep"]) > send.time_limit + AT_THE_END
    assert send.soft_time_limit < send.time_limit < BROKER["broker_transport_options"]["visibility_timeout"]


def no_broker() -> str:
    """No program for it is installed."""
    raise broker.NoBroker


def _names(settings: Settings) -> list[list[str]]:
    return [[program.name for program in group] for group in programs(settings)]


def test_the_database_is_copied_before_it_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older database is kept as it was, for its owner alone, the newest few times; a present one is left alone."""
    settings = Settings(data_dir=tmp_path, backups=2)
    assert upgrade(settings) is None
    assert upgrade(settings) is None
    monkeypatch.setattr(migrate, "outdated", lambda _database: True)
    copies = [upgrade(settings) for _ in range(3)]
    assert sorted((tmp_path / "backups").iterdir()) == copies[1:]
    assert copies[2] is not None
    assert copies[2].stat().st_mode & 0o077 == 0
    copy = Database(f"sqlite:///{copies[2]}")
    assert migrate.version(copy) == migrate.newest()
    copy.close()


def test_a_newer_database_is_refused_and_left_alone(empty_database_url: str, tmp_path: Path) -> None:
    """Code that does not know the database's version changes nothing in it."""
    settings = Settings(data_dir=tmp_path, database_url=empty_database_url)
    upgrade(settings)
    database = Database(empty_database_url)
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'from-the-future'"))
        session.execute(text("UPDATE setting SET value = 'from-the-future' WHERE name = 'works_from'"))
    with pytest.raises(migrate.NewerDatabase):
        upgrade(settings)
    assert migrate.version(database) == "from-the-future"
    database.close()
